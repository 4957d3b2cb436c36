import { readFile } from 'node:fs/promises';

/** Location of the packed weights; see its README for the format. */
const folder = new URL('../../../../assets/encoder/', import.meta.url);

/** Where a part of the weights begins in the pack, in bytes, and its shape. */
export interface PackedPart {
  readonly at: number;
  readonly rows: number;
  /** 1 for a vector. */
  readonly columns: number;
}

export interface EncoderManifest {
  readonly model: string;
  readonly dimensions: number;
  /** By name; a matrix `x` of signed bytes has its scales in `x.scale`. */
  readonly parts: Readonly<Record<string, PackedPart>>;
}

export interface EncoderPack {
  readonly manifest: EncoderManifest;
  readonly weights: Uint8Array;
  /** Pieces of words with their scores. */
  readonly vocabulary: readonly (readonly [piece: string, score: number])[];
  /** The WebAssembly program of the matrix products. */
  readonly program: Uint8Array;
}

/** Reads the name, the dimensions and the parts of the shipped weights. */
export const readEncoderManifest = async (): Promise<EncoderManifest> =>
  JSON.parse(await readFile(new URL('encoder.json', folder), 'utf8')) as EncoderManifest;

/** Reads the WebAssembly program of the matrix products. */
export const readMatrixProgram = (): Promise<Uint8Array> =>
  readFile(new URL('matrix.wasm', folder));

/** Reads the shipped weights: 8 MB. */
export async function readEncoderPack(): Promise<EncoderPack> {
  const [manifest, weights, vocabulary, program] = await Promise.all([
    readEncoderManifest(),
    readFile(new URL('encoder.bin', folder)),
    readFile(new URL('pieces.json', folder), 'utf8'),
    readMatrixProgram(),
  ]);
  return {
    manifest,
    weights,
    vocabulary: JSON.parse(vocabulary) as EncoderPack['vocabulary'],
    program,
  };
}
