import type { FactRule } from './rule.ts';

/**
 * A rule described by what verbs and nouns govern instead of by whole wordings: all forms of a
 * verb, the words allowed in between, the preposition, and the head of the noun group after it.
 */
export interface VerbFrame {
  /** Verbs in their base form; irregular ones with all their forms: "leave/left". */
  readonly verbs: string;
  /** Prepositions between verb and object; none for a direct object. */
  readonly links?: string;
  readonly predicate: FactRule['predicate'];
  readonly subjects: string;
  readonly objects: string;
  /** The meaning of a date near it. */
  readonly time?: FactRule['time'];
  /** The object is the subject of the fact: "Acme hired Ana". */
  readonly turned?: true;
  /** Participles only: "managed by", "based in". */
  readonly only?: 'participles';
  /** Names of these types may be between verb and preposition. */
  readonly across?: string;
  readonly confidence?: number;
}

/** Words that start another clause or group: the search ends there. */
const ends =
  'and|or|but|who|whom|which|that|because|while|when|where|if|so|than|not|never|no|as|is|was|' +
  'are|were|has|had|have|will|would|could';
const links = 'in|at|for|with|from|of|by|to|on|under|near|into|about|until|since|before|after';

/** Up to this many words of one noun group before its head, without a preposition. */
export const nounGroup = (count: number): string =>
  `(?:(?!(?:${ends}|${links})\\b)[a-z'-]+ ){0,${count}}?`;

/** Up to this many words, dates, and names of the listed types, within one clause. */
const within = (count: number, across = ''): string =>
  `(?:(?:(?!(?:${ends})\\b)[a-z'-]+|<[d${across}]:[\\d+]+>) ){0,${count}}?`;

const vowelEnd = /[aeiou]$/;
const doubled = /^[^aeiou]*[aeiou][bdgmnprt]$/;

/** All forms of a verb: regular, or as listed with slashes. */
export function inflectVerb(verb: string): string[] {
  const [base = '', ...irregular] = verb.split('/');
  const [head = '', ...tail] = base.split('_');
  const rest = tail.length > 0 ? ` ${tail.join(' ')}` : '';
  const es = /(?:s|x|z|ch|sh|o)$/.test(head);
  const y = /[^aeiou]y$/.test(head);
  const stem = y ? `${head.slice(0, -1)}i` : head;
  const twin = doubled.test(head) ? head + head.at(-1) : head;
  const ending = twin.replace(/e$/, '');
  const third = y ? `${stem}es` : es ? `${head}es` : `${head}s`;
  const past = y ? `${stem}ed` : vowelEnd.test(head) ? `${head}d` : `${twin}ed`;
  const pasts = irregular.length > 0 ? irregular.map((form) => form.replaceAll('_', ' ')) : [past];
  const regular = [head, third, `${ending}ing`].map((form) => form + rest);
  return [...regular, ...(irregular.length > 0 ? pasts : pasts.map((form) => form + rest))];
}

/** The participles of a verb: its last form. */
const participleOf = (verb: string): string => inflectVerb(verb).at(-1) as string;

const alternatives = (forms: readonly string[]): string =>
  `(?:${[...new Set(forms)].toSorted((one, other) => other.length - one.length).join('|')})`;

/** Converts a frame to a rule. */
export function frameToFactRule(frame: VerbFrame): FactRule {
  const verbs = frame.verbs.trim().split(/\s+/);
  const forms = frame.only ? verbs.map(participleOf) : verbs.flatMap(inflectVerb);
  const link = frame.links
    ? ` ${within(5, frame.across)}(?:${frame.links.replaceAll(' ', '|').replaceAll('_', ' ')}) `
    : ' ';
  const object = `${nounGroup(frame.links ? 4 : 3)}(?<b><[${frame.objects}]:[\\d+]+>)(?! 's)`;
  return {
    pattern: new RegExp(`\\b${alternatives(forms)}${link}${object}`, 'g'),
    predicate: frame.predicate,
    subjects: frame.subjects,
    confidence: frame.confidence ?? 0.7,
    ...(frame.time ? { time: frame.time } : {}),
    ...(frame.turned ? { turned: true as const } : {}),
  };
}
