import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChatReply, jsonReply } from '../../support/language-endpoint.ts';
import {
  type QueryModelService,
  startQueryModelService,
} from '../../support/query-model-service.ts';
import { oneEngine, startService } from '../../support/service.ts';

const q = 'Was there trouble on the trip?';
const lost = 'Lufthansa mislaid a green suitcase in Madrid.';
const rewrite = 'green suitcase mislaid Lufthansa';

/** So many memories that the one without a word of the query is not among its first 50. */
const contents = [
  lost,
  ...Array.from({ length: 80 }, (_, i) => `The trip number ${i} had no trouble, note ${i}.`),
];

describe.each(oneEngine)('rewrite of a query on %s', (engine) => {
  let models: QueryModelService;
  let client: Client;
  let lostId = '';

  beforeAll(async () => {
    models = await startQueryModelService(engine);
    ({ client } = await models.service.createAccount('enterprise'));
    lostId = await fill(client);
  });
  afterAll(() => models[Symbol.asyncDispose]());

  async function fill(one: Client): Promise<string> {
    const memories = contents.map((content) => ({ content }));
    const { memories: created } = await one.memories.bulkCreate({ body: { memories } });
    return created[0]?.id ?? '';
  }

  /** Without the reranker, which has tests of its own. */
  const search = (body: object = {}, one = client) =>
    one.search.post({ body: { q, rerank: false, ...body } });
  /** What no earlier test has cached. */
  const newQuery = (number: number): string => `Was there any trouble on trip ${number} of mine?`;

  it('finds what only a rewrite finds, and says so, by GET and POST', async () => {
    models.rewriteTo(rewrite);
    const plain = await search();
    expect(plain.results.map(({ id }) => id)).not.toContain(lostId);
    expect(plain).not.toHaveProperty('rewrite');
    const posted = await search({ rewrite: true });
    expect(posted.rewrite).toEqual({ status: 'applied', queries: [rewrite], model: 'small-1' });
    const found = posted.results.find(({ id }) => id === lostId);
    expect(found).toMatchObject({ found_by: rewrite });
    expect(posted.results.filter(({ found_by: by }) => by !== undefined)).toEqual([found]);
    const got = await client.search.get({ query: { q, rerank: false, rewrite: true } });
    expect(got.results).toEqual(posted.results);
    expect(got.rewrite).toEqual(posted.rewrite);
  });

  it('keeps scores from 0 to 1 that never rise down the list', async () => {
    models.rewriteTo(rewrite, 'trip number 7');
    const { results } = await search({ q: newQuery(1), rewrite: true, limit: 100 });
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  });

  it.each<[string, ChatReply, string]>([
    ['stalls', 'never', 'timeout'],
    ['never ends its response', 'begun', 'timeout'],
    ['closes the connection', 'gone', 'failed'],
    ['responds 500', { status: 500 }, 'failed'],
    ['responds 429', { status: 429, retryAfter: '60' }, 'failed'],
    ['responds with no JSON', { content: 'Sure! Here are some.' }, 'failed'],
    ['responds with another schema', jsonReply({ texts: ['x'] }), 'failed'],
    [
      'responds with unusable texts',
      jsonReply({ queries: ['', '?!', 'y'.repeat(10_000)] }),
      'failed',
    ],
    ['has no rewrites', jsonReply({ queries: [] }), 'no_rewrites'],
    [
      'repeats the query',
      jsonReply({ queries: ['was there trouble, on the TRIP'] }),
      'no_rewrites',
    ],
  ])('leaves the plain results where the model %s', async (_, reply, status) => {
    models.endPause();
    const { client: one } = await models.service.createAccount('enterprise');
    await fill(one);
    const plain = await search({}, one);
    models.chat.setReplies('rewrites', reply);
    const start = performance.now();
    const { rewrite: report, ...rest } = await search({ rewrite: true }, one);
    expect(performance.now() - start).toBeLessThan(13_000);
    expect(report).toEqual({ status, queries: [], model: 'small-1' });
    expect(rest).toEqual(plain);
  });

  it('stops calling a model that fails again and again, for some seconds', async () => {
    models.endPause();
    models.chat.setReplies('rewrites', { status: 503 });
    const statuses: (string | undefined)[] = [];
    for (let i = 10; i < 14; i += 1) {
      statuses.push((await search({ q: newQuery(i), rewrite: true })).rewrite?.status);
    }
    expect(statuses).toEqual(['failed', 'failed', 'failed', 'paused']);
    models.endPause();
    models.rewriteTo(rewrite);
    expect((await search({ q: newQuery(14), rewrite: true })).rewrite?.status).toBe('applied');
  });

  it('uses what the model writes as plain text of limited length only', async () => {
    models.rewriteTo(
      '-suitcase +"no such phrase" space:other',
      '<script>alert(1)</script>\n\u0007 suitcase',
      'z'.repeat(10_000),
      'third text',
      'fourth text',
    );
    const { results, rewrite: report } = await search({ q: newQuery(20), rewrite: true });
    expect(report?.queries).toEqual([
      '-suitcase +"no such phrase" space:other',
      '<script>alert(1)</script> suitcase',
      'third text',
    ]);
    expect(results.map(({ id }) => id)).toContain(lostId);
  });

  it('keeps phrases and exclusions of the query', async () => {
    models.rewriteTo(rewrite);
    const excluded = await search({ q: `${newQuery(21)} -suitcase`, rewrite: true });
    expect(excluded.rewrite?.status).toBe('applied');
    expect(excluded.results.map(({ id }) => id)).not.toContain(lostId);
    const required = await search({ q: `${newQuery(22)} +"trip number 7"`, rewrite: true });
    expect(required.rewrite?.status).toBe('applied');
    expect(required.results.length).toBeGreaterThan(0);
    for (const { highlight } of required.results) expect(highlight).toContain('trip number 7');
  });

  it('sends the model the query and the date, and no memory', async () => {
    models.rewriteTo(rewrite);
    const before = models.rewriteRequests().length;
    await search({ q: `${newQuery(23)} -secret`, rewrite: true });
    const [request] = models.rewriteRequests().slice(before);
    const [system, user] = request?.messages ?? [];
    expect(JSON.parse(user?.content ?? '')).toEqual({
      today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      query: newQuery(23),
    });
    expect(system?.content).not.toMatch(/suitcase|trip/);
  });

  it('keeps rewrites of one account from every other, and its memories', async () => {
    models.rewriteTo(rewrite);
    const other = await models.service.createAccount('enterprise');
    const otherId = await fill(other.client);
    const count = async (one: Client): Promise<number> => {
      const before = models.rewriteRequests().length;
      const { results } = await search({ q: newQuery(24), rewrite: true }, one);
      const own = one === client ? lostId : otherId;
      const ids = results.map(({ id }) => id);
      expect(ids).toContain(own);
      expect(ids).not.toContain(own === lostId ? otherId : lostId);
      return models.rewriteRequests().length - before;
    };
    expect([await count(client), await count(client)]).toEqual([1, 0]);
    expect([await count(other.client), await count(other.client)]).toEqual([1, 0]);
  });

  it('counts as one search', async () => {
    models.rewriteTo(rewrite, 'a second text', 'a third text');
    const { client: one } = await models.service.createAccount('pro');
    await fill(one);
    const before = (await one.account.get()).usage.searches;
    await search({ rewrite: true }, one);
    expect((await one.account.get()).usage.searches).toBe(before + 1);
  });

  it.each([7, 33, 100])('has pages of %i that neither repeat nor lose a result', async (limit) => {
    models.rewriteTo(rewrite, 'note 79', 'note 78');
    const body = { q: newQuery(30 + limit), rewrite: true, limit };
    const pages: string[] = [];
    let total = 0;
    for (let offset = 0; offset <= total; offset += limit) {
      const page = await search({ ...body, offset });
      // The model changes its mind, but later pages continue the first.
      models.rewriteTo('something else');
      total = page.pagination.total;
      expect(page.rewrite?.queries).toContain(rewrite);
      expect(page.facets.memories).toBe(total);
      pages.push(...page.results.map(({ id }) => id));
    }
    expect(new Set(pages).size).toBe(pages.length);
    expect(pages).toHaveLength(total);
    expect(pages).toContain(lostId);
  });

  it('continues plain pages after a failure on the first', async () => {
    models.endPause();
    const body = { q: newQuery(40), rewrite: true, limit: 40 };
    models.chat.setReplies('rewrites', { status: 400 });
    const first = await search(body);
    models.rewriteTo(rewrite);
    const second = await search({ ...body, offset: 40 });
    expect([first.rewrite?.status, second.rewrite?.status]).toEqual(['failed', 'failed']);
    const ids = [...first.results, ...second.results].map(({ id }) => id);
    expect(new Set(ids).size).toBe(80);
  });

  it('is a part of batches and of recall', async () => {
    models.rewriteTo(rewrite);
    const queries = [
      { q: newQuery(50), rewrite: true, rerank: false },
      { q, rerank: false },
    ];
    const { results } = await client.search.batch({ body: { queries } });
    expect(results).toMatchObject([{ rewrite: { status: 'applied' } }, {}]);
    expect(results[1]).not.toHaveProperty('rewrite');
    const recalled = await client.search.recall({
      body: { query: newQuery(51), rewrite: true, rerank: false, max_memories: 10 },
    });
    expect(recalled.rewrite).toMatchObject({ status: 'applied', queries: [rewrite] });
    expect(recalled.memories.find(({ id }) => id === lostId)).toMatchObject({ found_by: rewrite });
    expect(recalled.context).toContain('green suitcase');
  });
});

describe.each(oneEngine)('models that are not configured on %s', (engine) => {
  it('leave the plain results, and the response says so', async () => {
    const service = await startService(engine);
    try {
      const { client } = await service.createAccount();
      await client.memories.create({ body: { content: lost } });
      const plain = await client.search.post({ body: { q } });
      expect(plain).not.toHaveProperty('rerank');
      const {
        rewrite: rewritten,
        rerank,
        ...rest
      } = await client.search.post({
        body: { q, rewrite: true, rerank: true },
      });
      expect(rewritten).toEqual({ status: 'not_configured', queries: [], model: null });
      expect(rerank).toEqual({ status: 'not_configured', model: null, candidates: 0 });
      expect(rest).toEqual(plain);
    } finally {
      await service.stop();
    }
  });
});
