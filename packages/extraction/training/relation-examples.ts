import { normalizeName } from '../bench/scoring.ts';
import type { EntityMention } from '../src/entities/entity-typing.ts';
import { buildFactModelInput, tokenizeSource } from '../src/entities/extract.ts';
import {
  buildFactCandidatePairs,
  type FactCandidatePair,
  pairLabels,
} from '../src/entities/model/fact-candidate-pairs.ts';
import { extractPairFeatures } from '../src/entities/model/pair-features.ts';
import { collectRuleLabels, type FactModelInput } from '../src/entities/model/predict-facts.ts';
import { hashFeature } from '../src/entities/model/weights.ts';
import type { NamedEntityType } from '../src/entities/type-scores.ts';
import type { Word } from '../src/entities/words.ts';
import type { SoftmaxExample } from './softmax.ts';
import type { LabelledSpan, TrainingText } from './training-texts.ts';

/** The names of a text as they are labelled, in words. */
export function mentionsFromSpans(
  words: readonly Word[],
  spans: readonly LabelledSpan[],
): EntityMention[] {
  return spans.flatMap(({ start, end, type }) => {
    if (type === 'date' || type === 'concept') return [];
    const from = words.findIndex((word) => word.end > start);
    const to = words.findLastIndex((word) => word.start < end) + 1;
    return from < to ? [{ from, to, type: type as NamedEntityType, confidence: 1 }] : [];
  });
}

/** The pairs of a text with what they tell; with its own names where none are given. */
export function relationExamples(
  lesson: TrainingText,
  mentions?: readonly EntityMention[],
): SoftmaxExample[] {
  const { reading, dates } = tokenizeSource(lesson);
  const telling = buildFactModelInput(
    lesson,
    reading,
    dates,
    mentions ?? mentionsFromSpans(reading.words, lesson.spans),
  );
  const wanted = expectedFacts(lesson, telling, (mention) =>
    reading.text.slice(reading.words[mention.from]?.start, reading.words[mention.to - 1]?.end),
  );
  const verdicts = collectRuleLabels(telling.ruleFacts);
  const pairs = buildFactCandidatePairs(telling.sentences, telling.inputs.speaker);
  const labels = pairs.map((pair) => relationLabel(pair, wanted));
  return pairs.flatMap((pair, at) => {
    const label = labels[at] as number;
    if (label > 0 && isDuplicatePair(pairs, labels, at)) return [];
    const features = extractPairFeatures(pair, verdicts, telling.inputs.names);
    return [{ features: Int32Array.from(features, hashFeature), label }];
  });
}

/** Whether names that are nearer to each other tell the same: these may tell nothing. */
function isDuplicatePair(
  pairs: readonly FactCandidatePair[],
  labels: readonly number[],
  at: number,
): boolean {
  const idsOf = ({ slots, one, other }: FactCandidatePair): string =>
    [slots[one]?.ids.join('+'), slots[other]?.ids.join('+')].sort().join(' ');
  const farOf = ({ one, other, kind }: FactCandidatePair): number =>
    other - one + (kind === 'sentence' ? 0 : 20);
  const here = pairs[at] as FactCandidatePair;
  return pairs.some(
    (pair, i) =>
      i !== at &&
      (labels[i] as number) > 0 &&
      idsOf(pair) === idsOf(here) &&
      (farOf(pair) < farOf(here) || (farOf(pair) === farOf(here) && i < at)),
  );
}

/** Facts by the things' places: "0 works_at 1". */
function expectedFacts(
  { facts }: TrainingText,
  { entities }: FactModelInput,
  wordsOf: (mention: { from: number; to: number }) => string,
): ReadonlySet<string> {
  const forms = entities.map(({ name, mentions }) =>
    [name, ...mentions.map(wordsOf)].map(normalizeName),
  );
  const placeOf = (name: string): number => {
    const whole = forms.findIndex(([first]) => first === normalizeName(name));
    return whole >= 0 ? whole : forms.findIndex((all) => all.includes(normalizeName(name)));
  };
  return new Set(
    facts.map(
      ({ subject, predicate, object }) => `${placeOf(subject)} ${predicate} ${placeOf(object)}`,
    ),
  );
}

const symmetric = ['collaborates_with', 'related_to', 'knows'];

function relationLabel(
  { slots, one, other }: FactCandidatePair,
  wanted: ReadonlySet<string>,
): number {
  for (const first of slots[one]?.ids ?? []) {
    for (const second of slots[other]?.ids ?? []) {
      if (first === second) continue;
      const at = pairLabels.findIndex((outcome) => {
        const [predicate, way] = outcome.split(' ') as [string, string];
        const [from, to] = way === '<' ? [second, first] : [first, second];
        const told = wanted.has(`${from} ${predicate} ${to}`);
        return told || (symmetric.includes(predicate) && wanted.has(`${to} ${predicate} ${from}`));
      });
      if (at > 0) return at;
    }
  }
  return 0;
}
