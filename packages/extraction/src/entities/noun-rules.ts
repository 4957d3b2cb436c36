import { roleNouns } from './lexicon/people.ts';
import {
  anyOfWords,
  articles,
  createFactRule,
  type FactRule,
  kinNoun,
  namePattern,
  organizationObject as o,
  personObject as p,
  personSubject as pa,
  skillObject as s,
  superiorNoun,
  productObject as x,
} from './rule.ts';
import { nounGroup } from './verb-frame.ts';

// Rules for nouns and adjectives: knacks, certificates, kinship, seats, members.

const l = namePattern('l', 'b');
const anyRole = anyOfWords([...roleNouns].join(' '));
const mastery = anyOfWords(`
  belt
  knack talent flair gift passion background experience expertise degree diploma certificate
  certification qualification ticket licence license apprenticeship master's bachelor's phd
  knowledge command grasp understanding smattering doctorate course grounding fluency
  proficiency skills training`);
const adept = anyOfWords(`
  fluent conversant proficient skilled versed expert experienced qualified certified adept good
  great brilliant excellent best better competent accomplished handy gifted trained talented
  strong native seasoned confident`);

/** Skills by nouns and adjectives that govern them. */
const mastering: readonly FactRule[] = [
  createFactRule(
    `\\b(?:speaks?|knows?|reads?|learnt|learned) (?:[a-z]+ ){1,3}: ${s}`,
    'knows',
    'p',
  ),
  createFactRule(`\\b${mastery} (?:in|of|with|for|as) ${nounGroup(3)}${s}`, 'knows', 'p', {
    confidence: 0.7,
  }),
  createFactRule(`\\b${adept} (?:in|at|with|on) ${nounGroup(3)}${s}`, 'knows', 'p', {
    confidence: 0.75,
  }),
  createFactRule(
    `${pa} 's ${nounGroup(2)}${s} (?:skills|certificate|ticket|degree)\\b`,
    'knows',
    'p',
  ),
  createFactRule(
    `\\b(?:got|has|holds|earned|passed|have|did) ${nounGroup(2)}${s} ` +
      '(?:ticket|certificate|licence|' +
      'license|diploma|degree|exam|skills|training|certification|course)\\b',
    'knows',
    'p',
  ),
  createFactRule(
    `${pa} (?:is|was|am) ${nounGroup(2)}${s} (?:teacher|tutor|instructor|trainer|coach|speaker|` +
      'expert|specialist|developer|programmer|engineer|interpreter|translator)\\b',
    'knows',
    'p',
  ),
  createFactRule(`\\b(?:besides|apart from|in addition to|as well as) ${s} , ${pa}`, 'knows', 'p', {
    confidence: 0.6,
  }),
  createFactRule(`\\bnative ${s} speaker , ${pa}`, 'knows', 'p'),
];

const kinBehind: readonly FactRule[] = [
  createFactRule(
    `${pa} (?:all |both |have |had )?(?:know|knew|known|met|befriended) each other\\b`,
    'knows',
    'p',
    {
      among: true,
    },
  ),
  createFactRule(`\\bfriends? of ${p} 's , ${pa}`, 'knows', 'p'),
  createFactRule(
    `\\b(?:twins|siblings|brothers|sisters|cousins|couple|newlyweds|spouses) ,? ?${pa}`,
    'related_to',
    'p',
    { among: true },
  ),
  createFactRule(
    `${namePattern('o', 'b')} 's ${nounGroup(1)}(?:founder|co-founder|founders) ,? ?${pa}`,
    'related_to',
    'p',
  ),
  createFactRule(`\\b(?:is|was|,) ${nounGroup(3)}${kinNoun} (?:to|of) ${p}`, 'related_to', 'p'),
  createFactRule(
    `${pa} 's ${nounGroup(2)}${superiorNoun} (?:(?:at|in) ${articles}<[ol]:[\\d+]+> )?` +
      `(?:is|was|,|:) (?:a |the |one |called )?${p}`,
    'reports_to',
    'p',
  ),
  createFactRule(
    `${namePattern('o', 'a')} 's (?:<l:[\\d+]+> )?${nounGroup(2)}` +
      `(?:office|branch|team|lab|studio|shop|` +
      `kitchen|department|site|plant) (?:is|was) (?:run|led|headed|managed) by ${p}`,
    'works_at',
    'o',
    { turned: true },
  ),
  createFactRule(
    `\\b(?:became|been|is|was|are|old|best|good|close) ${nounGroup(2)}friends with ${p}`,
    'knows',
    'p',
  ),
];

