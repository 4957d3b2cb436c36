import type { Predicate } from '../../language.ts';

/**
 * A pattern over a sentence whose names are signs: `<p:1>` persons, o organisations, l places, x
 * products, e events, s skills, d dates; lists have several numbers. Group `b` is the object (or
 * the subject, when turned); group `a` the subject, which is looked for to the left without it.
 */
export interface Rule {
  readonly pattern: RegExp;
  /** `member`: part_of for teams, clubs and departments, else works_at. */
  readonly predicate: Predicate | 'member';
  /** Letters of the types the subject may have. */
  readonly subjects: string;
  readonly turned?: true;
  /** What a date beside it tells. */
  readonly time?: 'from' | 'to' | 'was';
  /** Among the names of one list. */
  readonly among?: true;
  readonly confidence: number;
}

const ids = '[\\d+]+';
const name = (letters: string, group: 'a' | 'b'): string => `(?<${group}><[${letters}]:${ids}>)`;
const the =
  '(?:(?:the|a|an|new|old|still|also|another|currently|now|mostly|mainly|only|both|either) ){0,3}';
const adjectives = '(?:[a-z-]+ ){0,2}';
const role = '(?:[a-z-]+ ){0,3}[a-z-]+';
const kin =
  '(?:mother|mom|mum|mama|father|dad|papa|brother|bro|sister|sis|son|daughter|kid|husband|wife|' +
  'spouse|partner|fiance|fiancee|boyfriend|girlfriend|uncle|aunt|auntie|cousin|nephew|niece|' +
  'grandmother|grandfather|grandma|grandpa|gran|granny|grandad|granddad|grandson|granddaughter|' +
  'brother-in-law|sister-in-law|mother-in-law|father-in-law|son-in-law|daughter-in-law|' +
  'stepmother|stepfather|stepbrother|stepsister|stepson|stepdaughter|godfather|godmother|godson|' +
  'goddaughter|twin|twin sister|twin brother|neighbour|neighbor|landlord|landlady|mentor|mentee|' +
  'flatmate|roommate|housemate|ex|ex-wife|ex-husband|godchild|tenant)';
const boss =
  '(?:boss|manager|line manager|supervisor|superior|team lead|lead|team leader|head of department|' +
  'skip-level|chief)';
const below = '(?:assistant|deputy|intern|trainee|apprentice|secretary|pa|report|direct report)';
const friend = '(?:friend|best friend|mate|buddy|pal|acquaintance|classmate|old friend|schoolmate)';
const colleague =
  '(?:colleague|coworker|co-worker|teammate|co-author|coauthor|cofounder|co-founder|collaborator|' +
  'lab partner|business partner|co-host|bandmate)';
const is = '(?:(?:is|was|are|were|am|has been|have been|being) (?:still |now |also |currently )?)';
const linkTo =
  '(?: (?:at|in|of|from) (?:the )?<[ol]:[\\d+]+>)?(?: (?:is|was|,|:|called|named|is still|is now))?';

const rule = (
  pattern: string,
  predicate: Rule['predicate'],
  subjects: string,
  more: Partial<Rule> = {},
): Rule => ({ pattern: new RegExp(pattern, 'g'), predicate, subjects, confidence: 0.75, ...more });

const o = name('o', 'b');
const p = name('p', 'b');
const pa = name('p', 'a');

