import type { LocalModel, Prefixes } from './known-model.ts';

/**
 * Models with ONNX weights. Sources: the model cards, `1_Pooling/config.json` and the prompts of
 * the original repositories, and the metadata of the benchmark MTEB. Sizes are those of
 * `onnx/model_quantized.onnx`, rounded, plus 17 MB for a multilingual tokenizer.
 */

const noPrefixes: Prefixes = { query: '', document: '' };
const e5Prefixes: Prefixes = { query: 'query: ', document: 'passage: ' };
const passageQuery = 'Represent this sentence for searching relevant passages: ';
const retrievalPrefixes: Prefixes = { query: passageQuery, document: '' };

type Row = Omit<LocalModel, 'provider' | 'otherDimensions' | 'revision' | 'checksums'> &
  Partial<Pick<LocalModel, 'otherDimensions' | 'revision' | 'checksums'>>;

const local = (row: Row): LocalModel => ({
  provider: 'transformers',
  otherDimensions: [],
  revision: null,
  checksums: {},
  ...row,
});

/** Sizes that the models based on BERT share. */
const bertSmall = { dimensions: 384, parametersMillions: 33, downloadMegabytes: 35 };
const bertBase = { dimensions: 768, parametersMillions: 109, downloadMegabytes: 111 };
const bertLarge = { dimensions: 1_024, parametersMillions: 335, downloadMegabytes: 338 };

const bge = { tokensMax: 512, licence: 'MIT', languages: 'English' } as const;
const bgeEnglish = (size: string, facts: typeof bertSmall): LocalModel =>
  local({
    name: `bge-${size}-en-v1.5`,
    aliases: [`BAAI/bge-${size}-en-v1.5`, `Xenova/bge-${size}-en-v1.5`],
    repository: `Xenova/bge-${size}-en-v1.5`,
    ...facts,
    ...bge,
    pooling: 'cls',
    prefixes: retrievalPrefixes,
  });

const e5English = (size: string, facts: typeof bertSmall): LocalModel =>
  local({
    name: `e5-${size}-v2`,
    aliases: [`intfloat/e5-${size}-v2`, `Xenova/e5-${size}-v2`],
    repository: `Xenova/e5-${size}-v2`,
    ...facts,
    tokensMax: 512,
    licence: 'MIT',
    languages: 'English',
    pooling: 'mean',
    prefixes: e5Prefixes,
  });

const multilingualE5 = (
  size: string,
  facts: typeof bertSmall,
  pinned: Pick<Row, 'revision' | 'checksums'> = {},
): LocalModel =>
  local({
    name: `multilingual-e5-${size}`,
    aliases: [`intfloat/multilingual-e5-${size}`, `Xenova/multilingual-e5-${size}`],
    repository: `Xenova/multilingual-e5-${size}`,
    ...facts,
    tokensMax: 512,
    licence: 'MIT',
    languages: 'multilingual',
    pooling: 'mean',
    prefixes: e5Prefixes,
    ...pinned,
  });

const gteEnglish = (size: string, facts: typeof bertSmall): LocalModel =>
  local({
    name: `gte-${size}`,
    aliases: [`thenlper/gte-${size}`, `Xenova/gte-${size}`],
    repository: `Xenova/gte-${size}`,
    ...facts,
    tokensMax: 512,
    licence: 'MIT',
    languages: 'English',
    pooling: 'mean',
    prefixes: noPrefixes,
  });

const miniLm = (
  layers: string,
  facts: Pick<Row, 'parametersMillions' | 'downloadMegabytes' | 'tokensMax'>,
): LocalModel =>
  local({
    name: `all-minilm-${layers.toLowerCase()}-v2`,
    aliases: [`sentence-transformers/all-MiniLM-${layers}-v2`, `Xenova/all-MiniLM-${layers}-v2`],
    repository: `Xenova/all-MiniLM-${layers}-v2`,
    dimensions: 384,
    ...facts,
    licence: 'Apache-2.0',
    languages: 'English',
    pooling: 'mean',
    prefixes: noPrefixes,
  });

const arcticEnglish = (size: string, facts: typeof bertSmall): LocalModel =>
  local({
    name: `snowflake-arctic-embed-${size}`,
    aliases: [`Snowflake/snowflake-arctic-embed-${size}`],
    repository: `Snowflake/snowflake-arctic-embed-${size}`,
    ...facts,
    tokensMax: 512,
    licence: 'Apache-2.0',
    languages: 'English',
    pooling: 'cls',
    prefixes: retrievalPrefixes,
  });