const withOthers: readonly FactRule[] = [
  createFactRule(
    `${namePattern('po', 'a')} 's ${nounGroup(2)}(?:is|are|was|runs?|sits) ${nounGroup(1)}` +
      `(?:built |hosted |written |based |made )?(?:on|with|in) ${articles}${x}`,
    'uses',
    'po',
    { confidence: 0.65 },
  ),
  createFactRule(`<x:[\\d+]+> on (?:a|an|his|her|my|the|their) ${x}`, 'uses', 'p', {
    confidence: 0.6,
  }),
  createFactRule(
    `\\b(?:hired|appointed|recruited|took on|brought in|promoted) ${pa} (?:to be|as) ` +
      `${namePattern('p', 'b')} 's ${nounGroup(2)}` +
      '(?:deputy|assistant|pa|secretary|intern|right hand|trainee)',
    'reports_to',
    'p',
  ),
  createFactRule(`\\btogether with ${namePattern('p', 'a')} , ${p} `, 'collaborates_with', 'p'),
  createFactRule(
    `\\bwith ${nounGroup(1)}${namePattern('x', 'b')} as (?:<p:\\d+> 's|the|a|its)`,
    'uses',
    'pox',
  ),
  createFactRule(
    `\\b(?:uses?|using|runs|built|records?|works) [^;.]{1,60}? (?:with|and) ${x}`,
    'uses',
    'po',
    {
      confidence: 0.6,
    },
  ),
];

const seats: readonly FactRule[] = [
  createFactRule(
    `\\b(?:venue|location|place|site|setting) (?:for|of) (?:the |this )?${namePattern('e', 'a')} ` +
      `(?:is|was|:) ${articles}${l}`,
    'located_in',
    'e',
  ),
  createFactRule(`${l} -based ${nounGroup(3)}${namePattern('po', 'a')}`, 'located_in', 'po'),
  createFactRule(
    '\\b(?:head office|headquarters|hq|seat|main office|home base) (?:is |are )?' +
      `(?:in|on|at|near) ${l}`,
    'located_in',
    'o',
  ),
  createFactRule(
    `\\b(?:rents?|renting|rented|owns?|bought|has|have|got) (?:an?|the) ${nounGroup(2)}` +
      '(?:flat|house|cabin|cottage|apartment|room|farm|place|studio|villa|houseboat|bungalow) ' +
      `(?:in|on|near|at) ${l}`,
    'located_in',
    'p',
    { confidence: 0.65 },
  ),
  createFactRule(
    `\\b(?:has|have|keeps|with) ${nounGroup(2)}(?:seat|headquarters|hq|head office|base|home|` +
      `offices?|studio) (?:in|on|near|at) ${articles}${l}`,
    'located_in',
    'po',
    { confidence: 0.65 },
  ),
  createFactRule(
    `\\b(?:out of|from|in) ${l} (?:called|named) ${namePattern('o', 'a')}`,
    'located_in',
    'o',
    {
      confidence: 0.7,
    },
  ),
  createFactRule(
    `${namePattern('po', 'a')} 's ${nounGroup(2)}` +
      `(?:office|headquarters|hq|seat|shop|studio|flat|house|place|` +
      `home|desk|workshop) (?:is|are|lies|sits) (?:now |still )?(?:in|on|near|at) ${articles}${l}`,
    'located_in',
    'po',
  ),
  createFactRule(
    `\\b(?:has been|have been|is|was|am|are) (?:back )?(?:in|at) ${l} since\\b`,
    'located_in',
    'p',
  ),
];