const employment: readonly Rule[] = [
  rule(`\\b(?:works?|working) (?:as ${role} )?(?:at|for) ${the}${o}`, 'member', 'p', {
    confidence: 0.9,
  }),
  rule(`\\bworked (?:as ${role} )?(?:at|for) ${the}${o}`, 'member', 'p', { time: 'was' }),
  rule(`\\b(?:joined|joins|has joined|signed for|moved to|went to) ${the}${o}`, 'member', 'p', {
    time: 'from',
  }),
  rule(
    `\\b(?:left|quit|leaves|resigned from|retired from|came over from|came from) ${the}${o}`,
    'member',
    'p',
    {
      time: 'to',
    },
  ),
  rule(`${is}(?:back )?at ${the}${o}`, 'works_at', 'p'),
  rule(`${is}(?:the |a |an |our |their )?${role} (?:at|of|for) ${the}${o}`, 'member', 'p', {
    confidence: 0.8,
  }),
  rule(`\\b(?:runs|leads|heads|manages|chairs|directs|edits) ${the}${o}`, 'member', 'p'),
  rule(
    `\\b(?:runs|leads|heads|manages) the (?:<l:\\d+> )?[a-z]+ (?:of|at) ${the}${o}`,
    'works_at',
    'p',
  ),
  rule(`${name('o', 'b')} (?:has )?(?:hired|recruited) ${pa}`, 'member', 'p', { time: 'from' }),
  rule(`${pa} from ${the}${o}(?! to)`, 'member', 'p', { confidence: 0.8 }),
  rule(`${pa} \\( (?:[a-z -]{1,40} , |[a-z -]{1,40} (?:at|of|from) )?${the}${o}`, 'member', 'p', {
    confidence: 0.8,
  }),
  rule(`${pa} , (?:the |a |an )?${role} (?:at|of|for|from|with) ${the}${o}`, 'member', 'p'),
  rule(`${pa} (?:at|of) ${the}${o}`, 'member', 'p', { confidence: 0.6 }),
  rule(`${pa} , (?:${role} , )?${o}(?= [.!]?$|$)`, 'member', 'p', { confidence: 0.6 }),
  rule(
    `${name('o', 'b')} 's (?:new |own |chief |lead |head |senior |former )?(?:[a-z-]+ )?(?:ceo|cto|cfo|coo|cmo|buyer|director|manager|` +
      'president|chair|founder|engineer|lawyer|editor|spokesperson|representative|rep|analyst|' +
      'secretary|head|lead|curator|accountant|researcher|scientist|developer|designer|coach|nurse|' +
      `doctor|teacher|professor|astronomer|captain|drummer|singer|treasurer|consultant|officer|boss|pm)(?: is| ,)? ${pa}`,
    'member',
    'p',
    { confidence: 0.85 },
  ),
  rule(
    `${name('p', 'a')} 's ${adjectives}(?:${boss}|mentor|colleagues?|team|desk|job|work|coworkers?) at ${the}${o}`,
    'works_at',
    'p',
  ),
];

const memberships: readonly Rule[] = [
  rule(`\\bpart of ${the}${name('o', 'b')}`, 'part_of', 'op', { confidence: 0.85, time: 'from' }),
  rule(`\\bpart of ${the}${name('x', 'b')}`, 'part_of', 'xo', { confidence: 0.8 }),
  rule(`\\bpart of ${the}${name('l', 'b')}`, 'part_of', 'l', { confidence: 0.8 }),
  rule(`\\bbelongs? to ${the}${name('o', 'b')}`, 'part_of', 'o', { confidence: 0.85 }),
  rule(`\\b(?:member|members) of ${the}${name('o', 'b')}`, 'part_of', 'po'),
  rule(`\\b(?:plays?|sings?|drums|rows?) (?:[a-z]+ )?(?:for|in|with) ${the}${o}`, 'part_of', 'p'),
  rule(`${name('o', 'b')} 's ${name('o', 'a')}`, 'part_of', 'o'),
  rule(`${name('o', 'a')} (?:at|of) ${the}${o}`, 'part_of', 'u', { confidence: 0.7 }),
  rule(`${name('o', 'a')} , ${o}(?= \\.?$|$)`, 'part_of', 'u', { confidence: 0.6 }),
];

