import { addTo, type LayerNorm } from './arithmetic.ts';
import { Attention } from './attention.ts';
import type { MatrixProgram } from './matrix-program.ts';
import { type LinearLayer, MemoryLayout } from './memory-layout.ts';
import type { PackedPart } from './weights.ts';

/** The network has positions for this many pieces. */
export const piecesMax = 128;
const heads = 4;
export const embeddingSize = 256;
export const hiddenSize = 512;
const innerSize = 1_536;
/** Rows that `multiply` processes together. */
const blockRows = 4;
/** Keeps the division finite where all values of a row are equal. */
const layerNormEpsilon = 1e-6;
/** Room for rows of `hiddenSize` floats: the input, the states, normalised and mixed ones. */
const hiddenRowsBytes = piecesMax * hiddenSize * 4;
/** Room for the activations, for what is computed of them, and for the layers' offsets. */
const extraBytes = piecesMax * (innerSize + 4 + innerSize * 4 + 4) + 4 * hiddenRowsBytes + 65_536;
/** Not 0 where the processor has no instruction for dot products of bytes. */
const inTwoSteps = process.arch === 'arm64' ? 0 : 1;

interface TransformerLayer {
  readonly size: number;
  readonly attentionNorm: LayerNorm;
  readonly queryKeyValue: LinearLayer;
  readonly attentionOutput: LinearLayer;
  /** Brings the input to the size of the output; null where it has this size. */
  readonly residual: LinearLayer | null;
  readonly feedForwardNorm: LayerNorm;
  readonly expand: LinearLayer;
  readonly contract: LinearLayer;
}

export interface TransformerPack {
  readonly parts: Readonly<Record<string, PackedPart>>;
  readonly weights: Uint8Array;
  /** The WebAssembly program of the matrix products. */
  readonly program: Uint8Array;
}

/**
 * Two transformer layers over pieces of words, normalised before each part. Weights are signed
 * bytes; activations have seven bits and a scale for each row.
 */
export class Transformer {
  readonly layout: MemoryLayout;
  readonly #program: MatrixProgram;
  readonly #attention: Attention;
  readonly #layers: readonly TransformerLayer[];
  /** Addresses of the activations, their scales, and their products with a matrix. */
  readonly #activations: number;
  readonly #rowScales: number;
  readonly #products: number;
  /** Addresses of rows of floats. */
  readonly #input: number;
  readonly #states: number;
  readonly #normed: number;

  constructor({ parts, weights, program }: TransformerPack) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program));
    this.#program = exports as unknown as MatrixProgram;
    this.layout = new MemoryLayout(this.#program.memory, parts, weights, extraBytes);
    this.#layers = [
      readLayer(this.layout, 0, embeddingSize),
      readLayer(this.layout, 1, hiddenSize),
    ];
    this.#activations = this.layout.allocate(piecesMax * innerSize);
    this.#rowScales = this.layout.allocate(piecesMax * 4);
    this.#products = this.layout.allocate(piecesMax * innerSize * 4);
    this.#input = this.layout.allocate(hiddenRowsBytes);
    this.#states = this.layout.allocate(hiddenRowsBytes);
    this.#normed = this.layout.allocate(hiddenRowsBytes);
    this.#attention = new Attention(this.#program, {
      projected: this.#products,
      shares: this.layout.allocate(piecesMax * 4),
      mixed: this.layout.allocate(hiddenRowsBytes),
    });
  }

  /**
   * The states after all layers; they are overwritten by the next ones.
   * @param input a row of `embeddingSize` for each piece
   */
  apply(input: Float32Array): Float32Array {
    let states = input;
    for (const layer of this.#layers) states = this.#applyLayer(layer, states);
    return states;
  }

  #applyLayer(layer: TransformerLayer, rows: Float32Array): Float32Array {
    const { size } = layer;
    const count = rows.length / size;
    const input = this.#toMemory(rows);
    this.multiply(layer.queryKeyValue, this.#normalise(input, layer.attentionNorm, size));
    const mixed = this.#attention.mix({ count, size, heads });
    const states = this.#floats(this.#states, count * hiddenSize);
    // Mixed values stay while others are multiplied.
    if (layer.residual) states.set(this.multiply(layer.residual, input));
    addTo(states, this.multiply(layer.attentionOutput, mixed));
    const normed = this.#normalise(states, layer.feedForwardNorm, hiddenSize);
    const inner = this.multiply(layer.expand, normed, 0);
    addTo(states, this.multiply(layer.contract, inner));
    return states;
  }

  #normalise(rows: Float32Array, norm: LayerNorm, size: number): Float32Array {
    this.#program.normalise_rows(
      rows.byteOffset,
      norm.weight.byteOffset,
      norm.bias.byteOffset,
      this.#normed,
      rows.length / size,
      size,
      layerNormEpsilon,
    );
    return this.#floats(this.#normed, rows.length);
  }

  #floats(address: number, length: number): Float32Array {
    return new Float32Array(this.#program.memory.buffer, address, length);
  }

  /** The same rows in the memory of the program. */
  #toMemory(rows: Float32Array): Float32Array {
    if (rows.buffer === this.#program.memory.buffer) return rows;
    const copy = this.#floats(this.#input, rows.length);
    copy.set(rows);
    return copy;
  }

  /** The products with a layer; they are overwritten by the next ones. */
  multiply(layer: LinearLayer, rows: Float32Array, floor = Number.NEGATIVE_INFINITY): Float32Array {
    const { inputs, outputs, zeroPoint, matrix, scale, offset, bias } = layer;
    const count = rows.length / inputs;
    this.#program.quantise_rows(
      this.#toMemory(rows).byteOffset,
      this.#activations,
      this.#rowScales,
      count,
      inputs,
      zeroPoint,
    );
    const padded = Math.ceil(count / blockRows) * blockRows;
    this.#program.multiply(
      this.#activations,
      matrix,
      this.#products,
      padded,
      outputs,
      inputs,
      this.#rowScales,
      scale,
      offset,
      bias,
      floor,
      inTwoSteps,
    );
    return this.#floats(this.#products, count * outputs);
  }
}

function readLayer(layout: MemoryLayout, number: 0 | 1, size: number): TransformerLayer {
  const at = `layers.${number}`;
  return {
    size,
    attentionNorm: layout.layerNorm(`${at}.norm`),
    queryKeyValue: layout.linear(`${at}.qkv`),
    attentionOutput: layout.linear(`${at}.out`),
    residual: size === hiddenSize ? null : layout.linear(`${at}.residual`),
    feedForwardNorm: layout.layerNorm(`${at}.norm2`),
    expand: layout.linear(`${at}.up`),
    contract: layout.linear(`${at}.down`, 0),
  };
}
