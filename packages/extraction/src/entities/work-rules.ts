import {
  anyOfWords,
  articles,
  beVerb,
  createFactRule,
  type FactRule,
  entityIdsPattern as ids,
  joinVerbs,
  locationObject as l,
  leaveVerbs,
  notAfterRole,
  organizationObject as o,
  organizationSubject as oa,
  oneToFourWords,
  optionalNowAdverb,
  personSubject as pa,
  roleNoun,
  superiorNoun,
  upToTwoWords,
  productObject as x,
} from './rule.ts';

// Rules for where people work and what they belong to.

export const employmentRules: readonly FactRule[] = [
  createFactRule(
    `\\b(?:works?|working) (?:[a-z]+ |<l:\\d+> ){1,4}?(?:at|for) ${articles}${o}`,
    'member',
    'p',
  ),
  createFactRule(
    '\\b(?:took over|appointed|promoted|elected|named|started|serves|returned|' +
      `joined) (?:[a-z]+ )?(?:to|as) (?:the |a |an |our )?${oneToFourWords} (?:of|at|for|in) ` +
      `${articles}${o}`,
    'member',
    'p',
    { time: 'from' },
  ),
  createFactRule(
    '\\b' +
      `${anyOfWords('works? working teaches practises practices volunteers consults freelances')}` +
      ` (?:as ${oneToFourWords} )?(?:at|for) ${articles}${o}`,
    'member',
    'p',
    { confidence: 0.9 },
  ),
  createFactRule(
    `\\b${anyOfWords('worked taught volunteered interned served consulted')} ` +
      `(?:as ${oneToFourWords} )?(?:at|for) ${articles}${o}`,
    'member',
    'p',
    { time: 'was' },
  ),
  createFactRule(`\\b${joinVerbs} ${articles}${o}`, 'member', 'p', {
    time: 'from',
  }),
  createFactRule(
    `\\b${anyOfWords('job position role post gig')} ${anyOfWords('at with as')} ${articles}${o}`,
    'works_at',
    'p',
    {
      time: 'from',
      confidence: 0.65,
    },
  ),
  createFactRule(`\\b${leaveVerbs} ${articles}${o}`, 'member', 'p', {
    time: 'to',
  }),
  createFactRule(
    `\\b(?:left|quit|leaves|swapped) <o:${ids}> (?:for|to join) ${articles}${o}`,
    'member',
    'p',
    {
      time: 'from',
    },
  ),
  createFactRule(
    `\\b(?:moved|went|came|transferred|switched) (?:over )?from <o:${ids}> to ${articles}${o}`,
    'member',
    'p',
    { time: 'from' },
  ),
  createFactRule(
    `${beVerb}${optionalNowAdverb}(?:at|with|employed by|employed at) ${articles}${o}`,
    'works_at',
    'p',
  ),
  createFactRule(
    `${beVerb}${optionalNowAdverb}(?:the |a |an |our |their )?` +
      `${oneToFourWords}${notAfterRole} (?:at|of|for) ${articles}${o}`,
    'member',
    'p',
    { confidence: 0.8 },
  ),
  createFactRule(
    `\\b${anyOfWords('runs leads heads manages chairs directs edits represents')} ${articles}${o}`,
    'member',
    'p',
  ),
  createFactRule(
    `\\b${anyOfWords('runs leads heads manages')} the (?:<l:\\d+> )?[a-z]+ ` +
      `(?:of|at) ${articles}${o}`,
    'works_at',
    'p',
  ),
  createFactRule(
    `\\b${anyOfWords('does makes handles plays mixes')} [a-z]+ for ${articles}${o}`,
    'works_at',
    'p',
    {
      confidence: 0.6,
    },
  ),
  createFactRule(
    `${o} (?:has |just )?(?:hired|recruited|appointed|employs) ${pa}`,
    'works_at',
    'p',
    {
      time: 'from',
    },
  ),
  createFactRule(`${beVerb}(?:hired|employed|recruited) by ${articles}${o}`, 'works_at', 'p', {
    time: 'from',
  }),
  createFactRule(`${pa} from ${articles}${o}(?! to)`, 'member', 'p', {
    confidence: 0.8,
  }),
  createFactRule(
    `${pa} \\( (?:[a-z -]{1,40} , |[a-z -]{1,40} (?:at|of|from) )?${articles}${o}`,
    'member',
    'p',
    {
      confidence: 0.8,
    },
  ),
  createFactRule(
    `${pa} , (?:the |a |an )?${oneToFourWords}${notAfterRole} ` +
      `(?:at|of|for|from|with) ${articles}${o}`,
    'member',
    'p',
  ),
  createFactRule(`${pa} (?:at|of) ${articles}${o}`, 'member', 'p', {
    confidence: 0.6,
  }),
  createFactRule(`${pa} , (?:${oneToFourWords} , )?${o}(?= [.!]?$|$| , <l)`, 'works_at', 'p', {
    confidence: 0.6,
  }),
  createFactRule(
    `${o} 's (?:new |own |chief |lead |head |senior )?(?:[a-z-]+ )?${roleNoun}(?: is| ,)? ${pa}`,
    'works_at',
    'p',
    { confidence: 0.85 },
  ),
  createFactRule(`${o} (?:new |chief |lead |head |senior )?${roleNoun} ${pa}`, 'works_at', 'p'),
  createFactRule(`${o} 's ${pa}`, 'works_at', 'p', {
    confidence: 0.65,
  }),
  createFactRule(
    `${pa} 's ${upToTwoWords}(?:${superiorNoun}|mentor|colleagues?|team|desk|job|work|coworkers?|` +
      `employer|company|shift) (?:at|is) ${articles}${o}`,
    'works_at',
    'p',
  ),
];

