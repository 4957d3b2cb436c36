import { pattern } from '../statements/phrases.ts';
import {
  am,
  called,
  companies,
  does,
  has,
  i,
  jobs,
  my,
  name,
  persons,
  places,
  rules,
  type SpeakerRule,
  titles,
  upper,
} from './rule.ts';

const livesIn = { predicate: 'lives_in', type: 'location', read: places } as const;
const inPlace = pattern`
  (?:[\p{L}' -]{1,40}? )?in
  [ ](?:downtown |central |north |south |east |west |the city of |the )?(?=\p{Lu})`;
const homeRules: readonly SpeakerRule[] = [
  ...rules(
    livesIn,
    pattern`${does}(?:live|reside) ${inPlace}`,
    pattern`${am}(?:living|based|residing|settled|at home) ${inPlace}`,
    pattern`
      ${am}(?:originally )?from ${name}(?:, | and | but |, but )(?:now )?(?:living|based) in
      [ ](?=\p{Lu})`,
    pattern`${has}(?:been )?(?:living|based|lived) ${inPlace}`,
    pattern`${am}an? [\p{L} -]{2,40}? (?:living|based) in (?=\p{Lu})`,
    pattern`
      ${has}(?:re)?(?:moved|located|settled)
      (?: back| over| down| here| house| home| together| out)*
      (?: with ${name}| with my \p{Ll}+)? (?:to|in) (?=\p{Lu})`,
    pattern`${has}(?:moved|relocated)(?: back| over)? from ${name} to (?=\p{Lu})`,
    pattern`
      ${my}(?:home|flat|house|apartment|home ?town|place) is (?:now )?in (?=\p{Lu})`,
    pattern`${my}(?:home|home city) is (?:now )?(?=\p{Lu})`,
    pattern`${has}(?:made|call) (?<b>${name}) (?:my|our|home)`,
    pattern`${i} call (?<b>${name}) home`,
  ),
  ...rules({ ...livesIn, confidence: 0.65 }, pattern`${has}left ${name} for (?=\p{Lu})`),
  ...rules(
    { ...livesIn, ends: true, confidence: 0.65 },
    pattern`${has}(?:moved|relocated)(?: away)? from (?<b>${name}) to \p{Lu}`,
    pattern`${has}moved (?:away from|out of) (?=\p{Lu})`,
  ),
];

const worksAt = { predicate: 'works_at', type: 'organization', read: companies } as const;
const jobNoun = '(?:job|position|role|post|gig|internship|apprenticeship)';
const anyCompany = pattern`
  (?:(?:a|an) [\p{Ll}\d -]{1,40}? (?:called|named) )?(?=(?:the )?\p{Lu}|the city )`;
const leader = pattern`
  (?:co-?)?(?:founder|owner|CEO|CTO|CFO|COO|CMO|director|head|president|editor|principal|
  managing director|vice president|VP)`;
const employment: readonly SpeakerRule[] = [
  ...rules(
    worksAt,
    pattern`${does}work(?: [\p{L}-]+){0,6}? (?:at|for) ${anyCompany}`,
    pattern`${am}(?:working|employed)(?: [\p{L}-]+){0,6}? (?:at|by|for) ${anyCompany}`,
    pattern`
      ${has}(?:been )?(?:working|employed|worked)(?: [\p{L}-]+){0,6}?
      [ ](?:at|by|for) ${anyCompany}`,
    pattern`
      ${has}(?:started|begun|began)(?: working| work)?
      (?: (?:a|my) (?:new )?${jobNoun})?(?: as an? [\p{L} -]{1,40}?)? (?:at|for|with) ${upper}`,
    pattern`${has}joined (?=(?:the )?\p{Lu})`,
    pattern`
      ${has}(?:got|taken|took|landed|accepted|have|found|got hired for|secured) (?:a|an|my)
      [ ](?:[\p{L}-]+ ){0,3}${jobNoun} (?:at|with) ${upper}`,
    pattern`${has}(?:been|got|gotten) hired (?:by|at) ${upper}`,
    pattern`${my}(?:employer|company|workplace) is (?:now )?(?:called )?${upper}`,
    pattern`
      ${my}(?:job|job title|title|role|position)(?: is|:) [\p{L} -]{2,50}?
      [ ](?:at|for|with) ${upper}`,
  ),
  ...rules(
    { ...worksAt, confidence: 0.7 },
    pattern`${am}(?:a|an|the) (?:[\p{L}-]+,? ){1,6}?(?:at|for) ${upper}`,
    pattern`${am}(?:(?:a|an|the) )?${leader} of (?=(?:the )?\p{Lu})`,
    pattern`${am}(?:head|chief|director|vice president|VP) of [\p{L} ]{2,30}? at ${upper}`,
    pattern`${am}(?:C[A-Z]O|VP|senior|lead|principal) (?:[\p{L}-]+ ){0,3}?at ${upper}`,
    pattern`${does}(?:teach|lecture|practi[sc]e|freelance)(?: [\p{L}-]+){0,4}? (?:at|for) ${upper}`,
    pattern`
      ${does}(?:manage|lead|run|head)(?: [\p{L}-]+){1,4}? (?:team|department|group|division)
      [ ](?:at|for) ${upper}`,
    pattern`${am}(?:on|part of) the (?:[\p{L}-]+ ){0,2}team at ${upper}`,
  ),
  ...rules(
    { ...worksAt, ends: true, confidence: 0.7 },
    pattern`
      ${has}(?:left|quit|resigned from|departed|retired from|leaving)
      (?: (?:my|the) (?:old )?(?:job|position|role) (?:at|with))? ${upper}(?!${name} for )`,
    pattern`
      ${i}(?:'ve| have| was| were| got)? (?:been |just |recently )*
      (?:laid off|fired|let go|made redundant) (?:from|by|at) ${upper}`,
  ),
];

