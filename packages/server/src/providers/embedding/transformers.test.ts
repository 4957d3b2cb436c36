import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { TransformersLibrary } from '../transformers/library.ts';
import { EmbeddingFailed } from './embedding.ts';
import { loadSentenceModel, type SentenceModelSettings } from './sentence-model.ts';
import { createSentenceModelProcess, createTransformersEmbedder } from './transformers.ts';

const settings = { provider: 'transformers', model: 'hub/model', cacheDir: '/cache' } as const;

/** Replaces the package, which is not a dependency; test/long runs the real one. */
function library(rows: (texts: readonly string[]) => number[][]) {
  const asked: (readonly string[])[] = [];
  const closed = { times: 0 };
  const poolings = new Set<unknown>();
  /** In the package, the length is a getter. */
  const tokenizer: { readonly model_max_length?: number } = Object.create({
    get model_max_length() {
      return 512;
    },
  });
  const run = async (texts: readonly string[], { pooling }: { pooling?: unknown } = {}) => {
    asked.push(texts);
    poolings.add(pooling);
    const table = rows(texts);
    return { dims: [table.length, table[0]?.length ?? 0], data: table.flat() };
  };
  const extract = Object.assign(run, { tokenizer });
  const fake: TransformersLibrary = {
    env: { cacheDir: null, localModelPath: '', allowLocalModels: true, allowRemoteModels: true },
    pipeline: async () => extract,
  };
  /** Runs in this process instead of a child process. */
  const start = (own: SentenceModelSettings = settings) => {
    const loading = loadSentenceModel(own, async () => fake);
    return {
      request: async (texts: readonly string[]) => (await loading)(texts),
      [Symbol.asyncDispose]: async () => void closed.times++,
    };
  };
  return { fake, start, asked, closed, poolings, tokenizer };
}

test('prefixes are added to queries and documents', async () => {
  const { start, asked, closed } = library((texts) => texts.map((text) => [text.length, 0]));
  const prefixed = { ...settings, queryPrefix: 'query: ', documentPrefix: 'passage: ' };
  const embedder = await createTransformersEmbedder(prefixed, start());
  expect(embedder).toMatchObject({ model: 'transformers:hub/model', dimensions: 2 });
  await embedder.embed(['a', 'b'], 'query');
  const vectors = await embedder.embed(['c'], 'document');
  expect(asked.slice(1)).toEqual([['query: a', 'query: b'], ['passage: c']]);
  expect(vectors).toEqual([Float32Array.of(1, 0)]);
  await embedder[Symbol.asyncDispose]();
  expect(closed.times).toBe(1);
});

const recipe = {
  pooling: 'cls',
  prefixes: { query: 'ask: ', document: '' },
  truncateTo: 2,
  layerNorm: false,
  tokensMax: 128,
  checksum: null,
} as const;

test('a recipe decides prefixes, pooling, and the length of texts and vectors', async () => {
  const { start, asked, poolings, tokenizer } = library((texts) => texts.map(() => [3, 4, 5]));
  const own = { ...settings, recipe };
  const embedder = await createTransformersEmbedder(own, start(own));
  expect(embedder.dimensions).toBe(2);
  expect(embedder.model).toMatch(/^transformers:hub\/model#[0-9a-f]{8}$/);
  const [vector] = await embedder.embed(['a'], 'query');
  await embedder.embed(['b'], 'document');
  expect(asked.slice(1)).toEqual([['ask: a'], ['b']]);
  expect([...poolings]).toEqual(['cls']);
  expect(tokenizer.model_max_length).toBe(128);
  // Of length 1 again, after the third number was removed.
  expect(vector?.[0]).toBeCloseTo(0.6);
  expect(vector?.[1]).toBeCloseTo(0.8);
});

test('texts are pooled by their last token alone, without the padding of a batch', async () => {
  const { start, asked } = library((texts) => texts.map(() => [1]));
  const own = { ...settings, recipe: { ...recipe, pooling: 'last', truncateTo: null } } as const;
  const embedder = await createTransformersEmbedder(own, start(own));
  expect(await embedder.embed(['a', 'b'], 'document')).toHaveLength(2);
  expect(asked.slice(1)).toEqual([['a'], ['b']]);
});

test('vectors are normalized by mean and variance before they are truncated', async () => {
  const { start } = library((texts) => texts.map(() => [1, 2, 6]));
  const own = { ...settings, recipe: { ...recipe, layerNorm: true } };
  const embedder = await createTransformersEmbedder(own, start(own));
  const [vector] = await embedder.embed(['a'], 'query');
  // The mean is 3: -2 and -1 are left.
  expect(vector?.[0]).toBeCloseTo(-2 / Math.sqrt(5));
  expect(vector?.[1]).toBeCloseTo(-1 / Math.sqrt(5));
});

test('vectors that are too short to be truncated are reported', async () => {
  const { start } = library((texts) => texts.map(() => [1]));
  const own = { ...settings, recipe };
  const call = createTransformersEmbedder(own, start(own));
  await expect(call).rejects.toThrow('vectors have 1 dimensions, not 2');
});

test('a folder is read without the network, a hub id from it', async () => {
  const { fake, start } = library((texts) => texts.map(() => [1]));
  const folder = { ...settings, model: tmpdir() };
  await createTransformersEmbedder(folder, start(folder));
  expect(fake.env).toMatchObject({ allowRemoteModels: false, allowLocalModels: true });
  await createTransformersEmbedder(settings, start());
  expect(fake.env).toMatchObject({ allowRemoteModels: true, cacheDir: '/cache' });
});

test('a model that returns a wrong number of vectors fails', async () => {
  const { start } = library(() => [[1, 2]]);
  const embedder = await createTransformersEmbedder(settings, start());
  await expect(embedder.embed(['a', 'b'], 'query')).rejects.toThrow('for 2 texts');
});

describe('in a child process', () => {
  const fixture = new URL('./fixtures/transformers.ts', import.meta.url).href;
  const start = (library = fixture) =>
    createTransformersEmbedder(settings, createSentenceModelProcess({ ...settings, library }));

  test('texts become unit vectors, and a bad text fails only its own call', async () => {
    await using embedder = await start();
    expect(embedder).toMatchObject({ model: 'transformers:hub/model', dimensions: 2 });
    const [vector] = await embedder.embed(['abc'], 'document');
    expect(vector?.[0]).toBeCloseTo(0.6);
    expect(vector?.[1]).toBeCloseTo(0.8);
    const error = await embedder.embed(['bad'], 'query').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EmbeddingFailed);
    expect(error).toMatchObject({ message: 'hub/model failed', unavailable: false });
    expect(await embedder.embed(['abc'], 'query')).toEqual([vector]);
  });

  test('a crash fails the current call as unavailable; the next one succeeds', async () => {
    await using embedder = await start();
    const error = await embedder.embed(['crash'], 'query').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'EmbeddingFailed', unavailable: true });
    expect(await embedder.embed(['abc'], 'query')).toHaveLength(1);
  });

  test('without the package the message names it and how to install it', async () => {
    const call = start('file:///nowhere/transformers.js');
    await expect(call).rejects.toThrow('npm install @huggingface/transformers');
    await expect(call).rejects.toBeInstanceOf(EmbeddingFailed);
  });
});
