import type { EndpointModel, EndpointRequest, OtherDimensions } from './known-model.ts';

/** Models behind endpoints. Sources: the API references of the vendors. */

const openAiRequest: EndpointRequest = {
  dimensionsField: 'dimensions',
  inputTypes: null,
  hasEncodingFormat: true,
};

const openAi = (
  name: string,
  dimensions: number,
  otherDimensions: OtherDimensions,
): EndpointModel => ({
  provider: 'openai',
  name,
  aliases: [`openai/${name}`],
  dimensions,
  otherDimensions,
  tokensMax: 8_191,
  licence: 'proprietary',
  languages: 'multilingual',
  url: 'https://api.openai.com/v1',
  request: {
    ...openAiRequest,
    dimensionsField: Array.isArray(otherDimensions) ? null : 'dimensions',
  },
});

/** `encoding_format` accepts only `base64`; without it, vectors are lists of numbers. */
const voyage = (name: string): EndpointModel => ({
  provider: 'openai',
  name,
  aliases: [`voyage/${name}`],
  dimensions: 1_024,
  otherDimensions: [2_048, 512, 256],
  tokensMax: 32_000,
  licence: 'proprietary',
  languages: 'multilingual',
  url: 'https://api.voyageai.com/v1',
  request: {
    dimensionsField: 'output_dimension',
    inputTypes: { query: 'query', document: 'document' },
    hasEncodingFormat: false,
  },
});

/**
 * The compatible endpoint of Cohere accepts `input`, `model` and `encoding_format` only: neither
 * `dimensions` nor `input_type`. Vectors of embed-v4.0 may be truncated.
 */
const cohere = (
  name: string,
  dimensions: number,
  facts: Pick<EndpointModel, 'tokensMax' | 'languages' | 'otherDimensions'>,
): EndpointModel => ({
  provider: 'openai',
  name,
  aliases: [`cohere/${name}`],
  dimensions,
  ...facts,
  licence: 'proprietary',
  url: 'https://api.cohere.ai/compatibility/v1',
  request: { dimensionsField: null, inputTypes: null, hasEncodingFormat: true },
});

export const endpointModels: readonly EndpointModel[] = [
  openAi('text-embedding-3-small', 1_536, { min: 1 }),
  openAi('text-embedding-3-large', 3_072, { min: 1 }),
  openAi('text-embedding-ada-002', 1_536, []),
  voyage('voyage-3.5'),
  voyage('voyage-3.5-lite'),
  voyage('voyage-3-large'),
  cohere('embed-v4.0', 1_536, {
    tokensMax: 128_000,
    languages: 'multilingual',
    otherDimensions: [1_024, 512, 256],
  }),
  cohere('embed-english-v3.0', 1_024, {
    tokensMax: 512,
    languages: 'English',
    otherDimensions: [],
  }),
  cohere('embed-multilingual-v3.0', 1_024, {
    tokensMax: 512,
    languages: 'multilingual',
    otherDimensions: [],
  }),
];

/** The request to an endpoint whose model is not in the table. */
export const unknownModelRequest: EndpointRequest = openAiRequest;
