import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { OnnxSettings, TransformersLibrary } from '../transformers/library.ts';
import { EmbeddingFailed } from './embedding.ts';
import { loadSentenceModel } from './sentence-model.ts';
import { createSentenceModelProcess, createTransformersEmbedder } from './transformers.ts';

const settings = { provider: 'transformers', model: 'hub/model', cacheDir: '/cache' } as const;

/** Replaces the package, which is not a dependency; test/long runs the real one. */
function library(rows: (texts: readonly string[]) => number[][]) {
  const asked: (readonly string[])[] = [];
  const closed = { times: 0 };
  const extract = async (texts: readonly string[]) => {
    asked.push(texts);
    const table = rows(texts);
    return { dims: [table.length, table[0]?.length ?? 0], data: table.flat() };
  };
  const fake: TransformersLibrary = {
    env: { cacheDir: null, localModelPath: '', allowLocalModels: true, allowRemoteModels: true },
    pipeline: async () => extract,
  };
  /** Runs in this process instead of a child process. */
  const start = (own: OnnxSettings = settings) => {
    const loading = loadSentenceModel(own, async () => fake);
    return {
      request: async (texts: readonly string[]) => (await loading)(texts),
      [Symbol.asyncDispose]: async () => void closed.times++,
    };
  };
  return { fake, start, asked, closed };
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
