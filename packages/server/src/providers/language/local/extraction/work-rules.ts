import {
  any,
  boss,
  chief,
  few,
  ids,
  is,
  joins,
  l,
  leaves,
  noRole,
  now,
  o,
  oa,
  pa,
  type Rule,
  role,
  rule,
  the,
  x,
} from './rule.ts';

// Where people work and what they belong to.

export const employment: readonly Rule[] = [
  rule(`\\b(?:works?|working) (?:[a-z]+ |<l:\\d+> ){1,4}?(?:at|for) ${the}${o}`, 'member', 'p'),
  rule(
    '\\b(?:took over|appointed|promoted|elected|named|started|serves|returned|' +
      `joined) (?:[a-z]+ )?(?:to|as) (?:the |a |an |our )?${role} (?:of|at|for|in) ` +
      `${the}${o}`,
    'member',
    'p',
    { time: 'from' },
  ),
  rule(
    '\\b' +
      `${any('works? working teaches practises practices volunteers consults freelances')}` +
      ` (?:as ${role} )?(?:at|for) ${the}${o}`,
    'member',
    'p',
    { confidence: 0.9 },
  ),
  rule(
    `\\b${any('worked taught volunteered interned served consulted')} (?:as ${role} ` +
      `)?(?:at|for) ${the}${o}`,
    'member',
    'p',
    { time: 'was' },
  ),
  rule(`\\b${joins} ${the}${o}`, 'member', 'p', { time: 'from' }),
  rule(`\\b${any('job position role post gig')} ${any('at with as')} ${the}${o}`, 'works_at', 'p', {
    time: 'from',
    confidence: 0.65,
  }),
  rule(`\\b${leaves} ${the}${o}`, 'member', 'p', { time: 'to' }),
  rule(`\\b(?:left|quit|leaves|swapped) <o:${ids}> (?:for|to join) ${the}${o}`, 'member', 'p', {
    time: 'from',
  }),
  rule(
    `\\b(?:moved|went|came|transferred|switched) (?:over )?from <o:${ids}> to ${the}${o}`,
    'member',
    'p',
    { time: 'from' },
  ),
  rule(`${is}${now}(?:at|with|employed by|employed at) ${the}${o}`, 'works_at', 'p'),
  rule(
    `${is}${now}(?:the |a |an |our |their )?${role}${noRole} (?:at|of|for) ${the}${o}`,
    'member',
    'p',
    { confidence: 0.8 },
  ),
  rule(
    `\\b${any('runs leads heads manages chairs directs edits represents')} ${the}${o}`,
    'member',
    'p',
  ),
  rule(
    `\\b${any('runs leads heads manages')} the (?:<l:\\d+> )?[a-z]+ (?:of|at) ${the}${o}`,
    'works_at',
    'p',
  ),
  rule(`\\b${any('does makes handles plays mixes')} [a-z]+ for ${the}${o}`, 'works_at', 'p', {
    confidence: 0.6,
  }),
  rule(`${o} (?:has |just )?(?:hired|recruited|appointed|employs) ${pa}`, 'works_at', 'p', {
    time: 'from',
  }),
  rule(`${is}(?:hired|employed|recruited) by ${the}${o}`, 'works_at', 'p', { time: 'from' }),
  rule(`${pa} from ${the}${o}(?! to)`, 'member', 'p', { confidence: 0.8 }),
  rule(`${pa} \\( (?:[a-z -]{1,40} , |[a-z -]{1,40} (?:at|of|from) )?${the}${o}`, 'member', 'p', {
    confidence: 0.8,
  }),
  rule(
    `${pa} , (?:the |a |an )?${role}${noRole} (?:at|of|for|from|with) ${the}${o}`,
    'member',
    'p',
  ),
  rule(`${pa} (?:at|of) ${the}${o}`, 'member', 'p', { confidence: 0.6 }),
  rule(`${pa} , (?:${role} , )?${o}(?= [.!]?$|$| , <l)`, 'works_at', 'p', { confidence: 0.6 }),
  rule(
    `${o} 's (?:new |own |chief |lead |head |senior )?(?:[a-z-]+ )?${chief}(?: is| ,)? ${pa}`,
    'works_at',
    'p',
    { confidence: 0.85 },
  ),
  rule(`${o} (?:new |chief |lead |head |senior )?${chief} ${pa}`, 'works_at', 'p'),
  rule(`${o} 's ${pa}`, 'works_at', 'p', { confidence: 0.65 }),
  rule(
    `${pa} 's ${few}(?:${boss}|mentor|colleagues?|team|desk|job|work|coworkers?|` +
      `employer|company|shift) (?:at|is) ${the}${o}`,
    'works_at',
    'p',
  ),
];

export const memberships: readonly Rule[] = [
  rule(`\\bpart of ${the}${o}`, 'part_of', 'op', { confidence: 0.85, time: 'from' }),
  rule(`\\bpart of ${the}${x}`, 'part_of', 'xo', { confidence: 0.8 }),
  rule(`\\bpart of ${the}${l}`, 'part_of', 'l', { confidence: 0.8 }),
  rule(
    '\\b' +
      `${any('district quarter suburb neighbourhood neighborhood borough region island')}` +
      ` of ${the}${l}`,
    'part_of',
    'l',
    { confidence: 0.7 },
  ),
  rule(
    `\\b${any('subsidiary division branch unit arm department section brand')} of ${the}${o}`,
    'part_of',
    'o',
    { confidence: 0.8 },
  ),
  rule(`\\bbelongs? to ${the}${o}`, 'part_of', 'ox', { confidence: 0.85 }),
  rule(`\\bmerged into ${the}${o}`, 'part_of', 'o', { time: 'from' }),
  rule(`\\b(?:member|members) of ${the}${o}`, 'part_of', 'po'),
  rule(
    `\\b${any('plays? sings? drums rows? played dances captains coaches')} ${few}` +
      `(?:for|in|with) ${the}${o}`,
    'part_of',
    'p',
  ),
  rule(
    '\\b' +
      `${any('captain goalkeeper striker drummer singer bassist guitarist violinist')} ` +
      `(?:of|in|for|with) ${the}${o}`,
    'part_of',
    'p',
  ),
  rule(
    `\\b(?:works? in|is in|is on|sits on|serves on|moved to|works on) ${the}${o}`,
    'part_of',
    'pm',
    { confidence: 0.7 },
  ),
  rule(`${o} 's ${oa}`, 'part_of', 'o'),
  rule(`${oa} (?:at|of) ${the}${o}`, 'part_of', 'u', { confidence: 0.7 }),
  rule(`${oa} , ${o}(?= \\.?$|$)`, 'part_of', 'u', { confidence: 0.6 }),
];
