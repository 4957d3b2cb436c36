import type { Embedder } from '../../../providers/embedding/index.ts';
import { type CosineMap, createCosineMap } from './cosine-map.ts';
import { fitLine, type Line } from './line.ts';
import { type ReferenceTexts, referenceTexts } from './reference-texts.ts';

/** On which scale a model's cosines lie, measured over the reference texts. */
export interface ModelScale {
  /** Of the reference texts. */
  readonly version: number;
  /** Quantiles of the cosines, ascending; `referenceTexts` has those of the shipped encoder. */
  readonly quantiles: readonly number[];
  /** The map to the encoder's cosines as a line, for memories that are not related. */
  readonly line: Line;
}

/** Levels of the quantiles. */
const levels = Array.from({ length: 33 }, (_, i) => Math.min(0.998, Math.max(0.002, i / 32)));
/** Shares of the pairs: most memories are not related to a question. */
const shares = { unrelated: 0.5, answers: 0.3, restatements: 0.2 };

/**
 * Embeds the reference texts, about 240 short ones, and measures their cosines.
 * @throws EmbeddingFailed, or the signal's reason when it is aborted
 */
export async function measureModelScale(embedder: Embedder, signal?: AbortSignal) {
  const texts = referenceTexts();
  const { quantiles, memories } = await measureQuantiles(embedder, texts, signal);
  const map = createCosineMap(quantiles, texts.encoderQuantiles);
  const line = fitLine(map, pairCosines(memories));
  return { version: texts.version, quantiles, line } satisfies ModelScale;
}

/** From cosines of the model to those of the shipped encoder. */
export const createEncoderMap = ({ quantiles }: ModelScale): CosineMap =>
  createCosineMap(quantiles, referenceTexts().encoderQuantiles);

/** The quantiles, and the vectors of the memories that answer questions. */
export async function measureQuantiles(
  embedder: Embedder,
  texts: Pick<ReferenceTexts, 'answers' | 'restatements'>,
  signal?: AbortSignal,
): Promise<{ readonly quantiles: readonly number[]; readonly memories: readonly Float32Array[] }> {
  const questions = texts.answers.map(([question]) => question);
  const contents = [...texts.answers.map(([, memory]) => memory), ...texts.restatements.flat()];
  const asked = await embedder.embed(questions, 'query', signal);
  const stored = await embedder.embed(contents, 'document', signal);
  const memories = stored.slice(0, questions.length);
  const cosines = {
    unrelated: [] as number[],
    answers: [] as number[],
    restatements: [] as number[],
  };
  for (const [i, question] of asked.entries()) {
    for (const [j, memory] of memories.entries()) {
      (i === j ? cosines.answers : cosines.unrelated).push(dot(question, memory));
    }
  }
  for (let i = questions.length; i + 1 < stored.length; i += 2) {
    cosines.restatements.push(dot(stored[i] as Float32Array, stored[i + 1] as Float32Array));
  }
  return { quantiles: quantilesOf(cosines), memories };
}

/** Of all pairs together, each kind with its share of the weight. */
function quantilesOf(cosines: Readonly<Record<keyof typeof shares, readonly number[]>>): number[] {
  const kinds = Object.keys(shares) as (keyof typeof shares)[];
  const weighed = kinds.flatMap((kind) =>
    cosines[kind].map((value) => [value, shares[kind] / cosines[kind].length] as const),
  );
  weighed.sort(([a], [b]) => a - b);
  let [at, passed] = [0, 0];
  return levels.map((level) => {
    while (at + 1 < weighed.length && passed + (weighed[at]?.[1] ?? 0) < level) {
      passed += weighed[at]?.[1] ?? 0;
      at += 1;
    }
    return weighed[at]?.[0] ?? 0;
  });
}

/** Of each two unit vectors. */
export function pairCosines(vectors: readonly Float32Array[]): Float32Array {
  const cosines = new Float32Array((vectors.length * (vectors.length - 1)) / 2);
  let at = 0;
  for (const [i, first] of vectors.entries()) {
    for (let j = 0; j < i; j += 1) {
      cosines[at] = dot(first, vectors[j] as Float32Array);
      at += 1;
    }
  }
  return cosines;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
