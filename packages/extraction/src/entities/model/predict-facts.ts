import type { ExtractedFact, FactPredicate } from '../../types.ts';
import { findValidityPeriod, isNoLongerMarker } from '../fact-time.ts';
import type { NamedEntity } from '../group-mentions.ts';
import { wordPattern } from '../lexicon/word-lists.ts';
import type { FactRuleInput } from '../match-fact-rules.ts';
import type { SentenceSlot, SlottedSentence } from '../slotted-sentences.ts';
import { buildFactCandidatePairs } from './fact-candidate-pairs.ts';
import { type ClassifiedPair, classifyPairs } from './pair-classifier.ts';
import { entityPairKey, type RuleLabelsByPair } from './pair-features.ts';
import type { Weights } from './weights.ts';

/** A text with its entities, its sentences, and the facts that rules found. */
export interface FactModelInput {
  readonly text: string;
  readonly entities: readonly NamedEntity[];
  readonly sentences: readonly SlottedSentence[];
  readonly inputs: FactRuleInput;
  readonly ruleFacts: readonly ExtractedFact[];
}

const factsMax = 200;
const symmetric: ReadonlySet<FactPredicate> = new Set(['collaborates_with', 'related_to', 'knows']);

/** The facts of the rules, by pair of entities. */
export function collectRuleLabels(facts: readonly ExtractedFact[]): RuleLabelsByPair {
  const verdicts = new Map<string, string[]>();
  const add = (key: string, verdict: string): void => {
    const known = verdicts.get(key) ?? [];
    verdicts.set(key, [...known, verdict]);
  };
  for (const { subject, object, predicate, confidence } of facts) {
    add(entityPairKey(subject, object), `${predicate} >`);
    add(entityPairKey(object, subject), `${predicate} <`);
    add(entityPairKey(subject, object), `${predicate} > ${confidence}`);
    add(entityPairKey(object, subject), `${predicate} < ${confidence}`);
  }
  return verdicts;
}

/** The facts that the model finds, each once. */
export function predictFacts(telling: FactModelInput, weights?: Weights): ExtractedFact[] {
  const { sentences, inputs, ruleFacts } = telling;
  const pairs = buildFactCandidatePairs(sentences, inputs.speaker);
  const found = new Map<string, ExtractedFact>();
  for (const one of classifyPairs(pairs, collectRuleLabels(ruleFacts), inputs.names, weights)) {
    for (const fact of factsIn(one, telling)) {
      const key = keyOf(fact);
      const known = found.get(key);
      if (!known || known.confidence < fact.confidence) found.set(key, fact);
    }
    if (found.size >= factsMax) break;
  }
  return [...found.values()];
}

function keyOf({
  subject,
  predicate,
  object,
}: Pick<ExtractedFact, 'subject' | 'predicate' | 'object'>): string {
  const turn = symmetric.has(predicate) && subject > object;
  return turn ? `${object} ${predicate} ${subject}` : `${subject} ${predicate} ${object}`;
}

/** Minimum confidence in a fact and both of its names; lower if the rules agree. */
const bars = { ruled: 0.3, alone: 0.55, list: 0.75 };

const denials = /^(?:not|never|nobody|neither|nor|if|whether|unless|might|maybe|perhaps)$/;

/** "does not work at": negated or hypothetical in the words between, within one clause. */
function isDenied({ slots, one, other }: ClassifiedPair['pair']): boolean {
  const between = slots.slice(0, other);
  const at = between.findLastIndex(
    ({ text }, place) => place > one && denials.test(text) && !isNoLongerMarker(slots, place),
  );
  return at >= 0 && !between.slice(at).some(({ text }) => /^(?:[,;:]|but|and)$/.test(text));
}

function factsIn(
  { pair, predicate, isReversed, confidence, isConfirmedByRule }: ClassifiedPair,
  telling: FactModelInput,
): ExtractedFact[] {
  const { text, inputs, ruleFacts, entities } = telling;
  const [first, second] = [
    pair.slots[pair.one] as SentenceSlot,
    pair.slots[pair.other] as SentenceSlot,
  ];
  const [from, to] = isReversed ? [second.ids, first.ids] : [first.ids, second.ids];
  if (!isConfirmedByRule && isDenied(pair)) return [];
  const alone = pair.kind === 'list' ? bars.list : bars.alone;
  const ids = pair.one === pair.other ? paired(first.ids) : crossed(from, to);
  return ids.flatMap(([one, other]): ExtractedFact[] => {
    const [subject, object] = inOrder(predicate, one, other, entities);
    const sure = confidence * (entities[one]?.confidence ?? 1) * (entities[other]?.confidence ?? 1);
    if (sure < (isConfirmedByRule ? bars.ruled : alone)) return [];
    const rounded = Math.round(Math.min(0.99, sure) * 100) / 100;
    const key = keyOf({ subject, predicate, object });
    const ruled = ruleFacts.find((fact) => keyOf(fact) === key);
    if (ruled) return [{ ...ruled, confidence: rounded }];
    const valid = timesOf(pair, inputs);
    if (valid === null) return [];
    const statement = text.slice(
      Math.min(first.start, second.start),
      Math.max(first.end, second.end),
    );
    return [{ subject, predicate, object, statement, confidence: rounded, ...valid }];
  });
}

/** In either order: people know skills and found companies, not vice versa. */
function inOrder(
  predicate: FactPredicate,
  one: number,
  other: number,
  things: readonly NamedEntity[],
): [number, number] {
  const turn =
    symmetric.has(predicate) && things[one]?.type !== 'person' && things[other]?.type === 'person';
  return turn ? [other, one] : [one, other];
}

const begins = wordPattern(`
  join joins joined since moved moves started starts hired signed became appointed switched
  promoted transferred relocated migrated acquired bought`);
const ends = wordPattern(`
  left leaves quit quits resigned retired dropped ditched departed fired sold stopped`);

/** Start and end by the dates near the pair; null if it starts later. */
function timesOf(
  { slots, one, other }: ClassifiedPair['pair'],
  { dates, at }: FactRuleInput,
): { validFrom?: string; validTo?: string } | null {
  const between = slots.slice(0, other);
  const verb = between.findLastIndex(
    ({ text }, place) => place > one && (ends.test(text) || begins.test(text)),
  );
  const word = slots[verb]?.text ?? '';
  const time = ends.test(word) ? 'to' : begins.test(word) ? 'from' : 'was';
  const sentence = { slots, text: '', offsets: [], isQuestion: false };
  const valid = findValidityPeriod(
    sentence,
    [one, Math.max(verb, one + 1), other + 1],
    { time },
    dates,
    at,
  );
  if (valid.from && valid.from > at.toISOString().slice(0, valid.from.length)) return null;
  return {
    ...(valid.from === undefined ? {} : { validFrom: valid.from }),
    ...(valid.to === undefined ? {} : { validTo: valid.to }),
  };
}

const crossed = (ones: readonly number[], others: readonly number[]): [number, number][] =>
  ones.flatMap((one) =>
    others.filter((other) => other !== one).map((other): [number, number] => [one, other]),
  );

const paired = (ids: readonly number[]): [number, number][] =>
  ids.flatMap((one, at) => ids.slice(at + 1).map((other): [number, number] => [one, other]));
