import { pattern } from '../statements/phrases.ts';
import { peopleAt } from './objects.ts';
import {
  am,
  called,
  companies,
  days,
  does,
  has,
  i,
  jobs,
  my,
  name,
  persons,
  places,
  type Read,
  rule,
  type SpeakerRule,
  titles,
} from './rule.ts';

const inPlace = pattern`(?:[\p{L}' -]{1,40}? )?in (?:downtown |central |north |south |east |west )?`;
export const homeRules: readonly SpeakerRule[] = [
  rule('lives_in', 'location', `${does}(?:live|reside) ${inPlace}(?=\\p{Lu})`, places),
  rule(
    'lives_in',
    'location',
    `${am}(?:living|based|staying|residing) ${inPlace}(?=\\p{Lu})`,
    places,
  ),
  rule(
    'lives_in',
    'location',
    `${am}(?:originally )?from ${name}(?:, | and | but |, but )(?:now )?(?:living|based) in (?=\\p{Lu})`,
    places,
  ),
  rule('lives_in', 'location', `${has}(?:been )(?:living|based) ${inPlace}(?=\\p{Lu})`, places),
  rule('lives_in', 'location', `${has}lived ${inPlace}(?=\\p{Lu})`, places),
  rule(
    'lives_in',
    'location',
    `${has}(?:re)?(?:moved|located|settled)(?: back| over| down| here)? (?:to|in) (?=\\p{Lu})`,
    places,
  ),
  rule('lives_in', 'location', `${has}(?:moved|relocated) from ${name} to (?=\\p{Lu})`, places),
  rule('lives_in', 'location', `${has}left ${name} for (?=\\p{Lu})`, places, { confidence: 0.65 }),
  rule(
    'lives_in',
    'location',
    `${my}(?:home|flat|house|apartment|home ?town|place) is (?:now )?in (?=\\p{Lu})`,
    places,
  ),
  rule('lives_in', 'location', `${my}(?:home|home city) is (?:now )?(?=\\p{Lu})`, places),
];

