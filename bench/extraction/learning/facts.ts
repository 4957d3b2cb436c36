import { normalized } from '../scoring.ts';
import {
  hashOf,
  type Mention,
  type NamedType,
  outcomes,
  type Pair,
  pairFeatures,
  pairsOf,
  readingOf,
  ruleVerdicts,
  type Telling,
  tellingOf,
  type Word,
} from './extractor.ts';
import type { Example } from './softmax.ts';
import type { Lesson, Span } from './texts.ts';

/** The names of a text as they are labelled, in words. */
export function labelledMentions(words: readonly Word[], spans: readonly Span[]): Mention[] {
  return spans.flatMap(({ start, end, type }) => {
    if (type === 'date' || type === 'concept') return [];
    const from = words.findIndex((word) => word.end > start);
    const to = words.findLastIndex((word) => word.start < end) + 1;
    return from < to ? [{ from, to, type: type as NamedType, confidence: 1 }] : [];
  });
}

/** The pairs of a text with what they tell; with its own names where none are given. */
export function examplesOf(lesson: Lesson, mentions?: readonly Mention[]): Example[] {
  const { reading, dates } = readingOf(lesson);
  const telling = tellingOf(
    lesson,
    reading,
    dates,
    mentions ?? labelledMentions(reading.words, lesson.spans),
  );
  const wanted = wantedOf(lesson, telling, (mention) =>
    reading.text.slice(reading.words[mention.from]?.start, reading.words[mention.to - 1]?.end),
  );
  const verdicts = ruleVerdicts(telling.facts);
  const pairs = pairsOf(telling.sentences, telling.subjects.speaker);
  const labels = pairs.map((pair) => labelOf(pair, wanted));
  return pairs.flatMap((pair, at) => {
    const label = labels[at] as number;
    if (label > 0 && isRepeat(pairs, labels, at)) return [];
    const features = pairFeatures(pair, verdicts, telling.subjects.names);
    return [{ features: Int32Array.from(features, hashOf), label }];
  });
}

/** Whether names that are nearer to each other tell the same: these may tell nothing. */
function isRepeat(pairs: readonly Pair[], labels: readonly number[], at: number): boolean {
  const idsOf = ({ slots, one, other }: Pair): string =>
    [slots[one]?.ids.join('+'), slots[other]?.ids.join('+')].sort().join(' ');
  const farOf = ({ one, other, kind }: Pair): number =>
    other - one + (kind === 'sentence' ? 0 : 20);
  const here = pairs[at] as Pair;
  return pairs.some(
    (pair, i) =>
      i !== at &&
      (labels[i] as number) > 0 &&
      idsOf(pair) === idsOf(here) &&
      (farOf(pair) < farOf(here) || (farOf(pair) === farOf(here) && i < at)),
  );
}

/** Facts by the things' places: "0 works_at 1". */
function wantedOf(
  { facts }: Lesson,
  { things }: Telling,
  wordsOf: (mention: { from: number; to: number }) => string,
): ReadonlySet<string> {
  const forms = things.map(({ name, mentions }) =>
    [name, ...mentions.map(wordsOf)].map(normalized),
  );
  const placeOf = (name: string): number => {
    const whole = forms.findIndex(([first]) => first === normalized(name));
    return whole >= 0 ? whole : forms.findIndex((all) => all.includes(normalized(name)));
  };
  return new Set(
    facts.map(
      ({ subject, predicate, object }) => `${placeOf(subject)} ${predicate} ${placeOf(object)}`,
    ),
  );
}

const symmetric = ['collaborates_with', 'related_to', 'knows'];

function labelOf({ slots, one, other }: Pair, wanted: ReadonlySet<string>): number {
  for (const first of slots[one]?.ids ?? []) {
    for (const second of slots[other]?.ids ?? []) {
      if (first === second) continue;
      const at = outcomes.findIndex((outcome) => {
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