export const membershipRules: readonly FactRule[] = [
  createFactRule(`\\bpart of ${articles}${o}`, 'part_of', 'op', {
    confidence: 0.85,
    time: 'from',
  }),
  createFactRule(`\\bpart of ${articles}${x}`, 'part_of', 'xo', { confidence: 0.8 }),
  createFactRule(`\\bpart of ${articles}${l}`, 'part_of', 'l', { confidence: 0.8 }),
  createFactRule(
    '\\b' +
      `${anyOfWords('district quarter suburb neighbourhood neighborhood borough region island')}` +
      ` of ${articles}${l}`,
    'part_of',
    'l',
    { confidence: 0.7 },
  ),
  createFactRule(
    `\\b${anyOfWords('subsidiary division branch unit arm department section brand')} of ` +
      `${articles}${o}`,
    'part_of',
    'o',
    { confidence: 0.8 },
  ),
  createFactRule(`\\bbelongs? to ${articles}${o}`, 'part_of', 'ox', {
    confidence: 0.85,
  }),
  createFactRule(`\\bmerged into ${articles}${o}`, 'part_of', 'o', {
    time: 'from',
  }),
  createFactRule(`\\b(?:member|members) of ${articles}${o}`, 'part_of', 'po'),
  createFactRule(
    `\\b${anyOfWords('plays? sings? drums rows? played dances captains coaches')} ${upToTwoWords}` +
      `(?:for|in|with) ${articles}${o}`,
    'part_of',
    'p',
  ),
  createFactRule(
    '\\b' +
      `${anyOfWords('captain goalkeeper striker drummer singer bassist guitarist violinist')} ` +
      `(?:of|in|for|with) ${articles}${o}`,
    'part_of',
    'p',
  ),
  createFactRule(
    `\\b(?:works? in|is in|is on|sits on|serves on|moved to|works on) ${articles}${o}`,
    'part_of',
    'pm',
    { confidence: 0.7 },
  ),
  createFactRule(`${o} 's ${oa}`, 'part_of', 'o'),
  createFactRule(`${oa} (?:at|of) ${articles}${o}`, 'part_of', 'u', { confidence: 0.7 }),
  createFactRule(`${oa} , ${o}(?= \\.?$|$)`, 'part_of', 'u', {
    confidence: 0.6,
  }),
];
