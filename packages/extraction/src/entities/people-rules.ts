import {
  anyOfWords,
  articles,
  colleagueNoun,
  createFactRule,
  type FactRule,
  friendNoun,
  kinNoun,
  linkToName,
  makeVerbs,
  namePattern,
  organizationObject as o,
  personObject as p,
  personSubject as pa,
  skillObject as s,
  subordinateNoun,
  superiorNoun,
  upToTwoWords,
} from './rule.ts';

// Rules for what and whom people know, and whom they work with.

export const peopleRules: readonly FactRule[] = [
  createFactRule(
    `\\b(?:reports?|reporting|answers?|answering) (?:directly )?(?:in )?to ${p}`,
    'reports_to',
    'p',
    { confidence: 0.9 },
  ),
  createFactRule(`\\bworks? under ${p}`, 'reports_to', 'p'),
  createFactRule(`\\b(?:managed|supervised) by ${p}`, 'reports_to', 'p'),
  createFactRule(`${pa} 's ${upToTwoWords}${superiorNoun}${linkToName} ${p}`, 'reports_to', 'p', {
    confidence: 0.85,
  }),
  createFactRule(
    `${p} (?:is|was|,) ${pa} 's ${upToTwoWords}${superiorNoun}\\b(?! <p:)`,
    'reports_to',
    'p',
    {
      confidence: 0.85,
    },
  ),
  createFactRule(`${p} (?:is|was|,) (?:the )?${superiorNoun} of ${pa}`, 'reports_to', 'p'),
  createFactRule(
    `${p} 's ${upToTwoWords}${subordinateNoun}${linkToName} ${pa}`,
    'reports_to',
    'p',
    {
      confidence: 0.8,
    },
  ),
  createFactRule(
    `${pa} (?:is|was|,) ${p} 's ${upToTwoWords}${subordinateNoun}\\b`,
    'reports_to',
    'p',
  ),
  createFactRule(`\\b${subordinateNoun} (?:to|of) ${p}`, 'reports_to', 'p'),
  createFactRule(`${p} 's ${upToTwoWords}${kinNoun}${linkToName} ${pa}`, 'related_to', 'p', {
    confidence: 0.9,
  }),
  createFactRule(
    `${pa}(?: is| was| ,)(?: the)? ${p} 's ${upToTwoWords}${kinNoun}\\b(?! <p:)`,
    'related_to',
    'p',
    {
      confidence: 0.9,
    },
  ),
  createFactRule(
    `\\b(?:the |a )?${upToTwoWords}${kinNoun} of (?:[a-z-]+ ){0,3}(?:<p:\\d+> 's [a-z]+ )?${p}`,
    'related_to',
    'p',
  ),
  createFactRule(
    `\\b(?:married|engaged|related|divorced|dating|adopted|widowed)(?: to| from| by)? ${p}`,
    'related_to',
    'p',
  ),
  createFactRule(
    '\\b(?:shares? an? (?:flat|house|room|apartment) with|lives? with|lives? next ' +
      `door to|rents? from|babysits for|rented from) ${p}`,
    'related_to',
    'p',
  ),
  createFactRule(
    `${pa} (?:are|were|is|got|have been) (?:[a-z]+ ){0,2}?(?:siblings|cousins|twins|` +
      'brothers|sisters|neighbours|neighbors|married|engaged|flatmates|roommates|a ' +
      'couple|related)',
    'related_to',
    'p',
    { among: true },
  ),
  createFactRule(`\\b(?:co-?)?founded ${articles}${o}`, 'related_to', 'p', {
    confidence: 0.8,
  }),
  createFactRule(`\\b(?:co-?)?founders? of ${articles}${o}`, 'related_to', 'p', {
    confidence: 0.8,
  }),
  createFactRule(
    `${o} (?:was |is )?(?:co-?)?founded (?:in <[ld]:\\d+> )*by ${pa}`,
    'related_to',
    'p',
  ),
  createFactRule(
    `\\b(?:knows?|knew|met|bumped into|ran into|befriended|got to know|introduced to) ${p}`,
    'knows',
    'p',
    { confidence: 0.8 },
  ),
  createFactRule(`${p} 's ${upToTwoWords}${friendNoun}${linkToName} ${pa}`, 'knows', 'p'),
  createFactRule(
    `${pa}(?: is| was| ,)(?: an?| the)? ${p} 's ${upToTwoWords}${friendNoun}\\b(?! <p:)`,
    'knows',
    'p',
  ),
  createFactRule(`\\b${friendNoun}s? (?:of|with) ${p}`, 'knows', 'p'),
  createFactRule(
    `\\b(?:went to school|studied|at school|at university|grew up) (?:together )?with ${p}`,
    'knows',
    'p',
    { confidence: 0.6 },
  ),
  createFactRule(
    `${pa} (?:are|were|have been|became|go back|know each other|met) ?${upToTwoWords}` +
      '(?:friends|mates|buddies|pals|each other|at|in)\\b',
    'knows',
    'p',
    { among: true },
  ),
];