const people: readonly Rule[] = [
  rule(`\\breports? (?:directly )?(?:in )?to ${p}`, 'reports_to', 'po', { confidence: 0.9 }),
  rule(`\\b(?:managed|supervised|led) by ${p}`, 'reports_to', 'p'),
  rule(`${pa} 's ${adjectives}${boss}${linkTo} ${p}`, 'reports_to', 'p', { confidence: 0.85 }),
  rule(`${p} is ${pa} 's ${adjectives}${boss}\\b`, 'reports_to', 'p', { confidence: 0.85 }),
  rule(`${p} 's ${adjectives}${below}${linkTo} ${pa}`, 'reports_to', 'p', { confidence: 0.8 }),
  rule(`${pa} is ${p} 's ${adjectives}${below}\\b`, 'reports_to', 'p'),
  rule(`${p} 's ${adjectives}${kin}${linkTo} ${pa}`, 'related_to', 'p', { confidence: 0.9 }),
  rule(`${pa}(?: is| was| ,)(?: the)? ${p} 's ${adjectives}${kin}\\b`, 'related_to', 'p', {
    confidence: 0.9,
  }),
  rule(
    `${is}(?:the |a )?${adjectives}${kin} of (?:[a-z-]+ ){0,3}(?:<p:\\d+> 's [a-z]+ )?${p}`,
    'related_to',
    'p',
  ),
  rule(`\\bmarried(?: to)? ${p}`, 'related_to', 'p'),
  rule(`\\b(?:co-?)?founded ${the}${o}`, 'related_to', 'p', { confidence: 0.8 }),
  rule(
    `${name('o', 'b')} (?:was |is )?(?:co-?)?founded (?:in <[ld]:\\d+> )*by ${pa}`,
    'related_to',
    'p',
  ),
  rule(`\\b(?:knows?|knew|met|bumped into|ran into) ${p}`, 'knows', 'p', {
    confidence: 0.8,
    time: 'from',
  }),
  rule(`${p} 's ${adjectives}${friend}${linkTo} ${pa}`, 'knows', 'p'),
  rule(
    `${name('p', 'a')} (?:are|were|have been|became) (?:[a-z]+ )?(?:friends|mates|buddies|pals)`,
    'knows',
    'p',
    { among: true },
  ),
];

const skills: readonly Rule[] = [
  rule(
    `\\b(?:knows?|speaks?|mastered|learnt|learned) (?:[a-z]+ ){0,3}?${name('s', 'b')}`,
    'knows',
    'p',
    {
      confidence: 0.85,
    },
  ),
  rule(
    `\\b(?:fluent|expert|skilled|trained|certified|experienced|specialist) in ${the}${name('s', 'b')}`,
    'knows',
    'p',
  ),
  rule(
    `\\b(?:years|experience|degree|background) (?:of experience )?in ${the}${name('s', 'b')}`,
    'knows',
    'p',
  ),
  rule(`\\bteach(?:es)? ${the}${name('s', 'b')}`, 'knows', 'p', { confidence: 0.6 }),
];

