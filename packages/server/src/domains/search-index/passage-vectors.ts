import { passagesInContext } from '@mneme/text';
import { passageRangesOf } from './analysis.ts';
import { quantiseVector } from './model.ts';

/**
 * A text has at most so many vectors of passages. With more passages, each vector is that of as
 * many consecutive ones as necessary.
 */
export const passageVectorsMax = 512;

/** Number of consecutive passages of a text that share a vector. */
export const passagesPerVector = (passages: number): number =>
  Math.max(1, Math.ceil(passages / passageVectorsMax));

export const passageVectorCount = (passages: number): number =>
  Math.ceil(passages / passagesPerVector(passages));

/** The texts whose vectors are those of a text's passages, each with its heading. */
export function textsOfPassages(content: string, terms: string): string[] {
  const ranges = passageRangesOf(terms);
  const each = passagesPerVector(ranges.length);
  const groups = Array.from({ length: passageVectorCount(ranges.length) }, (_, i) => ({
    start: ranges[i * each]?.start ?? 0,
    end: ranges[Math.min((i + 1) * each, ranges.length) - 1]?.end ?? 0,
  }));
  return passagesInContext(content, groups);
}

/** One after the other; zeros where there is none. */
export function quantisePassageVectors(
  vectors: readonly (Float32Array | null)[],
  dimensions: number,
): Int8Array {
  const bytes = new Int8Array(vectors.length * dimensions);
  for (const [i, vector] of vectors.entries()) {
    if (vector) bytes.set(quantiseVector(vector), i * dimensions);
  }
  return bytes;
}
