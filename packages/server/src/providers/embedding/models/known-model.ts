/** How the token vectors of a text become one vector. */
export type Pooling = 'mean' | 'cls' | 'last';

/** Texts that precede queries and documents. */
export interface Prefixes {
  readonly query: string;
  readonly document: string;
}

/**
 * Further lengths that vectors may have (Matryoshka): a list, or any from a minimum on. Endpoints
 * may offer longer ones, too. An empty list: none.
 */
export type OtherDimensions = readonly number[] | { readonly min: number };

interface ModelFacts {
  /** Lower case; the name in commands and of the folder. */
  readonly name: string;
  /** Other names of the same weights: of hubs, and of local servers such as Ollama. */
  readonly aliases: readonly string[];
  readonly dimensions: number;
  readonly otherDimensions: OtherDimensions;
  /** Longer texts are truncated. */
  readonly tokensMax: number;
  /** SPDX identifier, or `proprietary`. */
  readonly licence: 'MIT' | 'Apache-2.0' | 'proprietary';
  readonly languages: 'English' | 'multilingual';
}

/** A model with ONNX weights, which runs on this machine. */
export interface LocalModel extends ModelFacts {
  readonly provider: 'transformers';
  /** The repository of the hub that has its ONNX weights. */
  readonly repository: string;
  /** The revision that `checksums` are of; null: the newest one. */
  readonly revision: string | null;
  readonly pooling: Pooling;
  readonly prefixes: Prefixes;
  /** Whether vectors are normalized by mean and variance before they are truncated. */
  readonly layerNormBeforeTruncation?: true;
  readonly parametersMillions: number;
  /** About, with 8-bit weights and the tokenizer. */
  readonly downloadMegabytes: number;
  /** SHA-256 by file name, of files whose checksums are known; others are recorded on download. */
  readonly checksums: Readonly<Record<string, string>>;
}

/** The fields of a request that differ between compatible endpoints. */
export interface EndpointRequest {
  /** The field with the number of dimensions; null: longer vectors are truncated here. */
  readonly dimensionsField: 'dimensions' | 'output_dimension' | null;
  /** The values of `input_type`; null: the endpoint does not know the field. */
  readonly inputTypes: Prefixes | null;
  /** Whether `encoding_format: float` is accepted. */
  readonly hasEncodingFormat: boolean;
}

/** A model behind an endpoint with OpenAI's `POST /embeddings`. */
export interface EndpointModel extends ModelFacts {
  readonly provider: 'openai';
  /** The address of the vendor's endpoint. */
  readonly url: string;
  readonly request: EndpointRequest;
}

export type KnownModel = LocalModel | EndpointModel;

/** Whether vectors of the model may have this length. */
export function canHaveDimensions(
  { dimensions, otherDimensions }: Pick<ModelFacts, 'dimensions' | 'otherDimensions'>,
  count: number,
): boolean {
  if (count === dimensions) return true;
  if ('min' in otherDimensions) return count >= otherDimensions.min && count < dimensions;
  return otherDimensions.includes(count);
}