const jobTitle = { predicate: 'job_title' } as const;
const asTitle = ' (?:as|being) (?:a|an|the|their) ';
const jobRules: readonly SpeakerRule[] = [
  ...rules(
    { ...jobTitle, read: jobs },
    pattern`${am}(?=(?:a|an|the) )`,
    pattern`${am}(?=(?:head|chief|director|vice president|VP|C[A-Z]O|senior|lead)\b)`,
    pattern`${does}work(?: [\p{L}-]+){0,2}${asTitle}`,
    pattern`${am}(?:working|employed)(?: [\p{L}-]+){0,2}${asTitle}`,
    pattern`${has}(?:been )?working(?: [\p{L}-]+){0,2}${asTitle}`,
    pattern`${i}\b.{1,60}?\b(?:at|for|joined|by) \p{Lu}.{0,60}?${asTitle}`,
    pattern`${has}(?:started|begun|trained)(?: working| work| out)?${asTitle}`,
    pattern`${has}(?:got|taken|took|landed|accepted|found) (?:a|an) (?:new )?${jobNoun}${asTitle}`,
    pattern`${has}(?:become|became) (?:a|an|the) `,
  ),
  ...rules(
    { ...jobTitle, read: titles },
    pattern`
      ${i}(?:'ve| have| was)?(?: just| recently| now| finally| been| got| gotten)* promoted to `,
    pattern`
      ${my}(?:job|job title|title|profession|occupation|role|position|job role)(?: is| changed to|:)
      [ ](?=(?:a |an |the )?\p{L})(?!to |in |at |not |very |really |so |too |being )`,
    pattern`${does}work(?: at ${name})? as (?=\p{L}+ (?:of|at) )`,
  ),
];

const reportsTo = { predicate: 'reports_to', type: 'person', read: persons } as const;
const superior = pattern`
  (?:line |direct )?(?:manager|boss|supervisor|team lead|team leader|advisor|superior)`;
const superiors: readonly SpeakerRule[] = [
  ...rules(
    reportsTo,
    pattern`${does}report(?: directly)? to (?:my (?:boss|manager) )?(?=\p{Lu})`,
    pattern`${am}(?:reporting|managed by|supervised by)(?: directly)?(?: to)? (?=\p{Lu})`,
    pattern`${my}${superior}${called}(?=\p{Lu})`,
    pattern`^(?<b>${name}) is (?:now )?my (?:new |line )*${superior}\b`,
    pattern`^(?<b>${name}) (?:manages|supervises) me\b`,
  ),
  ...rules(
    { ...reportsTo, ends: true },
    pattern`
      ^(?:[Mm]y|[Oo]ur) (?:old|former|previous|last|ex-?) ?${superior} (?:was |is )?(?=\p{Lu})`,
    pattern`${my}${superior} (?:was|used to be) (?=\p{Lu})`,
  ),
];

export const homeAndWorkRules: readonly SpeakerRule[] = [
  ...homeRules,
  ...employment,
  ...jobRules,
  ...superiors,
];