const jobNoun = '(?:job|position|role|post)';
const asTitle = ` (?:as|being) (?:a|an|the|their) `;
export const workRules: readonly SpeakerRule[] = [
  rule(
    'works_at',
    'organization',
    `${does}work(?: [\\p{L}-]+){0,3}? (?:at|for) (?=the city |(?:the )?\\p{Lu})`,
    companies,
  ),
  rule(
    'works_at',
    'organization',
    `${am}(?:working|employed)(?: [\\p{L}-]+){0,3}? (?:at|by|for) (?=(?:the )?\\p{Lu})`,
    companies,
  ),
  rule(
    'works_at',
    'organization',
    `${has}been (?:working|employed) (?:at|by|for) (?=(?:the )?\\p{Lu})`,
    companies,
  ),
  rule(
    'works_at',
    'organization',
    `${has}(?:started|begun|began)(?: working| work)?(?: (?:a|my) (?:new )?${jobNoun})? (?:at|for|with) (?=(?:the )?\\p{Lu})`,
    companies,
  ),
  rule('works_at', 'organization', `${has}joined (?=(?:the )?\\p{Lu})`, companies),
  rule(
    'works_at',
    'organization',
    `${has}(?:got|taken|took|landed|accepted|have|found) (?:a|an|my) (?:[\\p{L}-]+ ){0,2}${jobNoun} (?:at|with) (?=(?:the )?\\p{Lu})`,
    companies,
  ),
  rule('works_at', 'organization', `${has}been hired by (?=(?:the )?\\p{Lu})`, companies),
  rule(
    'works_at',
    'organization',
    `${my}(?:employer|company|workplace) is (?:called )?(?=(?:the )?\\p{Lu})`,
    companies,
  ),
  rule(
    'works_at',
    'organization',
    `${am}(?:a|an|the) (?:[\\p{L}-]+ ){1,5}?(?:at|for) (?=(?:the )?\\p{Lu})`,
    companies,
    { confidence: 0.7 },
  ),
  rule(
    'works_at',
    'organization',
    `${has}(?:left|quit|resigned from|departed)(?: my job (?:at|with))? (?=(?:the )?\\p{Lu})(?!${name} for )`,
    companies,
    { ends: true, confidence: 0.7 },
  ),
  rule(
    'works_at',
    'organization',
    `${i}(?:'ve| have| was| were| got)? (?:been )?(?:laid off|fired|let go|made redundant) (?:from|by|at) (?=(?:the )?\\p{Lu})`,
    companies,
    { ends: true },
  ),
  rule('job_title', null, `${am}(?=(?:a|an|the) )`, jobs),
  rule('job_title', null, `${does}work(?: [\\p{L}-]+){0,2}${asTitle}`, jobs),
  rule('job_title', null, `${am}(?:working|employed)(?: [\\p{L}-]+){0,2}${asTitle}`, jobs),
  rule('job_title', null, `${i}\\b.{1,60}?\\b(?:at|for|joined|by) \\p{Lu}.{0,60}?${asTitle}`, jobs),
  rule('job_title', null, `${i}(?:'ve| have| was| got)?(?: been| just)? promoted to `, titles),
  rule(
    'job_title',
    null,
    `${my}(?:job|job title|title|profession|occupation|role|position) is (?=(?:a |an |the )?\\p{L})(?!to )`,
    titles,
  ),
  rule('reports_to', 'person', `${does}report(?: directly)? to (?:my (?:boss|manager) )?`, persons),
  rule(
    'reports_to',
    'person',
    `${my}(?:line )?(?:manager|boss|supervisor|team lead)${called}(?=\\p{Lu})`,
    persons,
  ),
  rule(
    'reports_to',
    'person',
    `${my.replace('new|', 'old|former|previous|last|')}(?:line )?(?:manager|boss|supervisor) (?:was|used to be) (?=\\p{Lu})`,
    persons,
    { ends: true },
  ),
  rule(
    'reports_to',
    'person',
    `^(?<b>${name}) is (?:now )?my (?:new |line )*(?:manager|boss|supervisor|team lead)\\b`,
    persons,
  ),
];

const spouse = '(?:wife|husband|partner|girlfriend|boyfriend|spouse|fiancée?|fiance)';
const child = '(?:son|daughter|kid|child|baby|boy|girl|twins?)';
const animal = pattern`
  (?:dog|cat|puppy|kitten|rabbit|bunny|parrot|budgie|hamster|guinea pig|horse|pony|goldfish|fish|
  tortoise|turtle|snake|lizard|gecko|ferret|rat|mouse|canary|chicken|hen|goat|bird|cockatiel|gerbil|
  labrador|poodle|beagle|spaniel|collie|terrier|greyhound|dachshund|corgi)`;
