import type { Sequence } from './crf.ts';
import { featuresOf, hashOf, labels, readingOf, verdictsOf, type Word } from './extractor.ts';
import type { Lesson, Span } from './texts.ts';

/** The sentences of a text with the features of their words and the labels that are right. */
export function sequencesOf(lesson: Lesson): Sequence[] {
  const { reading } = readingOf(lesson);
  const wanted = labelsOf(reading.words, lesson.spans);
  return featuresOf(reading, verdictsOf(reading)).map((sentence) => ({
    tokens: sentence.map(({ at, features }) => ({
      features: Int32Array.from(features, hashOf),
      label: wanted[at] as number,
    })),
  }));
}

/** Dates are read by rules alone, so that they are no names here. */
function labelsOf(words: readonly Word[], spans: readonly Span[]): number[] {
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
