import { createHash } from 'node:crypto';
import {
  type Embedder,
  EmbeddingFailed,
} from '../../../packages/server/src/providers/embedding/index.ts';

/** Words it refuses, as a model refuses a text that is too long for it. */
export const rejectedWord = 'unspeakable';

/** Word counts: equal texts have equal vectors, texts of other words hardly any likeness. */
export function wordCountVector(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const [place = 0, more = 0] = createHash('sha256').update(word).digest();
    const at = place % dimensions;
    vector[at] = (vector[at] ?? 0) + 1 + more / 1_000;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** A second model, of another length than the shipped one. */
export class TinyEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  /** Runs before texts are embedded; may wait, or throw. */
  gate: (texts: readonly string[]) => Promise<void> | void = () => undefined;

  constructor(model = 'tiny@1', dimensions = 40) {
    this.model = model;
    this.dimensions = dimensions;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (texts.length > 0) await this.gate(texts);
    if (texts.some((text) => text.includes(rejectedWord))) throw new EmbeddingFailed('refused');
    return texts.map((text) => wordCountVector(text, this.dimensions));
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
