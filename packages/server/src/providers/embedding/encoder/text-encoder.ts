import { addTo, toUnitLength } from './arithmetic.ts';
import { EncoderNetwork } from './network.ts';
import { Tokenizer } from './tokenizer.ts';
import { piecesMax } from './transformer.ts';
import type { EncoderPack } from './weights.ts';

/** Of a long text, this many windows of `piecesMax` pieces are encoded, from its beginning. */
const windowsMax = 8;

/** Turns texts into unit vectors: pieces, network, and for long texts the mean of its windows. */
export class TextEncoder {
  readonly #tokenizer: Tokenizer;
  readonly #network: EncoderNetwork;

  constructor({ vocabulary, ...pack }: EncoderPack) {
    this.#tokenizer = new Tokenizer(vocabulary);
    this.#network = new EncoderNetwork(pack);
  }

  encode(text: string): Float32Array {
    const steps = this.encodeInSteps(text);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  }

  /** Yields before each window but the first. */
  *encodeInSteps(text: string): Generator<void, Float32Array> {
    const ids = this.#tokenizer.encode(text, windowsMax * piecesMax);
    if (ids.length <= piecesMax) return this.#network.encode(ids);
    const sum = new Float32Array(this.#network.dimensions);
    for (let from = 0; from < ids.length; from += piecesMax) {
      if (from > 0) yield;
      addTo(sum, this.#network.encode(ids.slice(from, from + piecesMax)));
    }
    return toUnitLength(sum);
  }
}
