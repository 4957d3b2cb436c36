import { addTo, applyLayerNorm, type LayerNorm, quantiseRows } from './arithmetic.ts';
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
/** Room for the activations, for what is computed of them, and for the layers' offsets. */
const extraBytes = piecesMax * (innerSize + 4 + innerSize * 4 + hiddenSize * 4 + 4) + 65_536;
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
    this.#attention = new Attention(this.#program, {
      projected: this.#products,
      shares: this.layout.allocate(piecesMax * 4),
      mixed: this.layout.allocate(piecesMax * hiddenSize * 4),
    });
  }

  /**
   * The states after all layers.
   * @param input a row of `embeddingSize` for each piece
   */
  apply(input: Float32Array): Float32Array {
    const count = input.length / embeddingSize;
    let states = input;
    for (const layer of this.#layers) states = this.#applyLayer(layer, states, count);
    return states;
  }

  #applyLayer(layer: TransformerLayer, input: Float32Array, count: number): Float32Array {
    const { size } = layer;
    this.multiply(layer.queryKeyValue, applyLayerNorm(input, layer.attentionNorm, size));
    const mixed = this.#attention.mix({ count, size, heads });
    // Mixed values stay while others are multiplied.
    const states = layer.residual ? this.multiply(layer.residual, input).slice() : input;
    addTo(states, this.multiply(layer.attentionOutput, mixed));
    const normed = applyLayerNorm(states, layer.feedForwardNorm, hiddenSize);
    const inner = this.multiply(layer.expand, normed, 0);
    addTo(states, this.multiply(layer.contract, inner));
    return states;
  }

  /** The products with a layer; they are overwritten by the next ones. */
  multiply(layer: LinearLayer, rows: Float32Array, floor = Number.NEGATIVE_INFINITY): Float32Array {
    const { buffer } = this.#program.memory;
    const { inputs, outputs, zeroPoint, matrix, scale, offset, bias } = layer;
    const count = rows.length / inputs;
    const activations = new Uint8Array(buffer, this.#activations, rows.length);
    const rowScales = new Float32Array(buffer, this.#rowScales, count);
    quantiseRows(rows, activations, rowScales, zeroPoint);
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
    return new Float32Array(buffer, this.#products, count * outputs);
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
