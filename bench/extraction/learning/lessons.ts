/** The two models learnt from labelled texts, and folds to measure them on texts they never saw. */
import { readingOf } from '../../../packages/server/src/providers/language/local/extraction/extract.ts';
import { taggedNames } from '../../../packages/server/src/providers/language/local/extraction/learnt/tagger.ts';
import { Weights } from '../../../packages/server/src/providers/language/local/extraction/learnt/weights.ts';
import {
  type Mention,
  verdictsOf,
} from '../../../packages/server/src/providers/language/local/extraction/typing.ts';
import { learnChain, type Sequence } from './crf.ts';
import { examplesOf } from './facts.ts';
import { sequencesOf } from './names.ts';
import { type Options, packed } from './packing.ts';
import { learnOutcomes } from './softmax.ts';
import type { Lesson } from './texts.ts';

export const nameOptions: Options = {
  rounds: 8,
  rate: 0.03,
  decay: 0.01,
  countMin: 3,
  hidden: 0.2,
};
export const factOptions: Options = {
  rounds: 6,
  rate: 0.05,
  decay: 0.02,
  countMin: 3,
  hidden: 0.5,
};

export const foldCount = 4;

const sequences = new Map<Lesson, Sequence[]>();

/** Each fold needs the others' features anew. */
function remembered(lesson: Lesson): Sequence[] {
  const known = sequences.get(lesson) ?? sequencesOf(lesson);
  sequences.set(lesson, known);
  return known;
}

/** The weights that find names, packed. */
export const learntNames = (lessons: readonly Lesson[], source = ''): Buffer =>
  packed(learnChain(lessons.flatMap(remembered), nameOptions), source);

/** The weights that find facts between labelled names, packed. */
export const learntFacts = (lessons: readonly Lesson[], source = ''): Buffer =>
  packed(
    learnOutcomes(
      lessons.flatMap((lesson) => examplesOf(lesson)),
      factOptions,
    ),
    source,
  );

/** The lessons in parts of like size, in the same way each time. */
export const foldsOf = (lessons: readonly Lesson[]): Lesson[][] =>
  Array.from({ length: foldCount }, (_, fold) =>
    lessons.filter((_lesson, at) => (at * 7) % foldCount === fold),
  );

/** The names in each text by a model that learnt from the other folds. */
export function foundByOthers(
  folds: readonly Lesson[][],
  besides: readonly Lesson[],
): Map<Lesson, readonly Mention[]> {
  const found = new Map<Lesson, readonly Mention[]>();
  for (const [at, fold] of folds.entries()) {
    const others = folds.filter((_, other) => other !== at).flat();
    const weights = new Weights(learntNames([...others, ...besides]));
    for (const lesson of fold) {
      const { reading } = readingOf(lesson);
      found.set(lesson, taggedNames(reading, verdictsOf(reading), weights));
    }
  }
  return found;
}
