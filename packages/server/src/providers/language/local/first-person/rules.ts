import { pattern } from '../statements/phrases.ts';
import { nounPhrases } from './objects.ts';
import { familyRules, homeRules, workRules } from './people-rules.ts';
import {
  am,
  does,
  has,
  i,
  my,
  phrases,
  type Read,
  rule,
  type SpeakerRule,
  things,
} from './rule.ts';

const fan = '(?:a |an )?(?:big |huge |great )?fans? of';
const tasteRules: readonly SpeakerRule[] = [
  rule(
    'allergic_to',
    null,
    `${am}(?:(?:severely|highly|very|extremely|mildly|slightly|deathly) )?(?:allergic|intolerant) to `,
    nounPhrases,
  ),
  rule(
    'allergic_to',
    null,
    `${does}have (?:a |an )?(?:[\\p{L}]+ )?allerg(?:y|ies) to `,
    nounPhrases,
  ),
  rule(
    'allergic_to',
    null,
    `${does}have (?:a|an) (?:severe |bad |mild |serious )?(?<b>[\\p{L}-]+) allergy\\b`,
    things,
  ),
  rule('allergic_to', null, `${my}allerg(?:y|ies)(?: is| are|:)(?: to)? `, nounPhrases),
  rule(
    'dislikes',
    null,
    `${does}(?:hate|dislike|detest|loathe|can't stand|cannot stand|can not stand) `,
    nounPhrases,
  ),
  rule(
    'dislikes',
    null,
    `${i} (?:don't|do not|never|didn't)(?: really| much)? (?:like|liked|love|loved|enjoy|enjoyed|care for) (?!to )`,
    nounPhrases,
  ),
  rule(
    'dislikes',
    null,
    `${i}(?:'m| am) not (?:really )?(?:${fan}|fond of|keen on|into) `,
    nounPhrases,
  ),
  rule('likes', null, `${does}(?:like|love|enjoy|adore) to `, phrases),
  rule('likes', null, `${does}(?:like|love|enjoy|adore) (?!to |my )`, nounPhrases),
  rule(
    'likes',
    null,
    `${am}(?:${fan}|fond of|keen on|into|crazy about|mad about|passionate about|obsessed with) `,
    nounPhrases,
  ),
  rule(
    'likes',
    null,
    `${my}(?:all-time )?favou?rite (?:[\\p{L}-]+ ){1,3}?(?:is|are) (?!when|that|not|to )`,
    nounPhrases,
  ),
  rule('prefers', null, `${i}(?:'d| would) (?:much )?rather (?!the |you |it |not )`, phrases),
  rule('prefers', null, `${does}prefer(?: to)? `, phrases),
];

const brand = String.raw`(?=(?:a |an |the |my )?(?:\d{4} )?\p{Lu})`;
const vehicle = pattern`
  (?:car|bike|bicycle|boat|house|flat|apartment|motorbike|motorcycle|van|truck|camper|piano|guitar|
  violin|cello|telescope|camera|laptop|phone|tablet|printer|sewing machine|kayak|canoe|cabin|cottage|
  caravan|scooter|drone|greenhouse|farm|vineyard|restaurant|shop|horse)`;
const possession: Read = (rest) => nounPhrases(rest);
const product: Read = (rest) =>
  nounPhrases(rest.replace(/,? (?:and|but) (?!(?:an? |the |my )?\p{Lu}).*$/u, ''));
const month =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Mon|Tue|Wed|Thu|Fri|Sat|Sun)/u;
const named: Read = (rest) =>
  product(rest).filter((one) => /\p{Lu}|\d/u.test(one) && !month.test(one));
