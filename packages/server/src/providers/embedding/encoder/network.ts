import { addTo, applyLayerNorm, type LayerNorm, quantiseRows, toUnitLength } from './arithmetic.ts';
import { Attention } from './attention.ts';
import type { MatrixProgram } from './matrix-program.ts';
import { type LinearLayer, MemoryLayout } from './memory-layout.ts';
import type { EncoderPack } from './weights.ts';

/** The network has positions for this many pieces. */
export const piecesMax = 128;
const heads = 4;
const embeddingSize = 256;
const hiddenSize = 512;
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

/**
 * The network of the Universal Sentence Encoder lite (Cer et al., 2018): two transformer layers
 * over pieces of words, normalised before each part, the mean over the pieces, a tanh layer and a
 * projection. Weights are signed bytes; activations have seven bits and a scale for each row.
 */
export class EncoderNetwork {
  readonly dimensions: number;
  readonly #program: MatrixProgram;
  readonly #attention: Attention;
  readonly #embeddings: Int8Array;
  readonly #embeddingScales: Float32Array;
  readonly #positions: Float32Array;
  readonly #layers: readonly TransformerLayer[];
  readonly #tanh: LinearLayer;
  readonly #projection: LinearLayer;
  /** Addresses of the activations, their scales, and their products with a matrix. */
  readonly #activations: number;
  readonly #rowScales: number;
  readonly #products: number;

  constructor({ manifest, weights, program }: Omit<EncoderPack, 'vocabulary'>) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program));
    this.#program = exports as unknown as MatrixProgram;
    const layout = new MemoryLayout(this.#program.memory, manifest.parts, weights, extraBytes);
    this.dimensions = manifest.dimensions;
    this.#embeddings = layout.bytes('embeddings');
    this.#embeddingScales = layout.floats('embeddings.scale');
    this.#positions = layout.floats('positions');
    this.#layers = [readLayer(layout, 0, embeddingSize), readLayer(layout, 1, hiddenSize)];
    this.#tanh = layout.linear('tanh');
    this.#projection = layout.linear('projection');
    this.#activations = layout.allocate(piecesMax * innerSize);
    this.#rowScales = layout.allocate(piecesMax * 4);
    this.#products = layout.allocate(piecesMax * innerSize * 4);
    this.#attention = new Attention(this.#program, {
      projected: this.#products,
      shares: layout.allocate(piecesMax * 4),
      mixed: layout.allocate(piecesMax * hiddenSize * 4),
    });
  }

  /**
   * The unit vector of a text.
   * @param ids of its pieces, 1 to `piecesMax`
   */
  encode(ids: readonly number[]): Float32Array {
    let states = this.#embed(ids);
    for (const layer of this.#layers) states = this.#applyLayer(layer, states, ids.length);
    const mean = new Float32Array(hiddenSize);
    for (let at = 0; at < states.length; at += hiddenSize) {
      addTo(mean, states.subarray(at, at + hiddenSize));
    }
    const hidden = this.#multiply(
      this.#tanh,
      mean.map((sum) => sum / ids.length),
    );
    const vector = toUnitLength(hidden.map(Math.tanh));
    return toUnitLength(this.#multiply(this.#projection, vector));
  }

  /** Twice the vector of each piece, and the signal of its position. */
  #embed(ids: readonly number[]): Float32Array {
    const states = this.#positions.slice(0, ids.length * embeddingSize);
    for (const [row, id] of ids.entries()) {
      const scale = 2 * (this.#embeddingScales[id] as number);
      const [to, from] = [row * embeddingSize, id * embeddingSize];
      for (let i = 0; i < embeddingSize; i += 1) {
        const value = scale * (this.#embeddings[from + i] as number);
        states[to + i] = (states[to + i] as number) + value;
      }
    }
    return states;
  }

  #applyLayer(layer: TransformerLayer, input: Float32Array, count: number): Float32Array {
    const { size } = layer;
    this.#multiply(layer.queryKeyValue, applyLayerNorm(input, layer.attentionNorm, size));
    const mixed = this.#attention.mix({ count, size, heads });
    // Mixed values stay while others are multiplied.
    const states = layer.residual ? this.#multiply(layer.residual, input).slice() : input;
    addTo(states, this.#multiply(layer.attentionOutput, mixed));
    const normed = applyLayerNorm(states, layer.feedForwardNorm, hiddenSize);
    const inner = this.#multiply(layer.expand, normed, 0);
    addTo(states, this.#multiply(layer.contract, inner));
    return states;
  }

  /** The products are overwritten by the next ones. */
  #multiply(
    layer: LinearLayer,
    rows: Float32Array,
    floor = Number.NEGATIVE_INFINITY,
  ): Float32Array {
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
