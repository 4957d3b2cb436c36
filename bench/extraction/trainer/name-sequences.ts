import type { Sequence } from './crf.ts';
import {
  extractTokenFeatures,
  hashFeature,
  labels,
  tokenizeSource,
  typeMentions,
  type Word,
} from './extractor.ts';
import type { Span, TrainingText } from './training-texts.ts';

/** The sentences of a text with the features of their words and the labels that are right. */
export function nameSequences(lesson: TrainingText): Sequence[] {
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
function nameLabels(words: readonly Word[], spans: readonly Span[]): number[] {
  const wanted = words.map(() => 0);
  for (const { start, end, type } of spans) {
    const first = labels.indexOf(`B-${type}`);
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
