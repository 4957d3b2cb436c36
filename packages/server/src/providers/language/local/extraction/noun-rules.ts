import { group } from './frames.ts';
import { roles } from './lexicon/people.ts';
import { any, boss, kin, name, o, p, pa, type Rule, rule, s, the, x } from './rule.ts';

// What nouns and adjectives say by themselves: knacks, certificates, kinship, seats, members.

const l = name('l', 'b');
const anyRole = any([...roles].join(' '));
const mastery = any(`
  belt
  knack talent flair gift passion background experience expertise degree diploma certificate
  certification qualification ticket licence license apprenticeship master's bachelor's phd
  knowledge command grasp understanding smattering doctorate course grounding fluency
  proficiency skills training`);
const adept = any(`
  fluent conversant proficient skilled versed expert experienced qualified certified adept good
  great brilliant excellent best better competent accomplished handy gifted trained talented
  strong native seasoned confident`);

/** Skills by nouns and adjectives that govern them. */
const mastering: readonly Rule[] = [
  rule(`\\b(?:speaks?|knows?|reads?|learnt|learned) (?:[a-z]+ ){1,3}: ${s}`, 'knows', 'p'),
  rule(`\\b${mastery} (?:in|of|with|for|as) ${group(3)}${s}`, 'knows', 'p', { confidence: 0.7 }),
  rule(`\\b${adept} (?:in|at|with|on) ${group(3)}${s}`, 'knows', 'p', { confidence: 0.75 }),
  rule(`${pa} 's ${group(2)}${s} (?:skills|certificate|ticket|degree)\\b`, 'knows', 'p'),
  rule(
    `\\b(?:got|has|holds|earned|passed|have|did) ${group(2)}${s} (?:ticket|certificate|licence|` +
      'license|diploma|degree|exam|skills|training|certification|course)\\b',
    'knows',
    'p',
  ),
  rule(
    `${pa} (?:is|was|am) ${group(2)}${s} (?:teacher|tutor|instructor|trainer|coach|speaker|` +
      'expert|specialist|developer|programmer|engineer|interpreter|translator)\\b',
    'knows',
    'p',
  ),
  rule(`\\b(?:besides|apart from|in addition to|as well as) ${s} , ${pa}`, 'knows', 'p', {
    confidence: 0.6,
  }),
  rule(`\\bnative ${s} speaker , ${pa}`, 'knows', 'p'),
];

const kinBehind: readonly Rule[] = [
  rule(
    `${pa} (?:all |both |have |had )?(?:know|knew|known|met|befriended) each other\\b`,
    'knows',
    'p',
    {
      among: true,
    },
  ),
  rule(`\\bfriends? of ${p} 's , ${pa}`, 'knows', 'p'),
  rule(
    `\\b(?:twins|siblings|brothers|sisters|cousins|couple|newlyweds|spouses) ,? ?${pa}`,
    'related_to',
    'p',
    { among: true },
  ),
  rule(
    `${name('o', 'b')} 's ${group(1)}(?:founder|co-founder|founders) ,? ?${pa}`,
    'related_to',
    'p',
  ),
  rule(`\\b(?:is|was|,) ${group(3)}${kin} (?:to|of) ${p}`, 'related_to', 'p'),
  rule(
    `${pa} 's ${group(2)}${boss} (?:(?:at|in) ${the}<[ol]:[\\d+]+> )?(?:is|was|,|:) ` +
      `(?:a |the |one |called )?${p}`,
    'reports_to',
    'p',
  ),
  rule(
    `${name('o', 'a')} 's (?:<l:[\\d+]+> )?${group(2)}(?:office|branch|team|lab|studio|shop|` +
      `kitchen|department|site|plant) (?:is|was) (?:run|led|headed|managed) by ${p}`,
    'works_at',
    'o',
    { turned: true },
  ),
  rule(
    `\\b(?:became|been|is|was|are|old|best|good|close) ${group(2)}friends with ${p}`,
    'knows',
    'p',
  ),
];

const withOthers: readonly Rule[] = [
  rule(
    `${name('po', 'a')} 's ${group(2)}(?:is|are|was|runs?|sits) ${group(1)}` +
      `(?:built |hosted |written |based |made )?(?:on|with|in) ${the}${x}`,
    'uses',
    'po',
    { confidence: 0.65 },
  ),
  rule(`<x:[\\d+]+> on (?:a|an|his|her|my|the|their) ${x}`, 'uses', 'p', { confidence: 0.6 }),
  rule(
    `\\b(?:hired|appointed|recruited|took on|brought in|promoted) ${pa} (?:to be|as) ` +
      `${name('p', 'b')} 's ${group(2)}(?:deputy|assistant|pa|secretary|intern|right hand|trainee)`,
    'reports_to',
    'p',
  ),
  rule(`\\btogether with ${name('p', 'a')} , ${p} `, 'collaborates_with', 'p'),
  rule(`\\bwith ${group(1)}${name('x', 'b')} as (?:<p:\\d+> 's|the|a|its)`, 'uses', 'pox'),
  rule(
    `\\b(?:uses?|using|runs|built|records?|works) [^;.]{1,60}? (?:with|and) ${x}`,
    'uses',
    'po',
    {
      confidence: 0.6,
    },
  ),
];

