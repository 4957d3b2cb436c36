import { pattern } from '../statements/phrases.ts';
import { nounPhrases } from './objects.ts';
import { am, does, has, i, my, phrases, type Read, rules, type SpeakerRule } from './rule.ts';

/** "iPhone", "my 2019 Volvo". */
const brand = String.raw`(?=(?:a |an |the |my )?(?:\d{4} )?\p{Ll}?\p{Lu})`;
const vehicle = pattern`
  (?:car|bike|bicycle|boat|house|flat|apartment|motorbike|motorcycle|van|truck|camper|piano|guitar|
  violin|cello|telescope|camera|laptop|phone|tablet|printer|sewing machine|kayak|canoe|cabin|
  cottage|caravan|scooter|drone|greenhouse|farm|vineyard|restaurant|shop|horse|sailboat|tractor|
  studio|bakery|business|company|drum kit|saxophone)`;
/** "A for notes and B for tasks" names two. */
const purpose =
  / (?:for|as) (?:my |our |the )?\p{Ll}[\p{Ll} -]*(?=,? and (?:an? |the )?\p{Ll}?\p{Lu})/gu;
const notNamed = /,? (?:and|but) (?!(?:an? |the |my )?\p{Ll}?\p{Lu}).*$/u;
const product: Read = (rest) => nounPhrases(rest.replaceAll(purpose, '').replace(notNamed, ''));
const month = new RegExp(
  pattern`
    ^(?:January|February|March|April|May|June|July|August|September|October|November|December|
    Mon|Tue|Wed|Thu|Fri|Sat|Sun)`,
  'u',
);
const named: Read = (rest) =>
  product(rest).filter((one) => /\p{Lu}|\d/u.test(one) && !month.test(one));

const owns = { predicate: 'owns', type: 'product', read: nounPhrases } as const;
const belongings: readonly SpeakerRule[] = [
  ...rules(owns, pattern`${does}own (?!up |the )`),
  ...rules(
    { ...owns, confidence: 0.65 },
    pattern`
      ${has}(?:bought|purchased|inherited) (?:myself |ourselves )?(?=a |an |my |our )`,
    pattern`${has}(?:got|gotten) (?:myself|ourselves) (?=a |an )`,
  ),
  ...rules(
    { ...owns, confidence: 0.7 },
    pattern`
      ${i}(?: have|'ve got| have got) (?:a|an|two|three)
      [ ](?<b>(?:[\p{L}-]+ ){0,2}?${vehicle})s?\b(?! (?:key|insurance|wash|payment|problem))`,
  ),
  ...rules(
    { ...owns, read: named, confidence: 0.7 },
    pattern`${does}(?:have|'ve got) ${brand}`,
    pattern`${does}(?:drive|ride) ${brand}`,
    pattern`${my}(?:main |first )?${vehicle} is (?=(?:a |an )(?:\d{4} |\p{Ll}+ )?\p{Ll}?\p{Lu})`,
  ),
  ...rules({ ...owns, ends: true }, pattern`${has}(?:sold|got rid of) (?=my |our )`),
];

const uses = { predicate: 'uses', type: 'product', read: named } as const;
const device = pattern`
  (?:main |primary |default |work |go-to |preferred |daily )*
  (?:editor|text editor|code editor|browser|phone|laptop|shell|
  operating system|os|ide|IDE|OS|terminal|password manager|search engine|distro|computer|
  (?:programming )?language|note-?taking app|e-?mail client|calendar|keyboard|bank)`;
const tools: readonly SpeakerRule[] = [
  ...rules(
    uses,
    pattern`${does}(?:use|drive|ride) ${brand}`,
    pattern`${am}using ${brand}`,
    pattern`${has}been using ${brand}`,
    pattern`${my}${device} is ${brand}`,
    pattern`${does}rely on ${brand}`,
  ),
  ...rules({ ...uses, confidence: 0.7 }, pattern`${does}run (?=\p{Lu}[\p{L}\d]* on )`),
  ...rules(
    { ...uses, confidence: 0.6 },
    pattern`
      ${does}(?:track|manage|write|keep|organi[sz]e|take|edit|code|program|develop|design|build)\b
      .{0,40}? (?:with|in|using|on) ${brand}(?!\p{L}+day|the )`,
  ),
  ...rules(
    { ...uses, confidence: 0.5 },
    pattern`
      ${has}(?:switched|migrated|moved over)(?: from \p{Lu}[\p{L}\d ]{0,30}?)?
      [ ](?:over )?to ${brand}`,
  ),
  ...rules(
    { ...uses, ends: true },
    pattern`
      ${has}(?:switched|migrated)(?: away)? from (?<b>\p{Lu}[\p{L}\d ]{0,30}?) to `,
  ),
  ...rules(
    { ...uses, read: nounPhrases },
    pattern`
      ${does}take (?<b>\p{Ll}+(?:in|ol|ine|ide|one|ate|am|il|an))
      [ ](?:once|twice|daily|every|for|each|\d)`,
  ),
];