export const skillRules: readonly FactRule[] = [
  createFactRule(`\\btaught ${pa} (?:[a-z]+ )?${s}`, 'knows', 'p'),
  createFactRule(
    '<s:[\\d+]+> (?:and|,|but) (?:also |only )?(?:a little|some|a bit of|basic|good|' +
      `decent|passable|rusty|a smattering of|conversational) ${s}`,
    'knows',
    'p',
    { confidence: 0.7 },
  ),
  createFactRule(`\\b(?:writes|codes|codes in|programs in) ${upToTwoWords}${s}`, 'knows', 'p', {
    confidence: 0.7,
  }),
  createFactRule(
    '\\b(?:knows?|speaks?|mastered|masters|learnt|learned|taught|teaches|practises|' +
      `picked up|excels at|studied) (?:[a-z'-]+ ){0,4}?${s}`,
    'knows',
    'p',
    { confidence: 0.85 },
  ),
  createFactRule(
    '\\b(?:fluent|expert|skilled|trained|certified|experienced|specialist|specialises' +
      `|specializes|proficient|qualified|versed|strong|native) in ${articles}${s}`,
    'knows',
    'p',
  ),
  createFactRule(
    '\\b(?:years|experience|degree|background|diploma|certificate|training|course) ' +
      `(?:of experience )?(?:in|of|with) ${articles}${s}`,
    'knows',
    'p',
  ),
  createFactRule(
    `\\b(?:good|great|best|brilliant|better|excellent|hopeless) (?:at|with|in) ${articles}${s}`,
    'knows',
    'p',
  ),
  createFactRule(
    `${pa} 's ${upToTwoWords}${s} (?:is|was) (?:very |really |quite )?(?:good|fluent|excellent` +
      '|better|decent|solid|rusty|perfect)',
    'knows',
    'p',
  ),
  createFactRule(`\\bplays? (?:the )?${s}`, 'knows', 'p'),
];

const joint = anyOfWords(`
  work worked working collaborate collaborated cooperate pair paired maintain wrote write run
  organise organize share build built develop developed renew host publish published research
  researched designed design train prepare prepared teach ran plan lead perform recorded study`);
const withOne = anyOfWords(`
  works? worked working collaborates? collaborated collaborating cooperates? cooperated partners?
  partnered pairs? paired pairing teams? teamed trains? trained co-writes? co-wrote co-authored
  coauthored plays? sings? performs? performed rehearses? publishes published researches`);

export const collaborationRules: readonly FactRule[] = [
  createFactRule(
    `\\b${withOne}(?: [a-z]+){0,3}? (?:together )?(?:closely )?with ` +
      `${articles}${namePattern('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.85 },
  ),
  createFactRule(
    `\\b${withOne}(?: (?:in|on|at|about|a|the|[a-z-]+|<[lexod]:\\d+>)){0,5}? with ` +
      `${articles}${namePattern('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.65 },
  ),
  createFactRule(
    `\\b${makeVerbs} (?:[a-z-]+ |<[oxe]:\\d+> ){0,4}?(?:together )?with ${namePattern('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.65 },
  ),
  createFactRule(
    '\\b(?:together|jointly|in partnership|in cooperation|in collaboration|' +
      'partnership|partnering|joint venture|joint project|cooperation|collaboration) ' +
      `with ${articles}${namePattern('po', 'b')}`,
    'collaborates_with',
    'po',
  ),
  createFactRule(
    '\\b(?:partnership|collaboration|cooperation|joint venture|joint project|joint ' +
      `[a-z]+) (?:between|of|by) ${namePattern('po', 'a')}`,
    'collaborates_with',
    'po',
    { among: true },
  ),
  createFactRule(
    `${p} 's ${upToTwoWords}${colleagueNoun}${linkToName} ${pa}`,
    'collaborates_with',
    'p',
  ),
  createFactRule(
    `${pa}(?: is| was| ,)(?: an?| the)? ${p} 's ${upToTwoWords}${colleagueNoun}\\b(?! <p:)`,
    'collaborates_with',
    'p',
  ),
  createFactRule(`\\b${colleagueNoun}s? (?:of|with) ${p}`, 'collaborates_with', 'p'),
  createFactRule(`\\b${colleagueNoun}s? ${pa}`, 'collaborates_with', 'p', {
    among: true,
    confidence: 0.6,
  }),
  createFactRule(
    `${namePattern('po', 'a')} (?:[a-z]+ ){0,2}?${joint}\\b(?= [^;]*\\b(?:together|jointly)\\b)`,
    'collaborates_with',
    'po',
    { among: true },
  ),
  createFactRule(
    `${namePattern('po', 'a')} (?:pair|collaborate|cooperate|work together|paired|jointly ` +
      '[a-z]+|co-wrote|co-host|co-authored|are (?:colleagues|co-authors|working on))\\b',
    'collaborates_with',
    'po',
    { among: true },
  ),
];