const animals = `${animal}(?:s|es)?`;
const counted = '(?:a|an|one|two|three|four|five|six|some|several|another)';
const petNames: Read = (rest) => peopleAt(rest);
const kindOfPet: Read = (rest) => [rest];
const wed = '(?:married|engaged)';
const relatives: Read = (rest) => peopleAt(rest);
export const familyRules: readonly SpeakerRule[] = [
  rule('partner_of', 'person', `${my}${spouse}${called}(?=\\p{Lu})`, persons),
  rule('partner_of', 'person', `${my}${spouse} (?=\\p{Lu})`, persons),
  rule('partner_of', 'person', `${am}(?:happily )?${wed} to (?=\\p{Lu})`, persons),
  rule('partner_of', 'person', `${has}(?:got |been )?${wed} (?:to )?(?=\\p{Lu})`, persons),
  rule('partner_of', 'person', `\\b(?:with|and) my ${spouse},? (?<b>${name})`, persons),
  rule('partner_of', 'person', `^(?<b>${name}) is my (?:new |dear )?${spouse}\\b`, persons),
  rule(
    'partner_of',
    'person',
    `^(?<b>${name}) and (?:I|me)(?: have|'ve)? (?:split up|broke up|broken up|separated|divorced|got divorced)\\b`,
    persons,
    { ends: true },
  ),
  rule(
    'partner_of',
    'person',
    `${my}ex(?:-${spouse}| ${spouse})?${called.replace('(?: is', '(?: is| was')}(?=\\p{Lu})`,
    persons,
    { ends: true },
  ),
  rule('partner_of', 'person', `${my}ex(?:[ -]${spouse})? (?=\\p{Lu})`, persons, { ends: true }),
  rule('partner_of', 'person', `${am}(?:divorced|separated) from (?=\\p{Lu})`, persons, {
    ends: true,
  }),
  rule('partner_of', 'person', `${has}(?:split up|broke up|broken up) with (?=\\p{Lu})`, persons, {
    ends: true,
  }),
  rule(
    'parent_of',
    'person',
    `${my}(?:(?:\\p{Ll}+|\\d+-\\p{L}+(?:-old)?) )?${child}(?:ren|s)?(?:'s name|s' names)?(?: is| are|,|:)?(?: called| named)? (?=\\p{Lu})`,
    relatives,
  ),
  rule('parent_of', 'person', `\\b(?:with|and) my ${child}(?:ren|s)?,? (?=\\p{Lu})`, relatives),
  rule(
    'parent_of',
    'person',
    `${i}(?:'ve got| have| had) (?:.{1,50}? and )?(?:${counted} )(?:\\p{Ll}+ )?${child}(?:ren|s)?(?: called| named|,|:) (?=\\p{Lu})`,
    relatives,
  ),
  rule(
    'parent_of',
    'person',
    `${am}(?:the |a )?(?:proud |single |new )?(?:mother|father|mum|mom|dad|parent) (?:of|to) (?:[\\p{Ll} ]{1,30}?(?:,| named| called) )?(?=\\p{Lu})`,
    relatives,
  ),
  rule(
    'parent_of',
    'person',
    `^(?<b>${name}) is my (?:\\p{Ll}+ )?(?:son|daughter|child)\\b`,
    persons,
  ),
  rule(
    'pet',
    null,
    `${has}(?:got |adopted |bought |have )?${counted} (?:[\\p{Ll}-]+ ){0,3}?${animals}(?:,|:| called| named)+ (?=\\p{Lu})`,
    petNames,
  ),
  rule(
    'pet',
    null,
    `${has}(?:got |adopted |have )(?:a|an|one|two|three|four|five|six|some) (?:(?!fear|love|lot|of\\b)[\\p{Ll}-]+ ){0,2}?(?<b>${animals})\\b(?! (?:allergy|food|shelter|shop|sitter|person|named|called))(?!,? \\p{Lu})`,
    kindOfPet,
  ),
  rule(
    'pet',
    null,
    `${my}(?:\\p{Ll}+ )?${animals}(?:'s name)?(?: is| are)?(?: called| named)? (?<b>${name})(?! (?:died|passed))`,
    petNames,
  ),
  rule('pet', null, `^(?<b>${name}) is my (?:\\p{Ll}+ )?${animal}\\b`, petNames),
  rule(
    'pet',
    null,
    `${my}(?:\\p{Ll}+ )?${animals} (?<b>\\p{Lu}\\p{L}+) (?:died|passed away|was put down)\\b`,
    petNames,
    { ends: true },
  ),
  rule(
    'birthday',
    null,
    `${my}(?:birthday|date of birth|birthdate)(?: is|'s|:)(?: always)? `,
    days,
  ),
  rule('birthday', null, `${i} (?:was|were) born (?=on )`, days),
  rule('birthday', null, `${i} turn(?:ed)? \\d{1,3} (?=on )`, days),
  rule('birthday', null, `${my}birthday falls (?=on )`, days),
];
