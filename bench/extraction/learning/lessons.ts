/** The two models learnt from labelled texts. */
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
const factOptions: Options = {
  rounds: 6,
  rate: 0.05,
  decay: 0.02,
  countMin: 3,
  hidden: 0.5,
};

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