const membership: readonly FactRule[] = [
  createFactRule(
    `\\b(?:formerly|previously|once|until recently) (?:of|at|with|from) ${articles}${o}`,
    'works_at',
    'p',
    { time: 'to' },
  ),
  createFactRule(
    `${o} 's ${nounGroup(3)}(?:manager|director|head|lead|representative|buyer|partner|editor) ` +
      `(?:for|of|in) (?:[a-z]+|<[a-z]:[\\d+]+>) ,? ?${pa}`,
    'works_at',
    'p',
  ),
  createFactRule(
    `${namePattern('o', 'a')} (?:is|are|sits|falls|comes) (?:now )?under ${o}`,
    'part_of',
    'o',
  ),
  createFactRule(
    `${pa} , <p:[\\d+]+> 's ${nounGroup(2)}[a-z-]+ (?:at|from) ${articles}${o}`,
    'member',
    'p',
    {
      confidence: 0.65,
    },
  ),
  createFactRule(
    `\\bat ${articles}${o} , ${pa} (?:runs|leads|heads|manages|handles|does|works|looks after|` +
      'oversees|teaches|makes|coordinates|directs|ran|led|managed)',
    'member',
    'p',
  ),
  createFactRule(
    `${pa} , (?:(?!(?:and|who|which|is|was|has)\\b)[a-z&-]+ |<[os]:[\\d+]+> ){1,6}, ` +
      `${articles}${o}(?= [.;)]?$|$| ,)`,
    'works_at',
    'p',
    { confidence: 0.6 },
  ),
  createFactRule(
    `${pa} 's ${nounGroup(1)}(?:band|team|choir|club|orchestra|crew|squad|quartet|troupe) ,? ?${o}`,
    'part_of',
    'p',
  ),
  createFactRule(
    `${pa} 's ${nounGroup(1)}(?:company|employer|firm|startup|start-up|hospital|studio|` +
      `clinic) ,? ?${o}`,
    'works_at',
    'p',
    { confidence: 0.65 },
  ),
  createFactRule(
    `\\b(?:is|was|am|are|became|as) ${nounGroup(4)}(?:part|member|head|captain|treasurer|chair|` +
      `secretary|president|trustee|director|founder) (?:of|at) ${nounGroup(3)}${o}`,
    'member',
    'p',
  ),
  createFactRule(
    `\\b(?:am|is|was|are|works?|sits?|serves?) (?:on|in|with) ${nounGroup(3)}${o}`,
    'part_of',
    'pm',
    { confidence: 0.65 },
  ),
  createFactRule(
    `${pa} , ${nounGroup(3)}(?:<s:\\d+> )?${anyRole} (?:with|at|for|of|in) ${nounGroup(2)}${o}`,
    'member',
    'p',
    { confidence: 0.6 },
  ),
  createFactRule(
    `\\b(?:am|is|was|became|are|been) (?:the |a |an |now |head |chief )${nounGroup(4)}` +
      `(?:${anyRole}|head of [a-z-]+) (?:with|at|for|of|in) ${nounGroup(2)}${o}`,
    'member',
    'p',
    { confidence: 0.65 },
  ),
  createFactRule(
    `\\b(?:used to be|has been|have been|been) (?:at|with) ${articles}${o}`,
    'works_at',
    'p',
  ),
  createFactRule(`${pa} in ${o}`, 'part_of', 'pm', { confidence: 0.6 }),
];

export const nounRules: readonly FactRule[] = [
  ...mastering,
  ...kinBehind,
  ...withOthers,
  ...seats,
  ...membership,
];
