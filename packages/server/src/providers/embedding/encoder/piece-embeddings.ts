import type { MemoryLayout } from './memory-layout.ts';
import { embeddingSize } from './transformer.ts';

/** The vectors of the vocabulary's pieces, and of their positions in a text. */
export class PieceEmbeddings {
  readonly #embeddings: Int8Array;
  readonly #scales: Float32Array;
  readonly #positions: Float32Array;

  constructor(layout: Pick<MemoryLayout, 'bytes' | 'floats'>) {
    this.#embeddings = layout.bytes('embeddings');
    this.#scales = layout.floats('embeddings.scale');
    this.#positions = layout.floats('positions');
  }

  /** One row for each piece: twice its vector, and the signal of its position. */
  of(ids: readonly number[]): Float32Array {
    const states = this.#positions.slice(0, ids.length * embeddingSize);
    for (const [row, id] of ids.entries()) {
      const scale = 2 * (this.#scales[id] as number);
      const [to, from] = [row * embeddingSize, id * embeddingSize];
      for (let i = 0; i < embeddingSize; i += 1) {
        const value = scale * (this.#embeddings[from + i] as number);
        states[to + i] = (states[to + i] as number) + value;
      }
    }
    return states;
  }
}
