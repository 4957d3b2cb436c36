import type { ServerResponse } from 'node:http';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type QueryModelService,
  scoreBy,
  startQueryModelService,
} from '../../support/query-model-service.ts';
import { oneEngine } from '../../support/service.ts';
import { createRelationship } from '../relationships/relationship-requests.ts';

const q = 'Which journey was the best?';
const contents = Array.from({ length: 60 }, (_, i) => `A journey with a rank, note ${i}.`);
const numberOf = (text: string): number => Number(/note (\d+)/.exec(text)?.[1]);
const json = (value: unknown) => (_: unknown, response: ServerResponse) =>
  void response.end(JSON.stringify(value));

describe.each(oneEngine)('reranker on %s', (engine) => {
  let models: QueryModelService;
  let client: Client;

  beforeAll(async () => {
    models = await startQueryModelService(engine);
    ({ client } = await models.service.createAccount('enterprise'));
    await fill(client);
  });
  afterAll(() => models[Symbol.asyncDispose]());

  const fill = (one: Client, texts = contents) =>
    one.memories.bulkCreate({ body: { memories: texts.map((content) => ({ content })) } });
  const search = (body: object = {}, one = client) =>
    one.search.post({ body: { q, limit: 40, ...body } });
  const textsOf = ({ results }: Awaited<ReturnType<typeof search>>): string[] =>
    results.map((result) => (result.type === 'memory' ? result.content : ''));

  it.each([
    ['an oracle', 1],
    ['an inverted oracle', -1],
  ])('orders the best results as %s says, by GET and POST', async (_, sign) => {
    models.endPause();
    models.reranker.reply = scoreBy((text) => (sign * numberOf(text)) / 100);
    const plain = await search({ rerank: false });
    const reranked = await search();
    expect(reranked.rerank).toEqual({ status: 'applied', model: null, candidates: 40 });
    const expected = textsOf(plain).toSorted((a, b) => sign * (numberOf(b) - numberOf(a)));
    expect(textsOf(reranked)).toEqual(expected);
    expect(textsOf(reranked)).not.toEqual(textsOf(plain));
    const scoresOf = ({ results }: typeof plain) => results.map(({ score }) => score);
    // Scores change a little with time, and with the accesses that are recorded meanwhile.
    const [before, after] = [scoresOf(plain), scoresOf(await search({ rerank: false }))];
    for (const [place, score] of scoresOf(reranked).entries()) {
      const bounds = [before[place] as number, after[place] as number];
      expect(score).toBeGreaterThanOrEqual(Math.min(...bounds) - 1e-4);
      expect(score).toBeLessThanOrEqual(Math.max(...bounds) + 1e-4);
    }
    const got = await client.search.get({ query: { q, limit: 40 } });
    expect(textsOf(got)).toEqual(expected);
  });

  it('is not called with rerank=false', async () => {
    const before = models.reranker.requests.length;
    expect(await search({ rerank: false })).not.toHaveProperty('rerank');
    expect(models.reranker.requests).toHaveLength(before);
  });

  it('gets the form of Text Embeddings Inference without a model, 32 texts at a time', async () => {
    models.reranker.reply = scoreBy(numberOf);
    const before = models.reranker.requests.length;
    await search({ q: `${q} -train` });
    const sent = models.reranker.requests.slice(before);
    expect(sent.map(({ texts }) => texts?.length).sort()).toEqual([32, 8]);
    for (const request of sent) {
      expect(request).toEqual({ query: q, texts: expect.any(Array), truncate: true });
    }
  });

  const ranks = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, index) => ({ index, score: index / 100, ...more }));

  it.each<[string, (request: unknown, response: ServerResponse) => void, string]>([
    ['stalls', () => undefined, 'timeout'],
    ['never ends its response', (_, response) => void response.write('[{"index":0'), 'timeout'],
    ['closes the connection', (_, response) => void response.destroy(), 'failed'],
    ['responds 500', (_, response) => void response.writeHead(500).end(), 'failed'],
    ['responds 429', (_, response) => void response.writeHead(429).end(), 'failed'],
    ['redirects', (_, response) => void response.writeHead(302, { location: '/' }).end(), 'failed'],
    ['responds with garbage', (_, response) => void response.end('<html>'), 'failed'],
    ['has another schema', json({ data: ranks(8) }), 'failed'],
    ['scores too few', json(ranks(7)), 'failed'],
    ['scores too many', json(ranks(9)), 'failed'],
    ['scores one twice', json([...ranks(7), { index: 0, score: 1 }]), 'failed'],
    ['has an index out of range', json([...ranks(7), { index: 8, score: 1 }]), 'failed'],
    ['has no number', json([...ranks(7), { index: 7, score: null }]), 'failed'],
    [
      'has a number that is not finite',
      (_, response) => void response.end('[{"index":0,"score":1e999}]'),
      'failed',
    ],
  ])('leaves the order where it %s', async (_, reply, status) => {
    models.endPause();
    const { client: one } = await models.service.createAccount('enterprise');
    await fill(one, contents.slice(0, 8));
    const plain = await search({ rerank: false }, one);
    models.reranker.reply = reply;
    const { rerank, ...rest } = await search({}, one);
    expect(rerank).toEqual({ status, model: null, candidates: 8 });
    expect(rest).toEqual(plain);
  });

  it.each([7, 25, 100])('has pages of %i that neither repeat nor lose a result', async (limit) => {
    models.endPause();
    models.reranker.reply = scoreBy(numberOf);
    const pages: string[] = [];
    for (let offset = 0; offset < contents.length; offset += limit) {
      const page = await search({ limit, offset });
      expect(page.rerank?.status).toBe('applied');
      // Whatever the reranker says later, the order of the first page continues.
      models.reranker.reply = (_, response) => void response.writeHead(500).end();
      pages.push(...textsOf(page));
    }
    expect(new Set(pages).size).toBe(contents.length);
    const head = pages.slice(0, 40).map(numberOf);
    expect(head).toEqual(head.toSorted((a, b) => b - a));
  });

  it('leaves exact texts first, with .9 or more', async () => {
    models.endPause();
    models.reranker.reply = scoreBy((text) => -numberOf(text));
    const exact = await search({ q: 'A journey with a rank, note 59.', limit: 3 });
    expect(exact.rerank?.status).toBe('applied');
    expect(textsOf(exact)[0]).toBe('A journey with a rank, note 59.');
    expect(exact.results[0]?.score).toBeGreaterThanOrEqual(0.9);
    const phrase = await search({ q: '"rank, note 42"', limit: 3 });
    expect(textsOf(phrase)).toEqual(['A journey with a rank, note 42.']);
  });

  it('leaves outdated memories behind what supersedes them', async () => {
    models.endPause();
    const { client: one } = await models.service.createAccount('enterprise');
    const { memories } = await fill(one, contents.slice(0, 6));
    const [old, , , recent] = memories.map(({ id }) => id);
    await createRelationship(one, recent ?? '', old ?? '', { type: 'supersedes' });
    // Prefers the outdated memory to all others.
    models.reranker.reply = scoreBy((text) => (numberOf(text) === 0 ? 1 : numberOf(text) / 100));
    const { results, rerank } = await search({}, one);
    expect(rerank?.status).toBe('applied');
    expect(results.map(({ id }) => id).slice(0, 2)).toEqual([recent, old]);
  });

  it('orders recall, and never sees what the caller may not read', async () => {
    models.endPause();
    models.reranker.reply = scoreBy(numberOf);
    const other = await models.service.createAccount('enterprise');
    await fill(other.client, ['A journey with a rank, note 1000.']);
    const before = models.reranker.requests.length;
    const body = { query: q, max_memories: 10, include_related: false };
    const recalled = await client.search.recall({ body });
    expect(recalled.rerank).toMatchObject({ status: 'applied', candidates: 40 });
    const numbers = recalled.memories.map(({ content }) => numberOf(content));
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    const sent = models.reranker.requests.slice(before).flatMap(({ texts }) => texts ?? []);
    expect(sent.map(numberOf)).not.toContain(1000);
    const plain = await client.search.recall({ body: { ...body, rerank: false } });
    expect(plain).not.toHaveProperty('rerank');
  });

  it('works with rewrites: what they find is reordered, too', async () => {
    models.endPause();
    // The rewrite repeats a memory: the others may move nevertheless.
    models.rewriteTo('A journey with a rank, note 3.');
    models.reranker.reply = scoreBy(numberOf);
    const page = await search({ rewrite: true });
    expect([page.rewrite?.status, page.rerank?.status]).toEqual(['applied', 'applied']);
    const numbers = textsOf(page).slice(0, 40).map(numberOf);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  });
});

