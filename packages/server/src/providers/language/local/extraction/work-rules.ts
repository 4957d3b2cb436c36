import {
  anyWord,
  articles,
  beVerb,
  createRule,
  ids,
  joinVerbs,
  l,
  leaveVerbs,
  notAfterRole,
  o,
  oa,
  oneToFourWords,
  optionalNowAdverb,
  pa,
  type Rule,
  roleNoun,
  superiorNoun,
  upToTwoWords,
  x,
} from './rule.ts';

// Rules for where people work and what they belong to.

export const employmentRules: readonly Rule[] = [
  createRule(
    `\\b(?:works?|working) (?:[a-z]+ |<l:\\d+> ){1,4}?(?:at|for) ${articles}${o}`,
    'member',
    'p',
  ),
  createRule(
    '\\b(?:took over|appointed|promoted|elected|named|started|serves|returned|' +
      `joined) (?:[a-z]+ )?(?:to|as) (?:the |a |an |our )?${oneToFourWords} (?:of|at|for|in) ` +
      `${articles}${o}`,
    'member',
    'p',
    { time: 'from' },
  ),
  createRule(
    '\\b' +
      `${anyWord('works? working teaches practises practices volunteers consults freelances')}` +
      ` (?:as ${oneToFourWords} )?(?:at|for) ${articles}${o}`,
    'member',
    'p',
    { confidence: 0.9 },
  ),
  createRule(
    `\\b${anyWord('worked taught volunteered interned served consulted')} ` +
      `(?:as ${oneToFourWords} )?(?:at|for) ${articles}${o}`,
    'member',
    'p',
    { time: 'was' },
  ),
  createRule(`\\b${joinVerbs} ${articles}${o}`, 'member', 'p', { time: 'from' }),
  createRule(
    `\\b${anyWord('job position role post gig')} ${anyWord('at with as')} ${articles}${o}`,
    'works_at',
    'p',
    {
      time: 'from',
      confidence: 0.65,
    },
  ),
  createRule(`\\b${leaveVerbs} ${articles}${o}`, 'member', 'p', { time: 'to' }),
  createRule(
    `\\b(?:left|quit|leaves|swapped) <o:${ids}> (?:for|to join) ${articles}${o}`,
    'member',
    'p',
    {
      time: 'from',
    },
  ),
  createRule(
    `\\b(?:moved|went|came|transferred|switched) (?:over )?from <o:${ids}> to ${articles}${o}`,
    'member',
    'p',
    { time: 'from' },
  ),
  createRule(
    `${beVerb}${optionalNowAdverb}(?:at|with|employed by|employed at) ${articles}${o}`,
    'works_at',
    'p',
  ),
  createRule(
    `${beVerb}${optionalNowAdverb}(?:the |a |an |our |their )?` +
      `${oneToFourWords}${notAfterRole} (?:at|of|for) ${articles}${o}`,
    'member',
    'p',
    { confidence: 0.8 },
  ),
  createRule(
    `\\b${anyWord('runs leads heads manages chairs directs edits represents')} ${articles}${o}`,
    'member',
    'p',
  ),
  createRule(
    `\\b${anyWord('runs leads heads manages')} the (?:<l:\\d+> )?[a-z]+ (?:of|at) ${articles}${o}`,
    'works_at',
    'p',
  ),
  createRule(
    `\\b${anyWord('does makes handles plays mixes')} [a-z]+ for ${articles}${o}`,
    'works_at',
    'p',
    {
      confidence: 0.6,
    },
  ),
  createRule(`${o} (?:has |just )?(?:hired|recruited|appointed|employs) ${pa}`, 'works_at', 'p', {
    time: 'from',
  }),
  createRule(`${beVerb}(?:hired|employed|recruited) by ${articles}${o}`, 'works_at', 'p', {
    time: 'from',
  }),
  createRule(`${pa} from ${articles}${o}(?! to)`, 'member', 'p', { confidence: 0.8 }),
  createRule(
    `${pa} \\( (?:[a-z -]{1,40} , |[a-z -]{1,40} (?:at|of|from) )?${articles}${o}`,
    'member',
    'p',
    {
      confidence: 0.8,
    },
  ),
  createRule(
    `${pa} , (?:the |a |an )?${oneToFourWords}${notAfterRole} ` +
      `(?:at|of|for|from|with) ${articles}${o}`,
    'member',
    'p',
  ),
  createRule(`${pa} (?:at|of) ${articles}${o}`, 'member', 'p', { confidence: 0.6 }),
  createRule(`${pa} , (?:${oneToFourWords} , )?${o}(?= [.!]?$|$| , <l)`, 'works_at', 'p', {
    confidence: 0.6,
  }),
  createRule(
    `${o} 's (?:new |own |chief |lead |head |senior )?(?:[a-z-]+ )?${roleNoun}(?: is| ,)? ${pa}`,
    'works_at',
    'p',
    { confidence: 0.85 },
  ),
  createRule(`${o} (?:new |chief |lead |head |senior )?${roleNoun} ${pa}`, 'works_at', 'p'),
  createRule(`${o} 's ${pa}`, 'works_at', 'p', { confidence: 0.65 }),
  createRule(
    `${pa} 's ${upToTwoWords}(?:${superiorNoun}|mentor|colleagues?|team|desk|job|work|coworkers?|` +
      `employer|company|shift) (?:at|is) ${articles}${o}`,
    'works_at',
    'p',
  ),
];

export const membershipRules: readonly Rule[] = [
  createRule(`\\bpart of ${articles}${o}`, 'part_of', 'op', { confidence: 0.85, time: 'from' }),
  createRule(`\\bpart of ${articles}${x}`, 'part_of', 'xo', { confidence: 0.8 }),
  createRule(`\\bpart of ${articles}${l}`, 'part_of', 'l', { confidence: 0.8 }),
  createRule(
    '\\b' +
      `${anyWord('district quarter suburb neighbourhood neighborhood borough region island')}` +
      ` of ${articles}${l}`,
    'part_of',
    'l',
    { confidence: 0.7 },
  ),
  createRule(
    `\\b${anyWord('subsidiary division branch unit arm department section brand')} of ` +
      `${articles}${o}`,
    'part_of',
    'o',
    { confidence: 0.8 },
  ),
  createRule(`\\bbelongs? to ${articles}${o}`, 'part_of', 'ox', { confidence: 0.85 }),
  createRule(`\\bmerged into ${articles}${o}`, 'part_of', 'o', { time: 'from' }),
  createRule(`\\b(?:member|members) of ${articles}${o}`, 'part_of', 'po'),
  createRule(
    `\\b${anyWord('plays? sings? drums rows? played dances captains coaches')} ${upToTwoWords}` +
      `(?:for|in|with) ${articles}${o}`,
    'part_of',
    'p',
  ),
  createRule(
    '\\b' +
      `${anyWord('captain goalkeeper striker drummer singer bassist guitarist violinist')} ` +
      `(?:of|in|for|with) ${articles}${o}`,
    'part_of',
    'p',
  ),
  createRule(
    `\\b(?:works? in|is in|is on|sits on|serves on|moved to|works on) ${articles}${o}`,
    'part_of',
    'pm',
    { confidence: 0.7 },
  ),
  createRule(`${o} 's ${oa}`, 'part_of', 'o'),
  createRule(`${oa} (?:at|of) ${articles}${o}`, 'part_of', 'u', { confidence: 0.7 }),
  createRule(`${oa} , ${o}(?= \\.?$|$)`, 'part_of', 'u', { confidence: 0.6 }),
];
