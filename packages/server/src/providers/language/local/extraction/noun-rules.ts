import { nounGroup } from './frames.ts';
import { roleNouns } from './lexicon/people.ts';
import {
  anyWord,
  articles,
  createRule,
  kinNoun,
  namePattern,
  o,
  p,
  pa,
  type Rule,
  s,
  superiorNoun,
  x,
} from './rule.ts';

// Rules for nouns and adjectives: knacks, certificates, kinship, seats, members.

const l = namePattern('l', 'b');
const anyRole = anyWord([...roleNouns].join(' '));
const mastery = anyWord(`
  belt
  knack talent flair gift passion background experience expertise degree diploma certificate
  certification qualification ticket licence license apprenticeship master's bachelor's phd
  knowledge command grasp understanding smattering doctorate course grounding fluency
  proficiency skills training`);
const adept = anyWord(`
  fluent conversant proficient skilled versed expert experienced qualified certified adept good
  great brilliant excellent best better competent accomplished handy gifted trained talented
  strong native seasoned confident`);

/** Skills by nouns and adjectives that govern them. */
const mastering: readonly Rule[] = [
  createRule(`\\b(?:speaks?|knows?|reads?|learnt|learned) (?:[a-z]+ ){1,3}: ${s}`, 'knows', 'p'),
  createRule(`\\b${mastery} (?:in|of|with|for|as) ${nounGroup(3)}${s}`, 'knows', 'p', {
    confidence: 0.7,
  }),
  createRule(`\\b${adept} (?:in|at|with|on) ${nounGroup(3)}${s}`, 'knows', 'p', {
    confidence: 0.75,
  }),
  createRule(`${pa} 's ${nounGroup(2)}${s} (?:skills|certificate|ticket|degree)\\b`, 'knows', 'p'),
  createRule(
    `\\b(?:got|has|holds|earned|passed|have|did) ${nounGroup(2)}${s} ` +
      '(?:ticket|certificate|licence|' +
      'license|diploma|degree|exam|skills|training|certification|course)\\b',
    'knows',
    'p',
  ),
  createRule(
    `${pa} (?:is|was|am) ${nounGroup(2)}${s} (?:teacher|tutor|instructor|trainer|coach|speaker|` +
      'expert|specialist|developer|programmer|engineer|interpreter|translator)\\b',
    'knows',
    'p',
  ),
  createRule(`\\b(?:besides|apart from|in addition to|as well as) ${s} , ${pa}`, 'knows', 'p', {
    confidence: 0.6,
  }),
  createRule(`\\bnative ${s} speaker , ${pa}`, 'knows', 'p'),
];

const kinBehind: readonly Rule[] = [
  createRule(
    `${pa} (?:all |both |have |had )?(?:know|knew|known|met|befriended) each other\\b`,
    'knows',
    'p',
    {
      among: true,
    },
  ),
  createRule(`\\bfriends? of ${p} 's , ${pa}`, 'knows', 'p'),
  createRule(
    `\\b(?:twins|siblings|brothers|sisters|cousins|couple|newlyweds|spouses) ,? ?${pa}`,
    'related_to',
    'p',
    { among: true },
  ),
  createRule(
    `${namePattern('o', 'b')} 's ${nounGroup(1)}(?:founder|co-founder|founders) ,? ?${pa}`,
    'related_to',
    'p',
  ),
  createRule(`\\b(?:is|was|,) ${nounGroup(3)}${kinNoun} (?:to|of) ${p}`, 'related_to', 'p'),
  createRule(
    `${pa} 's ${nounGroup(2)}${superiorNoun} (?:(?:at|in) ${articles}<[ol]:[\\d+]+> )?` +
      `(?:is|was|,|:) (?:a |the |one |called )?${p}`,
    'reports_to',
    'p',
  ),
  createRule(
    `${namePattern('o', 'a')} 's (?:<l:[\\d+]+> )?${nounGroup(2)}` +
      `(?:office|branch|team|lab|studio|shop|` +
      `kitchen|department|site|plant) (?:is|was) (?:run|led|headed|managed) by ${p}`,
    'works_at',
    'o',
    { turned: true },
  ),
  createRule(
    `\\b(?:became|been|is|was|are|old|best|good|close) ${nounGroup(2)}friends with ${p}`,
    'knows',
    'p',
  ),
];

const withOthers: readonly Rule[] = [
  createRule(
    `${namePattern('po', 'a')} 's ${nounGroup(2)}(?:is|are|was|runs?|sits) ${nounGroup(1)}` +
      `(?:built |hosted |written |based |made )?(?:on|with|in) ${articles}${x}`,
    'uses',
    'po',
    { confidence: 0.65 },
  ),
  createRule(`<x:[\\d+]+> on (?:a|an|his|her|my|the|their) ${x}`, 'uses', 'p', { confidence: 0.6 }),
  createRule(
    `\\b(?:hired|appointed|recruited|took on|brought in|promoted) ${pa} (?:to be|as) ` +
      `${namePattern('p', 'b')} 's ${nounGroup(2)}` +
      '(?:deputy|assistant|pa|secretary|intern|right hand|trainee)',
    'reports_to',
    'p',
  ),
  createRule(`\\btogether with ${namePattern('p', 'a')} , ${p} `, 'collaborates_with', 'p'),
  createRule(
    `\\bwith ${nounGroup(1)}${namePattern('x', 'b')} as (?:<p:\\d+> 's|the|a|its)`,
    'uses',
    'pox',
  ),
  createRule(
    `\\b(?:uses?|using|runs|built|records?|works) [^;.]{1,60}? (?:with|and) ${x}`,
    'uses',
    'po',
    {
      confidence: 0.6,
    },
  ),
];

