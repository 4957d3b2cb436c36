import { readFile } from 'node:fs/promises';
import { addTo } from '../../../embedding/encoder/arithmetic.ts';
import type { LinearLayer } from '../../../embedding/encoder/memory-layout.ts';
import { PackedParts } from '../../../embedding/encoder/packed-parts.ts';
import { PieceEmbeddings } from '../../../embedding/encoder/piece-embeddings.ts';
import { Tokenizer } from '../../../embedding/encoder/tokenizer.ts';
import { embeddingSize, hiddenSize, Transformer } from '../../../embedding/encoder/transformer.ts';
import {
  type EncoderPack,
  type PackedPart,
  readEncoderPack,
} from '../../../embedding/encoder/weights.ts';

const folder = new URL('../../../../../assets/updates/', import.meta.url);
/** Pieces of each text of a pair that are read. */
const piecesMax = 64;

/** The weights of the network that are its own; the vocabulary is the encoder's. */
interface PairPack {
  readonly parts: Readonly<Record<string, PackedPart>>;
  readonly weights: Uint8Array;
  readonly encoder: EncoderPack;
}

/**
 * Judges whether a newer text outdates an older one: both pass the transformer together, each with
 * the positions from 0 and, for each piece, the vector of its text, which also tells whether the
 * other text has the piece. See training/updates.
 */
export class PairNetwork {
  readonly #tokenizer: Tokenizer;
  readonly #embeddings: PieceEmbeddings;
  readonly #transformer: Transformer;
  readonly #segments: Float32Array;
  readonly #hidden: LinearLayer;
  readonly #output: Float32Array;
  readonly #outputBias: number;

  constructor({ parts, weights, encoder }: PairPack) {
    this.#tokenizer = new Tokenizer(encoder.vocabulary);
    this.#embeddings = new PieceEmbeddings(
      new PackedParts(encoder.manifest.parts, encoder.weights),
    );
    this.#transformer = new Transformer({ parts, weights, program: encoder.program });
    const { layout } = this.#transformer;
    this.#segments = layout.floats('segments');
    this.#hidden = layout.linear('hidden');
    this.#output = layout.floats('output');
    this.#outputBias = layout.floats('output.bias')[0] as number;
  }

  /** The log-odds that the newer text outdates the older one. */
  logOdds(older: string, newer: string): number {
    const olderPieces = this.#tokenizer.encode(older, piecesMax);
    const newerPieces = this.#tokenizer.encode(newer, piecesMax);
    const first = this.#embed(olderPieces, 0, new Set(newerPieces));
    const second = this.#embed(newerPieces, 1, new Set(olderPieces));
    const input = new Float32Array(first.length + second.length);
    input.set(first);
    input.set(second, first.length);
    const states = this.#transformer.apply(input);
    const firstStates = (first.length / embeddingSize) * hiddenSize;
    const a = meanOfRows(states.subarray(0, firstStates));
    const b = meanOfRows(states.subarray(firstStates));
    const pooled = new Float32Array(4 * hiddenSize);
    pooled.set(a);
    pooled.set(b, hiddenSize);
    pooled.set(
      a.map((value, i) => Math.abs(value - (b[i] as number))),
      2 * hiddenSize,
    );
    pooled.set(
      a.map((value, i) => value * (b[i] as number)),
      3 * hiddenSize,
    );
    const hidden = this.#transformer.multiply(this.#hidden, pooled, 0);
    return hidden.reduce(
      (sum, value, i) => sum + value * (this.#output[i] as number),
      this.#outputBias,
    );
  }

  #embed(pieces: readonly number[], text: 0 | 1, others: ReadonlySet<number>): Float32Array {
    const states = this.#embeddings.of(pieces);
    pieces.forEach((piece, i) => {
      const row = others.has(piece) ? text + 2 : text;
      addTo(
        states.subarray(i * embeddingSize, (i + 1) * embeddingSize),
        this.#segments.subarray(row * embeddingSize, (row + 1) * embeddingSize),
      );
    });
    return states;
  }
}

function meanOfRows(states: Float32Array): Float32Array {
  const mean = new Float32Array(hiddenSize);
  for (let at = 0; at < states.length; at += hiddenSize) {
    addTo(mean, states.subarray(at, at + hiddenSize));
  }
  const count = states.length / hiddenSize;
  return mean.map((sum) => sum / count);
}

/** Reads the shipped weights: 5 MB of its own, and those of the encoder. */
export async function readPairNetwork(): Promise<PairNetwork> {
  const [manifest, weights, encoder] = await Promise.all([
    readFile(new URL('pair.json', folder), 'utf8'),
    readFile(new URL('pair.bin', folder)),
    readEncoderPack(),
  ]);
  const { parts } = JSON.parse(manifest) as Pick<PairPack, 'parts'>;
  return new PairNetwork({ parts, weights, encoder });
}