describe.each(oneEngine)('reranker with a model name on %s', (engine) => {
  it('gets the form of Cohere and Jina, and no longer works when the client has gone', async () => {
    await using models = await startQueryModelService(engine, {
      rerankModel: 'rerank-1',
      waitMs: 20_000,
    });
    const { client, key } = await models.service.createAccount('enterprise');
    const memories = contents.slice(0, 5).map((content) => ({ content }));
    await client.memories.bulkCreate({ body: { memories } });
    models.reranker.reply = scoreBy(numberOf);
    const { rerank } = await client.search.post({ body: { q } });
    expect(rerank).toEqual({ status: 'applied', model: 'rerank-1', candidates: 5 });
    expect(models.reranker.requests).toEqual([
      { model: 'rerank-1', query: q, documents: expect.any(Array), top_n: 5 },
    ]);

    const leaving = new AbortController();
    const cancelled = new Promise<void>((resolve) => {
      models.reranker.reply = (_, response) => {
        response.once('close', () => resolve());
        leaving.abort();
      };
    });
    const search = fetch(`${models.service.url}/v1/search?q=journey`, {
      headers: { authorization: `Bearer ${key}` },
      signal: leaving.signal,
    });
    await expect(search).rejects.toThrow('abort');
    await cancelled;
    // The service goes on.
    const plain = await client.search.post({ body: { q, rerank: false } });
    expect(plain.results).toHaveLength(5);
  });
});