const seats: readonly Rule[] = [
  createRule(
    `\\b(?:venue|location|place|site|setting) (?:for|of) (?:the |this )?${namePattern('e', 'a')} ` +
      `(?:is|was|:) ${articles}${l}`,
    'located_in',
    'e',
  ),
  createRule(`${l} -based ${nounGroup(3)}${namePattern('po', 'a')}`, 'located_in', 'po'),
  createRule(
    '\\b(?:head office|headquarters|hq|seat|main office|home base) (?:is |are )?' +
      `(?:in|on|at|near) ${l}`,
    'located_in',
    'o',
  ),
  createRule(
    `\\b(?:rents?|renting|rented|owns?|bought|has|have|got) (?:an?|the) ${nounGroup(2)}` +
      '(?:flat|house|cabin|cottage|apartment|room|farm|place|studio|villa|houseboat|bungalow) ' +
      `(?:in|on|near|at) ${l}`,
    'located_in',
    'p',
    { confidence: 0.65 },
  ),
  createRule(
    `\\b(?:has|have|keeps|with) ${nounGroup(2)}(?:seat|headquarters|hq|head office|base|home|` +
      `offices?|studio) (?:in|on|near|at) ${articles}${l}`,
    'located_in',
    'po',
    { confidence: 0.65 },
  ),
  createRule(
    `\\b(?:out of|from|in) ${l} (?:called|named) ${namePattern('o', 'a')}`,
    'located_in',
    'o',
    {
      confidence: 0.7,
    },
  ),
  createRule(
    `${namePattern('po', 'a')} 's ${nounGroup(2)}` +
      `(?:office|headquarters|hq|seat|shop|studio|flat|house|place|` +
      `home|desk|workshop) (?:is|are|lies|sits) (?:now |still )?(?:in|on|near|at) ${articles}${l}`,
    'located_in',
    'po',
  ),
  createRule(
    `\\b(?:has been|have been|is|was|am|are) (?:back )?(?:in|at) ${l} since\\b`,
    'located_in',
    'p',
  ),
];

const membership: readonly Rule[] = [
  createRule(
    `\\b(?:formerly|previously|once|until recently) (?:of|at|with|from) ${articles}${o}`,
    'works_at',
    'p',
    { time: 'to' },
  ),
  createRule(
    `${o} 's ${nounGroup(3)}(?:manager|director|head|lead|representative|buyer|partner|editor) ` +
      `(?:for|of|in) (?:[a-z]+|<[a-z]:[\\d+]+>) ,? ?${pa}`,
    'works_at',
    'p',
  ),
  createRule(
    `${namePattern('o', 'a')} (?:is|are|sits|falls|comes) (?:now )?under ${o}`,
    'part_of',
    'o',
  ),
  createRule(
    `${pa} , <p:[\\d+]+> 's ${nounGroup(2)}[a-z-]+ (?:at|from) ${articles}${o}`,
    'member',
    'p',
    {
      confidence: 0.65,
    },
  ),
  createRule(
    `\\bat ${articles}${o} , ${pa} (?:runs|leads|heads|manages|handles|does|works|looks after|` +
      'oversees|teaches|makes|coordinates|directs|ran|led|managed)',
    'member',
    'p',
  ),
  createRule(
    `${pa} , (?:(?!(?:and|who|which|is|was|has)\\b)[a-z&-]+ |<[os]:[\\d+]+> ){1,6}, ` +
      `${articles}${o}(?= [.;)]?$|$| ,)`,
    'works_at',
    'p',
    { confidence: 0.6 },
  ),
  createRule(
    `${pa} 's ${nounGroup(1)}(?:band|team|choir|club|orchestra|crew|squad|quartet|troupe) ,? ?${o}`,
    'part_of',
    'p',
  ),
  createRule(
    `${pa} 's ${nounGroup(1)}(?:company|employer|firm|startup|start-up|hospital|studio|` +
      `clinic) ,? ?${o}`,
    'works_at',
    'p',
    { confidence: 0.65 },
  ),
  createRule(
    `\\b(?:is|was|am|are|became|as) ${nounGroup(4)}(?:part|member|head|captain|treasurer|chair|` +
      `secretary|president|trustee|director|founder) (?:of|at) ${nounGroup(3)}${o}`,
    'member',
    'p',
  ),
  createRule(
    `\\b(?:am|is|was|are|works?|sits?|serves?) (?:on|in|with) ${nounGroup(3)}${o}`,
    'part_of',
    'pm',
    { confidence: 0.65 },
  ),
  createRule(
    `${pa} , ${nounGroup(3)}(?:<s:\\d+> )?${anyRole} (?:with|at|for|of|in) ${nounGroup(2)}${o}`,
    'member',
    'p',
    { confidence: 0.6 },
  ),
  createRule(
    `\\b(?:am|is|was|became|are|been) (?:the |a |an |now |head |chief )${nounGroup(4)}` +
      `(?:${anyRole}|head of [a-z-]+) (?:with|at|for|of|in) ${nounGroup(2)}${o}`,
    'member',
    'p',
    { confidence: 0.65 },
  ),
  createRule(
    `\\b(?:used to be|has been|have been|been) (?:at|with) ${articles}${o}`,
    'works_at',
    'p',
  ),
  createRule(`${pa} in ${o}`, 'part_of', 'pm', { confidence: 0.6 }),
];

export const nounRules: readonly Rule[] = [
  ...mastering,
  ...kinBehind,
  ...withOthers,
  ...seats,
  ...membership,
];
