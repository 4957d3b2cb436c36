import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { emptySearch, onlyMemoryResults } from '../../support/memory-results.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const texts = [
  'Ana prefers tea over coffee in the morning.',
  'The quarterly report shows that revenue grew by twelve percent.',
  'Our cat sleeps on the red sofa all day.',
  'Deploy the service with kubectl apply and watch the rollout.',
  'The museum in Lisbon opens at ten and is closed on Mondays.',
  'To be or not to be',
  '今天的会议讨论了新的数据库迁移计划，并决定在下个月之前完成所有的测试工作。',
  'packages/server/src/http/bind.ts',
  'v1.2.3',
  '!!!',
];
/** Of more distinct words than any query of people. */
const long = Array.from({ length: 90 }, (_, i) => `word${i * 7}`).join(' ');

const unrelated = [
  'How do I bake sourdough bread?',
  'Submarine cables cross the ocean floor.',
  'The violin concerto was written in 1806.',
  'Which mushrooms are safe to eat?',
  'there they were about to be over there',
];

describe.each(engines)('search ranking on %s', (engine) => {
  let service: Service;
  let client: Awaited<ReturnType<Service['createAccount']>>['client'];

  beforeAll(async () => {
    // Standing timers: no access is recorded between two searches that are compared.
    service = await startService(engine, { overrides: { clock: createFakeClock() } });
    ({ client } = await service.createAccount());
    const memories = [...texts, long].map((content) => ({ content }));
    const { failed } = await client.memories.bulkCreate({ body: { memories } });
    expect(failed).toEqual([]);
  });
  afterAll(() => service.stop());

  it.each([...texts, long])(
    'an exact restatement scores at least .9 and is first: %s',
    async (q) => {
      const { results } = await client.search.post({ body: { q } });
      expect(onlyMemoryResults(results)[0]?.content).toBe(q);
      expect(results[0]?.score).toBeGreaterThanOrEqual(0.9);
    },
  );

  it.each(unrelated)('an unrelated text scores below .5: %s', async (q) => {
    const { results } = await client.search.post({ body: { q } });
    for (const { score } of results) expect(score).toBeLessThan(0.5);
  });

  it.each([...texts, ...unrelated, 'tea report cat service museum'])(
    'scores are in 0..1 and never rise down the list: %s',
    async (q) => {
      const { results } = await client.search.post({ body: { q, limit: 100 } });
      const scores = results.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      for (const score of scores) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }
    },
  );

  it('finds by meaning without a common word', async () => {
    const { results } = await client.search.get({ query: { q: 'what does she like to drink?' } });
    expect(onlyMemoryResults(results)[0]?.content).toBe(texts[0]);
  });

  it('threshold cuts on the score, and facets count what is left', async () => {
    const q = 'tea report cat service museum';
    const all = await client.search.post({ body: { q } });
    expect(all.results.length).toBeGreaterThan(3);
    const threshold = all.results[1]?.score ?? 1;
    const cut = await client.search.post({ body: { q, threshold } });
    expect(cut.facets.memories).toBe(cut.results.length);
    expect(cut.results.length).toBeLessThan(all.results.length);
    for (const { score } of cut.results) expect(score).toBeGreaterThanOrEqual(threshold);
    const none = await client.search.post({ body: { q, threshold: 1 } });
    expect(none).toEqual(emptySearch);
  });

  it('the pipelines seed limit and threshold as published; what is given wins', async () => {
    const crowd = await service.createAccount();
    const memories = Array.from({ length: 100 }, (_, i) => ({ content: `gardening note ${i}` }));
    await crowd.client.memories.bulkCreate({ body: { memories } });
    const more = [{ content: 'gardening is mentioned once in this rather long line about trains' }];
    await crowd.client.memories.bulkCreate({ body: { memories: more } });
    // A number is evidence for one of them; what is asked for in general is none in particular.
    const search = async (query: Record<string, unknown>) =>
      crowd.client.search.post({ body: { q: 'gardening note 7', ...query } });
    for (const [pipeline, limit, threshold] of [
      ['precise', 10, 0.5],
      ['balanced', 20, 0.2],
      ['broad', 100, 0],
    ] as const) {
      expect(await search({ pipeline })).toEqual(await search({ limit, threshold }));
      const more = await search({ pipeline, limit: 15 });
      expect(more).toEqual(await search({ limit: 15, threshold }));
    }
    expect((await search({ pipeline: 'precise' })).results).toHaveLength(1);
    expect((await search({ pipeline: 'broad' })).results).toHaveLength(100);
    expect((await search({ pipeline: 'broad', limit: 15 })).results).toHaveLength(15);
    expect((await search({ pipeline: 'precise', threshold: 0.9999 })).results).toHaveLength(0);
  });

  it('priority biases mildly: it decides among equals, not over a better match', async () => {
    const twins = await service.createAccount();
    const { memories } = await twins.client.memories.bulkCreate({
      body: {
        memories: [
          { content: 'The blue bicycle is in the shed', priority: 0 },
          { content: 'In the shed is the blue bicycle', priority: 10 },
          { content: 'The bicycle in the shed is blue', priority: 5 },
          { content: 'A barn was painted', priority: 0 },
        ],
      },
    });
    expect(memories).toHaveLength(4);
    const order = async (q: string) =>
      onlyMemoryResults((await twins.client.search.post({ body: { q } })).results).map(
        ({ priority }) => priority,
      );
    expect((await order('blue bicycle')).slice(0, 3)).toEqual([10, 5, 0]);
    expect((await order('which barn was painted?'))[0]).toBe(0);
  });

  it('scores never rise where priority decides the order', async () => {
    const account = await service.createAccount();
    const memories = [
      { content: 'A blue bicycle in the shed', priority: 0 },
      { content: 'In the shed, a blue bicycle', priority: 10 },
      { content: 'A violin concerto', priority: 5 },
    ];
    await account.client.memories.bulkCreate({ body: { memories } });
    const { results } = await account.client.search.post({ body: { q: 'blue bicycle' } });
    expect(onlyMemoryResults(results).map(({ priority }) => priority)).toEqual([10, 0, 5]);
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(3);
  });

  describe('explain', () => {
    it('is off unless asked for', async () => {
      const { results } = await client.search.get({ query: { q: 'tea' } });
      expect(results[0]).not.toHaveProperty('why_matched');
    });

    it('tells for each result why it matched', async () => {
      const q = 'coffee or tea for Ana';
      const { results } = await client.search.get({ query: { q, explain: true } });
      const [first] = onlyMemoryResults(results);
      expect(first?.content).toBe(texts[0]);
      expect(first?.why_matched).toEqual({
        semantic_rank: 1,
        semantic_score: expect.any(Number),
        keyword_rank: 1,
        keyword_score: expect.any(Number),
        matched_terms: expect.arrayContaining(['tea', 'ana']),
        features: expect.objectContaining({ keyword: expect.any(Number) }),
        priority_boost: expect.any(Number),
        salience_boost: expect.any(Number),
      });
      for (const { why_matched: why } of results) {
        const boosts = (why?.priority_boost ?? 0) * (why?.salience_boost ?? 0);
        expect(boosts).toBeGreaterThanOrEqual(1);
        expect(boosts).toBeLessThanOrEqual(1.15);
      }
    });

    it('says null for the list that a result is not in', async () => {
      const q = 'what does she like to drink?';
      const { results } = await client.search.get({ query: { q, explain: true } });
      expect(results[0]?.why_matched).toMatchObject({
        keyword_rank: null,
        keyword_score: null,
        matched_terms: [],
        semantic_rank: 1,
      });
    });

    it('changes nothing else in the answer', async () => {
      const q = 'coffee or tea for Ana';
      const plain = await client.search.get({ query: { q } });
      const told = await client.search.get({ query: { q, explain: true } });
      const results = told.results.map(({ why_matched: _, ...result }) => result);
      expect({ ...told, results, data: results }).toEqual(plain);
    });

    it('ranks go over the whole result set, not over the page', async () => {
      const query = { q: 'tea report cat service museum', explain: true };
      const all = await client.search.get({ query });
      const page = await client.search.get({ query: { ...query, limit: 1, offset: 2 } });
      expect(page.results).toEqual(all.results.slice(2, 3));
    });
  });
});