const field = /^(?:a |an |the )?(?:course|degree|class|programme|program) (?:in|on) /u;
const subject: Read = (rest) => nounPhrases(rest.replace(field, ''));
const degree = pattern`
  (?:master's|masters|bachelor's|[Pp][Hh][Dd]|degree|doctorate|course|class|diploma|apprenticeship|
  [Bb][Aa]|[Bb][Ss]c|[Mm][Ss]c|[Mm][Bb][Aa]|Master's|Bachelor's|undergraduate degree|certificate)`;
const studies = { predicate: 'studies', read: subject } as const;
const ordinal = '(?:first|second|third|fourth|fifth|final|last)';
const studyRules: readonly SpeakerRule[] = [
  ...rules(
    studies,
    pattern`${does}study (?!at|in|for|with|hard|abroad|together)`,
    pattern`${am}studying (?!at|in|for|with|abroad|hard|to )`,
    pattern`${has}been studying (?!at|in|for|with)`,
    pattern`
      ${am}(?:doing|taking|finishing|pursuing|enrolled in|working on|working towards|completing|
      getting) (?:a|an|my) (?:(?:second|part-time|online|evening|new|distance) )?
      ${degree}(?: degree)?(?: program| programme)? (?:in|on) `,
    pattern`
      ${am}enrolled in (?:a|an|the) (?<b>[\p{L} ]{2,40}?) (?:degree|course|programme|program)\b`,
    pattern`${am}(?:a|an) (?:\p{Ll}+ )?student of `,
    pattern`${am}in (?:my|the) ${ordinal} (?:year|semester) of (?:studying |a )?`,
    pattern`${am}majoring in `,
    pattern`${my}major is `,
    pattern`${does}major in `,
  ),
  ...rules(
    { ...studies, confidence: 0.7 },
    pattern`${am}learning (?!to|how|that|a lot|from|about)`,
    pattern`${has}(?:started|begun|been) (?:studying|learning) (?!to|how|at|in|for|with|about)`,
    pattern`${has}been taking (?<b>[\p{L}-]+) (?:lessons|classes|courses)`,
    pattern`${am}taking (?<b>[\p{L}-]+) (?:lessons|classes|courses)`,
  ),
  ...rules(
    { ...studies, confidence: 0.6 },
    pattern`
      ${am}(?:a|an)
      [ ](?:(?:\p{Ll}+-year|${ordinal} year|PhD|graduate|undergraduate|master's|part-time) )?
      (?<b>(?!university|college|school|high)\p{Ll}+(?: \p{Ll}+)?) (?:student|major|undergrad)\b`,
  ),
  ...rules(
    { ...studies, ends: true },
    pattern`
      ${has}(?:dropped out of|graduated in|gave up|quit) (?=\p{Ll})
      (?!school|college|university|the|my|smok|drink|work)`,
  ),
];

const intended = pattern`
  (?:start|move|marry|retire|join|visit|travel|fly|study|launch|leave|graduate|attend|buy|sell|run|
  take|go|host|begin|finish|adopt|switch|apply|spend|open|renovate)`;
const plans = { predicate: 'plans', read: phrases } as const;
const planRules: readonly SpeakerRule[] = [
  ...rules(
    plans,
    pattern`${does}(?:plan|intend|aim) (?:to|on) `,
    pattern`${am}(?:planning|intending|aiming)(?: (?:to|on))? (?!for )`,
    pattern`${am}(?=getting married )`,
    pattern`${my}plan is to `,
    pattern`${has}planned (?:to )?(?=a |an |\p{Ll})`,
  ),
  ...rules(
    { ...plans, confidence: 0.65 },
    pattern`
      ${am}going to (?=\p{Ll})(?!have to|need|be able|the |bed|a |my |work\b|school\b|sleep\b)`,
    pattern`
      ${i}(?:'ll| will) (?=${intended}\b.*\b(?:in|on|next|this|by|tomorrow|until)\b)`,
    pattern`
      ${am}(?=(?:moving|starting|flying|travel+ing|getting|visiting|running|retiring)\b.*
      \b(?:next|tomorrow|in (?:\p{Lu}|\d)|this (?:summer|winter|spring|autumn|fall)))`,
  ),
];

const decisions = rules(
  { predicate: 'decided', read: phrases },
  pattern`${has}(?:decided|made up (?:my|our) minds?)(?: that (?:I|we) will)? (?:to|on) `,
  pattern`
    ${has}(?:chose|chosen|picked|settled on|opted for|opted to|agreed to|agreed on|went with|
    gone with|committed to) `,
  pattern`^(?:[Mm]y|[Oo]ur) decision is to `,
);

export const activityRules: readonly SpeakerRule[] = [
  ...belongings,
  ...tools,
  ...studyRules,
  ...planRules,
  ...decisions,
];