const seats: readonly Rule[] = [
  rule(
    `\\b(?:venue|location|place|site|setting) (?:for|of) (?:the |this )?${name('e', 'a')} ` +
      `(?:is|was|:) ${the}${l}`,
    'located_in',
    'e',
  ),
  rule(`${l} -based ${group(3)}${name('po', 'a')}`, 'located_in', 'po'),
  rule(
    '\\b(?:head office|headquarters|hq|seat|main office|home base) (?:is |are )?' +
      `(?:in|on|at|near) ${l}`,
    'located_in',
    'o',
  ),
  rule(
    `\\b(?:rents?|renting|rented|owns?|bought|has|have|got) (?:an?|the) ${group(2)}(?:flat|house|` +
      'cabin|cottage|apartment|room|farm|place|studio|villa|houseboat|bungalow) ' +
      `(?:in|on|near|at) ${l}`,
    'located_in',
    'p',
    { confidence: 0.65 },
  ),
  rule(
    `\\b(?:has|have|keeps|with) ${group(2)}(?:seat|headquarters|hq|head office|base|home|` +
      `offices?|studio) (?:in|on|near|at) ${the}${l}`,
    'located_in',
    'po',
    { confidence: 0.65 },
  ),
  rule(`\\b(?:out of|from|in) ${l} (?:called|named) ${name('o', 'a')}`, 'located_in', 'o', {
    confidence: 0.7,
  }),
  rule(
    `${name('po', 'a')} 's ${group(2)}(?:office|headquarters|hq|seat|shop|studio|flat|house|` +
      'place|' +
      `home|desk|workshop) (?:is|are|lies|sits) (?:now |still )?(?:in|on|near|at) ${the}${l}`,
    'located_in',
    'po',
  ),
  rule(
    `\\b(?:has been|have been|is|was|am|are) (?:back )?(?:in|at) ${l} since\\b`,
    'located_in',
    'p',
  ),
];

const membership: readonly Rule[] = [
  rule(
    `\\b(?:formerly|previously|once|until recently) (?:of|at|with|from) ${the}${o}`,
    'works_at',
    'p',
    { time: 'to' },
  ),
  rule(
    `${o} 's ${group(3)}(?:manager|director|head|lead|representative|buyer|partner|editor) ` +
      `(?:for|of|in) (?:[a-z]+|<[a-z]:[\\d+]+>) ,? ?${pa}`,
    'works_at',
    'p',
  ),
  rule(`${name('o', 'a')} (?:is|are|sits|falls|comes) (?:now )?under ${o}`, 'part_of', 'o'),
  rule(`${pa} , <p:[\\d+]+> 's ${group(2)}[a-z-]+ (?:at|from) ${the}${o}`, 'member', 'p', {
    confidence: 0.65,
  }),
  rule(
    `\\bat ${the}${o} , ${pa} (?:runs|leads|heads|manages|handles|does|works|looks after|` +
      'oversees|teaches|makes|coordinates|directs|ran|led|managed)',
    'member',
    'p',
  ),
  rule(
    `${pa} , (?:(?!(?:and|who|which|is|was|has)\\b)[a-z&-]+ |<[os]:[\\d+]+> ){1,6}, ${the}${o}` +
      '(?= [.;)]?$|$| ,)',
    'works_at',
    'p',
    { confidence: 0.6 },
  ),
  rule(
    `${pa} 's ${group(1)}(?:band|team|choir|club|orchestra|crew|squad|quartet|troupe) ,? ?${o}`,
    'part_of',
    'p',
  ),
  rule(
    `${pa} 's ${group(1)}(?:company|employer|firm|startup|start-up|hospital|studio|` +
      `clinic) ,? ?${o}`,
    'works_at',
    'p',
    { confidence: 0.65 },
  ),
  rule(
    `\\b(?:is|was|am|are|became|as) ${group(4)}(?:part|member|head|captain|treasurer|chair|` +
      `secretary|president|trustee|director|founder) (?:of|at) ${group(3)}${o}`,
    'member',
    'p',
  ),
  rule(
    `\\b(?:am|is|was|are|works?|sits?|serves?) (?:on|in|with) ${group(3)}${o}`,
    'part_of',
    'pm',
    { confidence: 0.65 },
  ),
  rule(
    `${pa} , ${group(3)}(?:<s:\\d+> )?${anyRole} (?:with|at|for|of|in) ${group(2)}${o}`,
    'member',
    'p',
    { confidence: 0.6 },
  ),
  rule(
    `\\b(?:am|is|was|became|are|been) (?:the |a |an |now |head |chief )${group(4)}` +
      `(?:${anyRole}|head of [a-z-]+) (?:with|at|for|of|in) ${group(2)}${o}`,
    'member',
    'p',
    { confidence: 0.65 },
  ),
  rule(`\\b(?:used to be|has been|have been|been) (?:at|with) ${the}${o}`, 'works_at', 'p'),
  rule(`${pa} in ${o}`, 'part_of', 'pm', { confidence: 0.6 }),
];

export const nounRules: readonly Rule[] = [
  ...mastering,
  ...kinBehind,
  ...withOthers,
  ...seats,
  ...membership,
];
