import {
  any,
  below,
  boss,
  colleague,
  few,
  friend,
  kin,
  linkTo,
  makes,
  name,
  o,
  p,
  pa,
  type Rule,
  rule,
  s,
  the,
} from './rule.ts';

// Whom and what people know, and with whom they work.

export const people: readonly Rule[] = [
  rule(
    `\\b(?:reports?|reporting|answers?|answering) (?:directly )?(?:in )?to ${p}`,
    'reports_to',
    'p',
    { confidence: 0.9 },
  ),
  rule(`\\bworks? under ${p}`, 'reports_to', 'p'),
  rule(`\\b(?:managed|supervised) by ${p}`, 'reports_to', 'p'),
  rule(`${pa} 's ${few}${boss}${linkTo} ${p}`, 'reports_to', 'p', { confidence: 0.85 }),
  rule(`${p} (?:is|was|,) ${pa} 's ${few}${boss}\\b(?! <p:)`, 'reports_to', 'p', {
    confidence: 0.85,
  }),
  rule(`${p} (?:is|was|,) (?:the )?${boss} of ${pa}`, 'reports_to', 'p'),
  rule(`${p} 's ${few}${below}${linkTo} ${pa}`, 'reports_to', 'p', { confidence: 0.8 }),
  rule(`${pa} (?:is|was|,) ${p} 's ${few}${below}\\b`, 'reports_to', 'p'),
  rule(`\\b${below} (?:to|of) ${p}`, 'reports_to', 'p'),
  rule(`${p} 's ${few}${kin}${linkTo} ${pa}`, 'related_to', 'p', { confidence: 0.9 }),
  rule(`${pa}(?: is| was| ,)(?: the)? ${p} 's ${few}${kin}\\b(?! <p:)`, 'related_to', 'p', {
    confidence: 0.9,
  }),
  rule(
    `\\b(?:the |a )?${few}${kin} of (?:[a-z-]+ ){0,3}(?:<p:\\d+> 's [a-z]+ )?${p}`,
    'related_to',
    'p',
  ),
  rule(
    `\\b(?:married|engaged|related|divorced|dating|adopted|widowed)(?: to| from| by)? ${p}`,
    'related_to',
    'p',
  ),
  rule(
    '\\b(?:shares? an? (?:flat|house|room|apartment) with|lives? with|lives? next ' +
      `door to|rents? from|babysits for|rented from) ${p}`,
    'related_to',
    'p',
  ),
  rule(
    `${pa} (?:are|were|is|got|have been) (?:[a-z]+ ){0,2}?(?:siblings|cousins|twins|` +
      'brothers|sisters|neighbours|neighbors|married|engaged|flatmates|roommates|a ' +
      'couple|related)',
    'related_to',
    'p',
    { among: true },
  ),
  rule(`\\b(?:co-?)?founded ${the}${o}`, 'related_to', 'p', { confidence: 0.8 }),
  rule(`\\b(?:co-?)?founders? of ${the}${o}`, 'related_to', 'p', { confidence: 0.8 }),
  rule(`${o} (?:was |is )?(?:co-?)?founded (?:in <[ld]:\\d+> )*by ${pa}`, 'related_to', 'p'),
  rule(
    `\\b(?:knows?|knew|met|bumped into|ran into|befriended|got to know|introduced to) ${p}`,
    'knows',
    'p',
    { confidence: 0.8 },
  ),
  rule(`${p} 's ${few}${friend}${linkTo} ${pa}`, 'knows', 'p'),
  rule(`${pa}(?: is| was| ,)(?: an?| the)? ${p} 's ${few}${friend}\\b(?! <p:)`, 'knows', 'p'),
  rule(`\\b${friend}s? (?:of|with) ${p}`, 'knows', 'p'),
  rule(
    `\\b(?:went to school|studied|at school|at university|grew up) (?:together )?with ${p}`,
    'knows',
    'p',
    { confidence: 0.6 },
  ),
  rule(
    `${pa} (?:are|were|have been|became|go back|know each other|met) ?${few}` +
      '(?:friends|mates|buddies|pals|each other|at|in)\\b',
    'knows',
    'p',
    { among: true },
  ),
];

