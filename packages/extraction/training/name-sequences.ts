import { typeMentions } from '../src/entities/entity-typing.ts';
import { tokenizeSource } from '../src/entities/extract.ts';
import { bioLabels } from '../src/entities/model/name-tagger.ts';
import { extractTokenFeatures } from '../src/entities/model/token-features.ts';
import { hashFeature } from '../src/entities/model/weights.ts';
import type { Word } from '../src/entities/words.ts';
import type { LabelledSequence } from './crf.ts';
import type { LabelledSpan, TrainingText } from './training-texts.ts';

/** The sentences of a text with the features of their words and the labels that are right. */
export function nameSequences(lesson: TrainingText): LabelledSequence[] {
  const { reading } = tokenizeSource(lesson);
  const wanted = nameLabels(reading.words, lesson.spans);
  return extractTokenFeatures(reading, typeMentions(reading)).map((sentence) => ({
    tokens: sentence.map(({ at, features }) => ({
      features: Int32Array.from(features, hashFeature),
      label: wanted[at] as number,
    })),
  }));
}

/** Dates are read by rules alone, so that they are no names here. */
function nameLabels(words: readonly Word[], spans: readonly LabelledSpan[]): number[] {
  const wanted = words.map(() => 0);
  for (const { start, end, type } of spans) {
    const first = bioLabels.indexOf(`B-${type}`);
    if (first < 0) continue;
    let next = first;
    for (const [at, word] of words.entries()) {
      if (word.end <= start || word.start >= end) continue;
      wanted[at] = next;
      next = first + 1;
    }
  }
  return wanted;
}
