import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import type { TransformersLibrary } from '../transformers/library.ts';
import { createEmbedder } from './index.ts';
import { createTransformersEmbedder } from './transformers.ts';

const settings = { provider: 'transformers', model: 'hub/model', cacheDir: '/cache' } as const;

/** Stands for the package, which is no dependency; test/long runs the real one. */
function library(rows: (texts: string[]) => number[][]) {
  const asked: string[][] = [];
  const closed = { times: 0 };
  const extract = async (texts: string[]) => {
    asked.push(texts);
    const table = rows(texts);
    return { dims: [table.length, table[0]?.length ?? 0], data: table.flat() };
  };
  const dispose = async () => void closed.times++;
  const fake: TransformersLibrary = {
    env: { cacheDir: null, localModelPath: '', allowLocalModels: true, allowRemoteModels: true },
    pipeline: async () => Object.assign(extract, { dispose }),
  };
  return { fake, asked, closed };
}

test('prefixes are put before queries and documents', async () => {
  const { fake, asked, closed } = library((texts) => texts.map((text) => [text.length, 0]));
  const prefixed = { ...settings, queryPrefix: 'query: ', documentPrefix: 'passage: ' };
  const embedder = await createTransformersEmbedder(prefixed, async () => fake);
  expect(embedder).toMatchObject({ model: 'transformers:hub/model', dimensions: 2 });
  await embedder.embed(['a', 'b'], 'query');
  const vectors = await embedder.embed(['c'], 'document');
  expect(asked.slice(1)).toEqual([['query: a', 'query: b'], ['passage: c']]);
  expect(vectors).toEqual([Float32Array.of(1, 0)]);
  await embedder[Symbol.asyncDispose]();
  expect(closed.times).toBe(1);
});

test('a folder is read without the network, a hub id from it', async () => {
  const { fake } = library((texts) => texts.map(() => [1]));
  await createTransformersEmbedder({ ...settings, model: tmpdir() }, async () => fake);
  expect(fake.env).toMatchObject({ allowRemoteModels: false, allowLocalModels: true });
  await createTransformersEmbedder(settings, async () => fake);
  expect(fake.env).toMatchObject({ allowRemoteModels: true, cacheDir: '/cache' });
});

test('a model that gives another number of vectors fails', async () => {
  const { fake } = library(() => [[1, 2]]);
  const embedder = await createTransformersEmbedder(settings, async () => fake);
  await expect(embedder.embed(['a', 'b'], 'query')).rejects.toThrow('for 2 texts');
});

test('without the package the message names it and how to install it', async () => {
  const call = createEmbedder(settings);
  await expect(call).rejects.toThrow('npm install @huggingface/transformers');
});
