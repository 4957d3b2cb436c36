import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { onlyMemoryResults } from '../../support/memory-results.ts';
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
    expect(none).toEqual({ results: [], facets: { memories: 0, audio_segments: 0 } });
  });

  it('the pipelines seed limit and threshold as published; what is given wins', async () => {
    const crowd = await service.createAccount();
    const memories = Array.from({ length: 100 }, (_, i) => ({ content: `gardening note ${i}` }));
    await crowd.client.memories.bulkCreate({ body: { memories } });
    const more = [{ content: 'gardening is mentioned once in this rather long line about trains' }];
    await crowd.client.memories.bulkCreate({ body: { memories: more } });
    const count = async (query: Record<string, unknown>) => {
      const body = { q: 'gardening note', ...query };
      return (await crowd.client.search.post({ body })).results.length;
    };
    expect(await count({ pipeline: 'precise' })).toBe(10);
    expect(await count({ pipeline: 'balanced' })).toBe(20);
    expect(await count({ pipeline: 'broad' })).toBe(100);
    expect(await count({ pipeline: 'precise', limit: 15 })).toBe(15);
    expect(await count({ pipeline: 'precise', limit: 50, threshold: 0.999 })).toBe(0);
    for (const [pipeline, threshold] of [
      ['precise', 0.4],
      ['balanced', 0.1],
      ['broad', 0],
    ] as const) {
      const q = 'what about gardening, trains and lines?';
      const named = await crowd.client.search.post({ body: { q, pipeline, limit: 100 } });
      const plain = await crowd.client.search.post({ body: { q, threshold, limit: 100 } });
      expect(named).toEqual(plain);
    }
  });

  it('priority biases mildly: it decides among equals, not over a better match', async () => {
    const twins = await service.createAccount();
    const { memories } = await twins.client.memories.bulkCreate({
      body: {
        memories: [
          { content: 'The blue bicycle is in the shed', priority: 0 },
          { content: 'The blue bicycle is in the hall', priority: 10 },
          { content: 'The blue bicycle is in the barn', priority: 5 },
          { content: 'A shed was painted', priority: 10 },
        ],
      },
    });
    expect(memories).toHaveLength(4);
    const order = async (q: string) =>
      onlyMemoryResults((await twins.client.search.post({ body: { q } })).results).map(
        ({ priority }) => priority,
      );
    expect((await order('blue bicycle')).slice(0, 3)).toEqual([10, 5, 0]);
    expect((await order('the blue bicycle is in the shed'))[0]).toBe(0);
  });

  it('scores never rise even where priority puts the lesser match first', async () => {
    const account = await service.createAccount();
    const memories = [
      { content: 'A blue bicycle in the shed', priority: 0, tags: ['better'] },
      { content: 'A blue bicycle in the barn', priority: 10, tags: ['lesser'] },
      { content: 'A violin concerto', priority: 5 },
    ];
    await account.client.memories.bulkCreate({ body: { memories } });
    const q = 'blue bicycle';
    const scoreOf = async (tag: string) =>
      (await account.client.search.post({ body: { q, tags: [tag] } })).results[0]?.score ?? 0;
    expect(await scoreOf('lesser')).toBeLessThan(await scoreOf('better'));
    const { results } = await account.client.search.post({ body: { q } });
    expect(onlyMemoryResults(results).map(({ priority }) => priority)).toEqual([10, 0]);
    expect(results[0]?.score).toBeGreaterThanOrEqual(results[1]?.score ?? 1);
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
      expect({
        ...told,
        results: told.results.map(({ why_matched: _, ...result }) => result),
      }).toEqual(plain);
    });

    it('ranks go over the whole result set, not over the page', async () => {
      const query = { q: 'tea report cat service museum', explain: true };
      const all = await client.search.get({ query });
      const page = await client.search.get({ query: { ...query, limit: 1, offset: 2 } });
      expect(page.results).toEqual(all.results.slice(2, 3));
    });
  });
});
