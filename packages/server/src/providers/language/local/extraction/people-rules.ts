import {
  anyWord,
  articles,
  colleagueNoun,
  createRule,
  friendNoun,
  kinNoun,
  linkTo,
  makeVerbs,
  namePattern,
  o,
  p,
  pa,
  type Rule,
  s,
  subordinateNoun,
  superiorNoun,
  upToTwoWords,
} from './rule.ts';

// Rules for what and whom people know, and whom they work with.

export const peopleRules: readonly Rule[] = [
  createRule(
    `\\b(?:reports?|reporting|answers?|answering) (?:directly )?(?:in )?to ${p}`,
    'reports_to',
    'p',
    { confidence: 0.9 },
  ),
  createRule(`\\bworks? under ${p}`, 'reports_to', 'p'),
  createRule(`\\b(?:managed|supervised) by ${p}`, 'reports_to', 'p'),
  createRule(`${pa} 's ${upToTwoWords}${superiorNoun}${linkTo} ${p}`, 'reports_to', 'p', {
    confidence: 0.85,
  }),
  createRule(
    `${p} (?:is|was|,) ${pa} 's ${upToTwoWords}${superiorNoun}\\b(?! <p:)`,
    'reports_to',
    'p',
    {
      confidence: 0.85,
    },
  ),
  createRule(`${p} (?:is|was|,) (?:the )?${superiorNoun} of ${pa}`, 'reports_to', 'p'),
  createRule(`${p} 's ${upToTwoWords}${subordinateNoun}${linkTo} ${pa}`, 'reports_to', 'p', {
    confidence: 0.8,
  }),
  createRule(`${pa} (?:is|was|,) ${p} 's ${upToTwoWords}${subordinateNoun}\\b`, 'reports_to', 'p'),
  createRule(`\\b${subordinateNoun} (?:to|of) ${p}`, 'reports_to', 'p'),
  createRule(`${p} 's ${upToTwoWords}${kinNoun}${linkTo} ${pa}`, 'related_to', 'p', {
    confidence: 0.9,
  }),
  createRule(
    `${pa}(?: is| was| ,)(?: the)? ${p} 's ${upToTwoWords}${kinNoun}\\b(?! <p:)`,
    'related_to',
    'p',
    {
      confidence: 0.9,
    },
  ),
  createRule(
    `\\b(?:the |a )?${upToTwoWords}${kinNoun} of (?:[a-z-]+ ){0,3}(?:<p:\\d+> 's [a-z]+ )?${p}`,
    'related_to',
    'p',
  ),
  createRule(
    `\\b(?:married|engaged|related|divorced|dating|adopted|widowed)(?: to| from| by)? ${p}`,
    'related_to',
    'p',
  ),
  createRule(
    '\\b(?:shares? an? (?:flat|house|room|apartment) with|lives? with|lives? next ' +
      `door to|rents? from|babysits for|rented from) ${p}`,
    'related_to',
    'p',
  ),
  createRule(
    `${pa} (?:are|were|is|got|have been) (?:[a-z]+ ){0,2}?(?:siblings|cousins|twins|` +
      'brothers|sisters|neighbours|neighbors|married|engaged|flatmates|roommates|a ' +
      'couple|related)',
    'related_to',
    'p',
    { among: true },
  ),
  createRule(`\\b(?:co-?)?founded ${articles}${o}`, 'related_to', 'p', { confidence: 0.8 }),
  createRule(`\\b(?:co-?)?founders? of ${articles}${o}`, 'related_to', 'p', { confidence: 0.8 }),
  createRule(`${o} (?:was |is )?(?:co-?)?founded (?:in <[ld]:\\d+> )*by ${pa}`, 'related_to', 'p'),
  createRule(
    `\\b(?:knows?|knew|met|bumped into|ran into|befriended|got to know|introduced to) ${p}`,
    'knows',
    'p',
    { confidence: 0.8 },
  ),
  createRule(`${p} 's ${upToTwoWords}${friendNoun}${linkTo} ${pa}`, 'knows', 'p'),
  createRule(
    `${pa}(?: is| was| ,)(?: an?| the)? ${p} 's ${upToTwoWords}${friendNoun}\\b(?! <p:)`,
    'knows',
    'p',
  ),
  createRule(`\\b${friendNoun}s? (?:of|with) ${p}`, 'knows', 'p'),
  createRule(
    `\\b(?:went to school|studied|at school|at university|grew up) (?:together )?with ${p}`,
    'knows',
    'p',
    { confidence: 0.6 },
  ),
  createRule(
    `${pa} (?:are|were|have been|became|go back|know each other|met) ?${upToTwoWords}` +
      '(?:friends|mates|buddies|pals|each other|at|in)\\b',
    'knows',
    'p',
    { among: true },
  ),
];

