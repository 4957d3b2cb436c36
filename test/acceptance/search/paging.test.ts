import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const words = ['apple', 'river', 'engine', 'violin', 'harbour', 'paper', 'winter'];

describe.each(engines)('search paging on %s', (engine) => {
  let service: Service;
  let client: Awaited<ReturnType<Service['createAccount']>>['client'];
  const stored = new Set<string>();

  beforeAll(async () => {
    // Standing timers: no access is recorded between two searches that are compared.
    service = await startService(engine, { overrides: { clock: createFakeClock() } });
    ({ client } = await service.createAccount());
    const contents = Array.from({ length: 180 }, (_, i) => {
      const other = words[i % words.length];
      return i % 3 === 0 ? `Journey ${i} by ${other}` : `A journey with ${other}, note ${i}`;
    });
    for (let from = 0; from < contents.length; from += 90) {
      const memories = contents.slice(from, from + 90).map((content, i) => ({
        content,
        priority: i % 11,
        tags: i % 2 === 0 ? ['even'] : [],
      }));
      const made = await client.memories.bulkCreate({ body: { memories } });
      for (const { id } of made.memories) stored.add(id);
    }
  });
  afterAll(() => service.stop());

  /** All pages of a query, one after the other. */
  async function pages(query: { q: string; limit: number; tags?: string[] }) {
    const all: { id: string; score: number }[] = [];
    for (let offset = 0; ; offset += query.limit) {
      const { results, facets } = await client.search.post({ body: { ...query, offset } });
      all.push(...results);
      if (results.length < query.limit) return { all, facets };
    }
  }

  it.each([1, 7, 50, 100])('pages of %i never repeat or lose a result', async (limit) => {
    const tags = limit === 1 ? { tags: ['even'] } : {};
    const { all, facets } = await pages({ q: 'journey by river', limit, ...tags });
    const ids = all.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(facets.memories);
    expect(ids).toHaveLength(limit === 1 ? 90 : 180);
    expect(ids.every((id) => stored.has(id))).toBe(true);
  });

  it('the score never rises from one page to the next', async () => {
    const { all } = await pages({ q: 'journey by river', limit: 13 });
    const scores = all.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it('a page is the same cut of the same order, whatever its size', async () => {
    const q = 'winter journey';
    const whole = await client.search.post({ body: { q, limit: 100 } });
    const part = await client.search.post({ body: { q, limit: 10, offset: 35 } });
    expect(part.results).toEqual(whole.results.slice(35, 45));
  });

  it('facets count the whole result set on every page', async () => {
    const q = 'journey';
    for (const place of [{ limit: 1 }, { limit: 100, offset: 50 }, { offset: 10_000 }]) {
      const { facets } = await client.search.post({ body: { q, ...place } });
      expect(facets).toEqual({ memories: 180, audio_segments: 0 });
    }
  });

  it('an offset past the end gives an empty page', async () => {
    const { results } = await client.search.post({ body: { q: 'journey', offset: 180 } });
    expect(results).toEqual([]);
  });
});