const arcticMultilingual = (size: string, facts: typeof bertSmall): LocalModel =>
  local({
    name: `snowflake-arctic-embed-${size}-v2.0`,
    aliases: [`Snowflake/snowflake-arctic-embed-${size}-v2.0`],
    repository: `Snowflake/snowflake-arctic-embed-${size}-v2.0`,
    ...facts,
    otherDimensions: [256],
    tokensMax: 8_192,
    licence: 'Apache-2.0',
    languages: 'multilingual',
    pooling: 'cls',
    prefixes: { query: 'query: ', document: '' },
  });

export const localModels: readonly LocalModel[] = [
  bgeEnglish('small', bertSmall),
  bgeEnglish('base', bertBase),
  bgeEnglish('large', bertLarge),
  local({
    name: 'bge-m3',
    aliases: ['BAAI/bge-m3', 'Xenova/bge-m3'],
    repository: 'Xenova/bge-m3',
    dimensions: 1_024,
    tokensMax: 8_192,
    licence: 'MIT',
    languages: 'multilingual',
    pooling: 'cls',
    prefixes: noPrefixes,
    parametersMillions: 568,
    downloadMegabytes: 587,
  }),
  e5English('small', bertSmall),
  e5English('base', bertBase),
  e5English('large', bertLarge),
  multilingualE5(
    'small',
    { dimensions: 384, parametersMillions: 118, downloadMegabytes: 135 },
    {
      revision: '97cb8f96eaed1a1f0dac821239943e854fce9c36',
      checksums: {
        'onnx/model_quantized.onnx':
          'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
      },
    },
  ),
  multilingualE5('base', { dimensions: 768, parametersMillions: 278, downloadMegabytes: 296 }),
  multilingualE5(
    'large',
    { dimensions: 1_024, parametersMillions: 560, downloadMegabytes: 579 },
    {
      revision: '661f5147004ffdd4bcb181cd195e9cc9981e8dc4',
      checksums: {
        'onnx/model_quantized.onnx':
          '0a8d65db9a36f810ba5da15249f13145fcdc7890e6656f1fd38cd8b7c4db1fca',
      },
    },
  ),
  gteEnglish('small', bertSmall),
  gteEnglish('base', bertBase),
  gteEnglish('large', bertLarge),
  local({
    name: 'gte-multilingual-base',
    aliases: ['Alibaba-NLP/gte-multilingual-base', 'onnx-community/gte-multilingual-base'],
    repository: 'onnx-community/gte-multilingual-base',
    dimensions: 768,
    otherDimensions: { min: 128 },
    tokensMax: 8_192,
    licence: 'Apache-2.0',
    languages: 'multilingual',
    pooling: 'cls',
    prefixes: noPrefixes,
    parametersMillions: 305,
    downloadMegabytes: 325,
  }),
  miniLm('L6', { parametersMillions: 23, downloadMegabytes: 24, tokensMax: 256 }),
  miniLm('L12', { parametersMillions: 33, downloadMegabytes: 35, tokensMax: 128 }),
  local({
    name: 'nomic-embed-text-v1.5',
    aliases: ['nomic-ai/nomic-embed-text-v1.5', 'nomic-embed-text'],
    repository: 'nomic-ai/nomic-embed-text-v1.5',
    dimensions: 768,
    otherDimensions: [512, 256, 128, 64],
    tokensMax: 8_192,
    licence: 'Apache-2.0',
    languages: 'English',
    pooling: 'mean',
    prefixes: { query: 'search_query: ', document: 'search_document: ' },
    layerNormBeforeTruncation: true,
    parametersMillions: 137,
    downloadMegabytes: 139,
  }),
  arcticEnglish('xs', { dimensions: 384, parametersMillions: 23, downloadMegabytes: 24 }),
  arcticEnglish('s', bertSmall),
  arcticEnglish('m', bertBase),
  arcticEnglish('l', bertLarge),
  arcticMultilingual('m', { dimensions: 768, parametersMillions: 305, downloadMegabytes: 325 }),
  arcticMultilingual('l', { dimensions: 1_024, parametersMillions: 568, downloadMegabytes: 587 }),
];
