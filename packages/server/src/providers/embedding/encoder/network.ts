import { addTo, toUnitLength } from './arithmetic.ts';
import type { LinearLayer } from './memory-layout.ts';
import { PieceEmbeddings } from './piece-embeddings.ts';
import { hiddenSize, Transformer } from './transformer.ts';
import type { EncoderPack } from './weights.ts';

/**
 * The network of the Universal Sentence Encoder lite (Cer et al., 2018): a transformer, the mean
 * over the pieces, a tanh layer and a projection.
 */
export class EncoderNetwork {
  readonly dimensions: number;
  readonly #transformer: Transformer;
  readonly #embeddings: PieceEmbeddings;
  readonly #tanh: LinearLayer;
  readonly #projection: LinearLayer;

  constructor({ manifest, weights, program }: Omit<EncoderPack, 'vocabulary'>) {
    this.#transformer = new Transformer({ parts: manifest.parts, weights, program });
    const { layout } = this.#transformer;
    this.dimensions = manifest.dimensions;
    this.#embeddings = new PieceEmbeddings(layout);
    this.#tanh = layout.linear('tanh');
    this.#projection = layout.linear('projection');
  }

  /**
   * The unit vector of a text.
   * @param ids of its pieces, 1 to `piecesMax`
   */
  encode(ids: readonly number[]): Float32Array {
    const transformer = this.#transformer;
    const states = transformer.apply(this.#embeddings.of(ids));
    const mean = new Float32Array(hiddenSize);
    for (let at = 0; at < states.length; at += hiddenSize) {
      addTo(mean, states.subarray(at, at + hiddenSize));
    }
    const hidden = transformer.multiply(
      this.#tanh,
      mean.map((sum) => sum / ids.length),
    );
    const vector = toUnitLength(hidden.map(Math.tanh));
    return toUnitLength(transformer.multiply(this.#projection, vector));
  }
}