const thingRules: readonly SpeakerRule[] = [
  rule('owns', 'product', `${does}own (?!up )`, possession),
  rule('owns', 'product', `${does}drive ${brand}`, named),
  rule(
    'owns',
    'product',
    `${has}(?:just )?(?:bought|purchased) (?:myself |ourselves )?(?=a |an |my |our )`,
    possession,
    { confidence: 0.65 },
  ),
  rule('owns', 'product', `${does}(?:have|'ve got) ${brand}`, named, { confidence: 0.7 }),
  rule(
    'owns',
    'product',
    `${i}(?: have|'ve got) (?:a|an|two|three) (?<b>(?:[\\p{L}-]+ ){0,2}?${vehicle})s?\\b`,
    possession,
    { confidence: 0.7 },
  ),
  rule('owns', 'product', `${my}${vehicle} is (?=(?:a |an )\\p{Lu})`, named),
  rule('owns', 'product', `${has}sold (?=my |our )`, possession, { ends: true }),
  rule('uses', 'product', `${does}(?:use|drive) ${brand}`, named),
  rule('uses', 'product', `${am}(?:using) ${brand}`, named),
  rule('uses', 'product', `${has}been using ${brand}`, named),
  rule('uses', 'product', `${does}run (?=\\p{Lu}[\\p{L}\\d]* on )`, named, { confidence: 0.7 }),
  rule(
    'uses',
    'product',
    `${i} (?:track|manage|write|keep|organi[sz]e|take|edit) .{1,40}? (?:with|in|using) (?=\\p{Lu})`,
    named,
    { confidence: 0.6 },
  ),
  rule(
    'uses',
    'product',
    `${has}(?:switched|migrated)(?: from \\p{Lu}[\\p{L}\\d ]{0,30}?)? (?:over )?to (?=\\p{Lu})`,
    named,
    { confidence: 0.5 },
  ),
  rule(
    'uses',
    'product',
    `${has}(?:switched|migrated) from (?<b>\\p{Lu}[\\p{L}\\d ]{0,30}?) to `,
    named,
    { ends: true },
  ),
  rule(
    'uses',
    'product',
    `${my}(?:editor|browser|phone|laptop|shell|operating system|os|ide|terminal|password manager|search engine|distro) is ${brand}`,
    named,
  ),
  rule(
    'uses',
    'product',
    `${does}take (?<b>\\p{Ll}+(?:in|ol|ine|ide|one|ate|am|il|an)) (?:once|twice|daily|every|for|each|\\d)`,
    possession,
  ),
];

const subject: Read = (rest) =>
  nounPhrases(
    rest.replace(/^(?:a |an |the )?(?:course|degree|class|programme|program) (?:in|on) /u, ''),
  );
const degree =
  "(?:master's|masters|bachelor's|phd|degree|doctorate|course|class|diploma|ba|bsc|msc|mba)";
const activityRules: readonly SpeakerRule[] = [
  rule('studies', null, `${does}study (?!at|in|for|with)`, subject),
  rule('studies', null, `${am}studying (?!at|in|for|with|abroad|hard)`, subject),
  rule('studies', null, `${has}been studying (?!at|in|for|with)`, subject),
  rule('studies', null, `${am}learning (?!to|how|that|a lot|from)`, subject, { confidence: 0.7 }),
  rule(
    'studies',
    null,
    `${am}(?:doing|taking|finishing|pursuing|enrolled in|working on) (?:a|an|my) (?:second |part-time |online |evening |new )?${degree}(?: degree)? (?:in|on) `,
    subject,
  ),
  rule(
    'studies',
    null,
    `${am}enrolled in (?:a|an|the) (?<b>[\\p{L} ]{2,40}?) (?:degree|course|programme|program)\\b`,
    subject,
  ),
  rule('studies', null, `${am}(?:a|an) (?:\\p{Ll}+ )?student of `, subject),
  rule(
    'studies',
    null,
    `${am}(?:a|an) (?:\\p{Ll}+-year )?(?<b>\\p{Ll}+(?: \\p{Ll}+)?) student\\b`,
    subject,
    { confidence: 0.6 },
  ),
  rule(
    'studies',
    null,
    `${am}in (?:my|the) (?:first|second|third|fourth|final|last) (?:year|semester) of `,
    subject,
  ),
  rule(
    'studies',
    null,
    `${has}(?:dropped out of|graduated in|gave up) (?=\\p{Ll})(?!school|college|university|the)`,
    subject,
    { ends: true },
  ),
  rule('plans', null, `${does}(?:plan|intend|aim) (?:to|on) `, phrases),
  rule('plans', null, `${am}(?:planning|intending|aiming)(?: (?:to|on))? (?!for )`, phrases),
  rule(
    'plans',
    null,
    `${am}going to (?=\\p{Ll})(?!have to|need|be able|the |bed|a |my )`,
    phrases,
    {
      confidence: 0.65,
    },
  ),
  rule('plans', null, `${am}(?=getting married )`, phrases),
  rule('plans', null, `${my}plan is to `, phrases),
  rule(
    'plans',
    null,
    `${i}(?:'ll| will) (?=(?:start|move|marry|retire|join|visit|travel|fly|study|launch|leave|graduate|attend|buy|sell|run)\\b.*\\b(?:in|on|next|this|by|tomorrow|until)\\b)`,
    phrases,
    { confidence: 0.65 },
  ),
  rule('decided', null, `${has}(?:decided|made up (?:my|our) minds?) (?:to|on) `, phrases),
  rule(
    'decided',
    null,
    `${has}(?:chose|chosen|picked|settled on|opted for|opted to|agreed to|agreed on|went with|gone with) `,
    phrases,
  ),
  rule('decided', null, `^(?:[Mm]y|[Oo]ur) decision is to `, phrases),
];

export const speakerRules: readonly SpeakerRule[] = [
  ...homeRules,
  ...workRules,
  ...familyRules,
  ...tasteRules,
  ...thingRules,
  ...activityRules,
];