export const skills: readonly Rule[] = [
  rule(`\\btaught ${pa} (?:[a-z]+ )?${s}`, 'knows', 'p'),
  rule(
    '<s:[\\d+]+> (?:and|,|but) (?:also |only )?(?:a little|some|a bit of|basic|good|' +
      `decent|passable|rusty|a smattering of|conversational) ${s}`,
    'knows',
    'p',
    { confidence: 0.7 },
  ),
  rule(`\\b(?:writes|codes|codes in|programs in) ${few}${s}`, 'knows', 'p', { confidence: 0.7 }),
  rule(
    '\\b(?:knows?|speaks?|mastered|masters|learnt|learned|taught|teaches|practises|' +
      `picked up|excels at|studied) (?:[a-z'-]+ ){0,4}?${s}`,
    'knows',
    'p',
    { confidence: 0.85 },
  ),
  rule(
    '\\b(?:fluent|expert|skilled|trained|certified|experienced|specialist|specialises' +
      `|specializes|proficient|qualified|versed|strong|native) in ${the}${s}`,
    'knows',
    'p',
  ),
  rule(
    '\\b(?:years|experience|degree|background|diploma|certificate|training|course) ' +
      `(?:of experience )?(?:in|of|with) ${the}${s}`,
    'knows',
    'p',
  ),
  rule(
    `\\b(?:good|great|best|brilliant|better|excellent|hopeless) (?:at|with|in) ${the}${s}`,
    'knows',
    'p',
  ),
  rule(
    `${pa} 's ${few}${s} (?:is|was) (?:very |really |quite )?(?:good|fluent|excellent` +
      '|better|decent|solid|rusty|perfect)',
    'knows',
    'p',
  ),
  rule(`\\bplays? (?:the )?${s}`, 'knows', 'p'),
];

const joint = any(`
  work worked working collaborate collaborated cooperate pair paired maintain wrote write run
  organise organize share build built develop developed renew host publish published research
  researched designed design train prepare prepared teach ran plan lead perform recorded study`);
const withOne = any(`
  works? worked working collaborates? collaborated collaborating cooperates? cooperated partners?
  partnered pairs? paired pairing teams? teamed trains? trained co-writes? co-wrote co-authored
  coauthored plays? sings? performs? performed rehearses? publishes published researches`);

export const together: readonly Rule[] = [
  rule(
    `\\b${withOne}(?: [a-z]+){0,3}? (?:together )?(?:closely )?with ${the}${name('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.85 },
  ),
  rule(
    `\\b${withOne}(?: (?:in|on|at|about|a|the|[a-z-]+|<[lexod]:\\d+>)){0,5}? with ` +
      `${the}${name('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.65 },
  ),
  rule(
    `\\b${makes} (?:[a-z-]+ |<[oxe]:\\d+> ){0,4}?(?:together )?with ${name('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.65 },
  ),
  rule(
    '\\b(?:together|jointly|in partnership|in cooperation|in collaboration|' +
      'partnership|partnering|joint venture|joint project|cooperation|collaboration) ' +
      `with ${the}${name('po', 'b')}`,
    'collaborates_with',
    'po',
  ),
  rule(
    '\\b(?:partnership|collaboration|cooperation|joint venture|joint project|joint ' +
      `[a-z]+) (?:between|of|by) ${name('po', 'a')}`,
    'collaborates_with',
    'po',
    { among: true },
  ),
  rule(`${p} 's ${few}${colleague}${linkTo} ${pa}`, 'collaborates_with', 'p'),
  rule(
    `${pa}(?: is| was| ,)(?: an?| the)? ${p} 's ${few}${colleague}\\b(?! <p:)`,
    'collaborates_with',
    'p',
  ),
  rule(`\\b${colleague}s? (?:of|with) ${p}`, 'collaborates_with', 'p'),
  rule(`\\b${colleague}s? ${pa}`, 'collaborates_with', 'p', { among: true, confidence: 0.6 }),
  rule(
    `${name('po', 'a')} (?:[a-z]+ ){0,2}?${joint}\\b(?= [^;]*\\b(?:together|jointly)\\b)`,
    'collaborates_with',
    'po',
    { among: true },
  ),
  rule(
    `${name('po', 'a')} (?:pair|collaborate|cooperate|work together|paired|jointly ` +
      '[a-z]+|co-wrote|co-host|co-authored|are (?:colleagues|co-authors|working on))\\b',
    'collaborates_with',
    'po',
    { among: true },
  ),
];
