import { expect, test } from 'vitest';
import type { OpenAiSettings, TransformersSettings } from './embedding.ts';
import {
  fingerprintOf,
  type RecipeOverrides,
  withEndpointRecipe,
  withLocalRecipe,
} from './recipe.ts';

const none: RecipeOverrides = {
  queryPrefix: null,
  documentPrefix: null,
  pooling: null,
  dimensions: null,
};
const local: TransformersSettings = { provider: 'transformers', model: 'x', cacheDir: '/models' };
const endpoint = (model: string, dimensions?: number): OpenAiSettings => ({
  provider: 'openai',
  url: 'http://127.0.0.1/v1',
  model,
  timeoutMs: 1_000,
  batchSize: 8,
  ...(dimensions === undefined ? {} : { dimensions }),
});

test('a known model has the pooling and the prefixes of the table, not those of its files', () => {
  const files = { pooling: 'mean', prefixes: { query: 'wrong' } } as const;
  const { recipe } = withLocalRecipe(local, none, 'Xenova/bge-small-en-v1.5', files);
  expect(recipe).toMatchObject({
    pooling: 'cls',
    prefixes: {
      query: 'Represent this sentence for searching relevant passages: ',
      document: '',
    },
    truncateTo: null,
  });
});

test('another model has those of its files, and settings replace either', () => {
  const files = { pooling: 'cls', prefixes: { query: 'ask: ', document: 'text: ' } } as const;
  expect(withLocalRecipe(local, none, 'own', files).recipe).toMatchObject(files);
  const overrides = { ...none, pooling: 'last', queryPrefix: '' } as const;
  expect(withLocalRecipe(local, overrides, 'own', files).recipe).toMatchObject({
    pooling: 'last',
    prefixes: { query: '', document: 'text: ' },
  });
});

test('a model whose vectors are as before keeps its name', () => {
  const prefixed = { ...none, queryPrefix: 'query: ', documentPrefix: 'passage: ' };
  for (const [overrides, name] of [
    [none, 'Xenova/gte-small'],
    [none, 'own'],
    [prefixed, 'Xenova/e5-small-v2'],
  ] as const) {
    const settings = withLocalRecipe(local, overrides, name, {});
    expect(settings.recipe).toBeUndefined();
    expect(fingerprintOf(settings.recipe)).toBe('');
  }
  expect(withLocalRecipe(local, prefixed, 'Xenova/e5-small-v2', {})).toMatchObject({
    queryPrefix: 'query: ',
    documentPrefix: 'passage: ',
  });
});

test('each recipe has a name of its own', () => {
  const recipe = withLocalRecipe(local, none, 'bge-small-en-v1.5', {}).recipe;
  if (!recipe) throw new Error('no recipe');
  const others = [
    recipe,
    { ...recipe, pooling: 'mean' as const },
    { ...recipe, prefixes: { query: '', document: '' } },
    { ...recipe, truncateTo: 256 },
    { ...recipe, layerNorm: true },
    { ...recipe, tokensMax: 128 },
    { ...recipe, checksum: 'a' },
  ].map(fingerprintOf);
  expect(new Set(others).size).toBe(others.length);
  for (const suffix of others) expect(suffix).toMatch(/^#[0-9a-f]{8}$/);
});

test('vectors are truncated only to dimensions that the model offers', () => {
  const to = (dimensions: number, name: string) =>
    withLocalRecipe(local, { ...none, dimensions }, name, {}).recipe;
  expect(to(256, 'nomic-embed-text-v1.5')).toMatchObject({ truncateTo: 256, layerNorm: true });
  expect(to(768, 'nomic-embed-text-v1.5')).toMatchObject({ truncateTo: null });
  expect(() => to(300, 'nomic-embed-text-v1.5')).toThrow(
    'nomic-embed-text-v1.5 cannot have 300 dimensions: set MNEME_EMBEDDING_DIMENSIONS to one of ' +
      '768, 512, 256, 128, 64',
  );
  expect(() => to(64, 'bge-m3')).toThrow('one of 1024');
  expect(() => to(100, 'gte-multilingual-base')).toThrow('any from 128 to 768');
});

test('requests differ by vendor', () => {
  const requestOf = (model: string, dimensions?: number) => {
    const overrides = { ...none, dimensions: dimensions ?? null };
    return withEndpointRecipe(endpoint(model, dimensions), overrides).recipe;
  };
  expect(requestOf('some-model')).toBeUndefined();
  expect(requestOf('text-embedding-3-small', 256)?.request.dimensionsField).toBe('dimensions');
  expect(requestOf('voyage-3.5', 2_048)?.request).toMatchObject({
    dimensionsField: 'output_dimension',
    inputTypes: { query: 'query', document: 'document' },
  });
  // Its endpoint has no field for dimensions: vectors are truncated here.
  expect(requestOf('embed-v4.0', 512)).toMatchObject({ truncateTo: 512 });
  expect(() => requestOf('text-embedding-ada-002', 512)).toThrow('cannot have 512 dimensions');
});

test('a local model behind an endpoint has its prefixes and another name', () => {
  const settings = withEndpointRecipe(endpoint('nomic-embed-text'), none);
  expect(settings.recipe?.prefixes).toEqual({
    query: 'search_query: ',
    document: 'search_document: ',
  });
  expect(fingerprintOf(settings.recipe)).toMatch(/^#/);
  const openai = withEndpointRecipe(endpoint('text-embedding-3-small'), none);
  expect(fingerprintOf(openai.recipe)).toBe('');
});