export const skillRules: readonly Rule[] = [
  createRule(`\\btaught ${pa} (?:[a-z]+ )?${s}`, 'knows', 'p'),
  createRule(
    '<s:[\\d+]+> (?:and|,|but) (?:also |only )?(?:a little|some|a bit of|basic|good|' +
      `decent|passable|rusty|a smattering of|conversational) ${s}`,
    'knows',
    'p',
    { confidence: 0.7 },
  ),
  createRule(`\\b(?:writes|codes|codes in|programs in) ${upToTwoWords}${s}`, 'knows', 'p', {
    confidence: 0.7,
  }),
  createRule(
    '\\b(?:knows?|speaks?|mastered|masters|learnt|learned|taught|teaches|practises|' +
      `picked up|excels at|studied) (?:[a-z'-]+ ){0,4}?${s}`,
    'knows',
    'p',
    { confidence: 0.85 },
  ),
  createRule(
    '\\b(?:fluent|expert|skilled|trained|certified|experienced|specialist|specialises' +
      `|specializes|proficient|qualified|versed|strong|native) in ${articles}${s}`,
    'knows',
    'p',
  ),
  createRule(
    '\\b(?:years|experience|degree|background|diploma|certificate|training|course) ' +
      `(?:of experience )?(?:in|of|with) ${articles}${s}`,
    'knows',
    'p',
  ),
  createRule(
    `\\b(?:good|great|best|brilliant|better|excellent|hopeless) (?:at|with|in) ${articles}${s}`,
    'knows',
    'p',
  ),
  createRule(
    `${pa} 's ${upToTwoWords}${s} (?:is|was) (?:very |really |quite )?(?:good|fluent|excellent` +
      '|better|decent|solid|rusty|perfect)',
    'knows',
    'p',
  ),
  createRule(`\\bplays? (?:the )?${s}`, 'knows', 'p'),
];

const joint = anyWord(`
  work worked working collaborate collaborated cooperate pair paired maintain wrote write run
  organise organize share build built develop developed renew host publish published research
  researched designed design train prepare prepared teach ran plan lead perform recorded study`);
const withOne = anyWord(`
  works? worked working collaborates? collaborated collaborating cooperates? cooperated partners?
  partnered pairs? paired pairing teams? teamed trains? trained co-writes? co-wrote co-authored
  coauthored plays? sings? performs? performed rehearses? publishes published researches`);

export const collaborationRules: readonly Rule[] = [
  createRule(
    `\\b${withOne}(?: [a-z]+){0,3}? (?:together )?(?:closely )?with ` +
      `${articles}${namePattern('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.85 },
  ),
  createRule(
    `\\b${withOne}(?: (?:in|on|at|about|a|the|[a-z-]+|<[lexod]:\\d+>)){0,5}? with ` +
      `${articles}${namePattern('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.65 },
  ),
  createRule(
    `\\b${makeVerbs} (?:[a-z-]+ |<[oxe]:\\d+> ){0,4}?(?:together )?with ${namePattern('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.65 },
  ),
  createRule(
    '\\b(?:together|jointly|in partnership|in cooperation|in collaboration|' +
      'partnership|partnering|joint venture|joint project|cooperation|collaboration) ' +
      `with ${articles}${namePattern('po', 'b')}`,
    'collaborates_with',
    'po',
  ),
  createRule(
    '\\b(?:partnership|collaboration|cooperation|joint venture|joint project|joint ' +
      `[a-z]+) (?:between|of|by) ${namePattern('po', 'a')}`,
    'collaborates_with',
    'po',
    { among: true },
  ),
  createRule(`${p} 's ${upToTwoWords}${colleagueNoun}${linkTo} ${pa}`, 'collaborates_with', 'p'),
  createRule(
    `${pa}(?: is| was| ,)(?: an?| the)? ${p} 's ${upToTwoWords}${colleagueNoun}\\b(?! <p:)`,
    'collaborates_with',
    'p',
  ),
  createRule(`\\b${colleagueNoun}s? (?:of|with) ${p}`, 'collaborates_with', 'p'),
  createRule(`\\b${colleagueNoun}s? ${pa}`, 'collaborates_with', 'p', {
    among: true,
    confidence: 0.6,
  }),
  createRule(
    `${namePattern('po', 'a')} (?:[a-z]+ ){0,2}?${joint}\\b(?= [^;]*\\b(?:together|jointly)\\b)`,
    'collaborates_with',
    'po',
    { among: true },
  ),
  createRule(
    `${namePattern('po', 'a')} (?:pair|collaborate|cooperate|work together|paired|jointly ` +
      '[a-z]+|co-wrote|co-host|co-authored|are (?:colleagues|co-authors|working on))\\b',
    'collaborates_with',
    'po',
    { among: true },
  ),
];