const together: readonly Rule[] = [
  rule(
    `\\b(?:works?|worked|working|collaborates?|collaborated|collaborating|cooperates?|partners?|` +
      `partnered|pairs?|paired|teams?|teamed|trains?|co-writes?|co-wrote|performs?|rehearses?)` +
      `(?: [a-z]+){0,2}? (?:together )?(?:closely )?with ${the}${name('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.85 },
  ),
  rule(`\\btogether with ${the}${name('po', 'b')}`, 'collaborates_with', 'po'),
  rule(`\\bin <l:\\d+> with ${name('p', 'b')}`, 'collaborates_with', 'p', { confidence: 0.6 }),
  rule(`\\bfounded <o:\\d+> with ${p}`, 'collaborates_with', 'p'),
  rule(
    `${name('po', 'a')} (?:[a-z]+ ){0,2}?(?:work|worked|collaborate|cooperate|pair|paired|maintain|` +
      `wrote|run|organise|organize|share|build|built|develop|developed|renew|host)\\b(?= [^;]*\\b(?:together|jointly)\\b)`,
    'collaborates_with',
    'po',
    { among: true },
  ),
  rule(
    `${name('po', 'a')} (?:pair|collaborate|cooperate|work together|paired|jointly [a-z]+)\\b`,
    'collaborates_with',
    'po',
    { among: true },
  ),
];

const places: readonly Rule[] = [
  rule(
    `\\b(?:lives?|living|resides?|stays?) (?:[a-z]+ ){0,2}?in ${the}${name('l', 'b')}`,
    'located_in',
    'p',
    { confidence: 0.9 },
  ),
  rule(`\\blived (?:in|on) ${the}${name('l', 'b')}`, 'located_in', 'p', { time: 'was' }),
  rule(
    `\\b(?:based|located|headquartered|seated|sits|situated) in ${the}${name('l', 'b')}`,
    'located_in',
    'pox',
    { confidence: 0.9 },
  ),
  rule(`\\b(?:moved|moves|relocated) to ${the}${name('l', 'b')}`, 'located_in', 'po', {
    time: 'from',
  }),
  rule(
    `${name('oe', 'a')} 's (?:office|headquarters|hq|plant|factory|shop|garage|studio|lab) is in ${name('l', 'b')}`,
    'located_in',
    'oe',
  ),
  rule(`${name('po', 'a')} in ${the}${name('l', 'b')}`, 'located_in', 'po', { confidence: 0.65 }),
  rule(
    `${name('e', 'a')} (?:[a-z]+ ){0,2}?(?:in|at|near) ${the}${name('l', 'b')}`,
    'located_in',
    'e',
    { confidence: 0.8 },
  ),
  rule(`${name('e', 'a')} (?:,|\\() ${name('l', 'b')}`, 'located_in', 'e', { confidence: 0.8 }),
  rule(
    `${name('e', 'a')} (?:[a-z]+ )?(?:on )?<d:\\d+> (?:in|at) ${the}${name('l', 'b')}`,
    'located_in',
    'e',
    { confidence: 0.8 },
  ),
  rule(
    `(?<=<e:\\d+> )(?:is|was|takes place|opens|starts) (?:on <d:\\d+> )?(?:in|at) ${the}${name('l', 'b')}`,
    'located_in',
    'e',
  ),
  rule(
    `\\b(?:is|opens|starts|begins) (?:on |in )?<d:\\d+> (?:in|at) ${the}${name('l', 'b')}`,
    'located_in',
    'e',
  ),
  rule(`${name('o', 'a')} (?:,|\\() ${name('l', 'b')}(?= [.)]|$)`, 'located_in', 'o', {
    confidence: 0.6,
  }),
  rule(`${name('p', 'a')} , ${name('l', 'b')}(?= \\.?$|$)`, 'located_in', 'p', { confidence: 0.6 }),
  rule(`${name('l', 'a')} , ${name('l', 'b')}(?= [.)]|$)`, 'located_in', 'l', { confidence: 0.6 }),
];

const usage: readonly Rule[] = [
  rule(
    `\\b(?:uses?|using|relies on|rely on|runs on|prefers|drives|rides) (?:[a-z]+ ){0,2}?${name('x', 'b')}`,
    'uses',
    'po',
    { confidence: 0.85 },
  ),
  rule(`\\b(?:runs?) (?:[a-z]+ ){0,2}?${name('x', 'b')}`, 'uses', 'po', { confidence: 0.7 }),
  rule(
    `\\b(?:switched|moved|migrated|upgraded) (?:[a-z]+ ){0,2}?to ${the}${name('x', 'b')}`,
    'uses',
    'po',
    { time: 'from' },
  ),
  rule(
    `\\b(?:shoots?|works?|writes?|paints?|charts?|types?|records?|tested|edits?) (?:[a-z]+ ){0,2}?(?:with|on|in) ${the}${name('x', 'b')}`,
    'uses',
    'po',
  ),
  rule(`\\b(?:has|have|owns?) (?:a|an) ${name('x', 'b')}`, 'uses', 'p', { confidence: 0.6 }),
  rule(`\\bused ${the}${name('x', 'b')} until`, 'uses', 'po', { time: 'to' }),
];

export const rules: readonly Rule[] = [
  ...employment,
  ...memberships,
  ...people,
  ...skills,
  ...together,
  ...places,
  ...usage,
];
