/** The two models learnt from labelled texts. */
import { type LabelledSequence, trainCrf } from './crf.ts';
import { nameSequences } from './name-sequences.ts';
import { packWeights, type TrainingOptions } from './pack-weights.ts';
import { relationExamples } from './relation-examples.ts';
import { trainSoftmax } from './softmax.ts';
import type { TrainingText } from './training-texts.ts';

export const nameTrainingOptions: TrainingOptions = {
  rounds: 8,
  rate: 0.03,
  regularization: 0.01,
  countMin: 3,
  featureDropout: 0.2,
};
const factOptions: TrainingOptions = {
  rounds: 6,
  rate: 0.05,
  regularization: 0.02,
  countMin: 3,
  featureDropout: 0.5,
};

const sequences = new Map<TrainingText, LabelledSequence[]>();

/** Each fold needs the others' features anew. */
function cachedSequences(lesson: TrainingText): LabelledSequence[] {
  const known = sequences.get(lesson) ?? nameSequences(lesson);
  sequences.set(lesson, known);
  return known;
}

/** The weights that find names, packed. */
export const trainNameModel = (lessons: readonly TrainingText[], source = ''): Buffer =>
  packWeights(trainCrf(lessons.flatMap(cachedSequences), nameTrainingOptions), source);

/** The weights that find facts between labelled names, packed. */
export const trainFactModel = (lessons: readonly TrainingText[], source = ''): Buffer =>
  packWeights(
    trainSoftmax(
      lessons.flatMap((lesson) => relationExamples(lesson)),
      factOptions,
    ),
    source,
  );
