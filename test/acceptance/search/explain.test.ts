import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const contents = [
  'The gannet colony is on the northern cliff.',
  'A gannet dives from thirty metres.',
  'The lighthouse keeper repairs the boat.',
  'Invoices are due within thirty days.',
] as const;

const sumOf = (features: Record<string, number>): number =>
  Object.values(features).reduce((sum, value) => sum + value, 0);
const logOdds = (score: number): number => Math.log(score / (1 - score));

describe.each(engines)('explained searches on %s', (engine) => {
  let service: Service;
  let client: Awaited<ReturnType<Service['createAccount']>>['client'];
  let ids: string[];
  beforeAll(async () => {
    // A clock that stands: no access is recorded between two searches that are compared.
    service = await startService(engine, { overrides: { clock: createFakeClock() } });
    ({ client } = await service.createAccount());
    const { memories } = await client.memories.bulkCreate({
      body: { memories: contents.map((content, i) => ({ content, tags: [`tag${i}`] })) },
    });
    ids = memories.map(({ id }) => id);
  });
  afterAll(() => service.stop());

  const search = (query: Record<string, unknown>) => client.search.post({ body: query as never });
  const texts = ({ results }: Awaited<ReturnType<typeof search>>): string[] =>
    onlyMemoryResults(results).map(({ content }) => content);

  it.each(['where do gannets nest?', 'a gannet dives from thirty metres', 'boat', 'the and of'])(
    'the contributions of the features are the log-odds of the score: %s',
    async (q) => {
      const { results } = await search({ q, explain: true });
      expect(results).toHaveLength(contents.length);
      for (const { score, why_matched: why } of results) {
        expect(sumOf(why?.features ?? {})).toBeCloseTo(logOdds(score), 6);
      }
    },
  );

  it('why explains the place of a result as the result itself does', async () => {
    const q = 'where do gannets nest?';
    const { results, why } = await search({ q, explain: true, why: ids[1] });
    const rank = results.findIndex(({ id }) => id === ids[1]);
    expect(why).toMatchObject({
      id: ids[1],
      reason: 'ranked',
      rank: rank + 1,
      score: results[rank]?.score,
      why_matched: { features: results[rank]?.why_matched?.features },
    });
    expect(why?.ahead?.id).toBe(results[0]?.id);
    const difference = logOdds(results[0]?.score ?? 0) - logOdds(why?.score ?? 0);
    expect(sumOf(why?.ahead?.differences ?? {})).toBeCloseTo(difference, 6);
  });

  it('why names the reason where the memory is no result', async () => {
    const q = 'gannet';
    const reason = async (query: Record<string, unknown>, id = ids[1]) =>
      (await search({ q, why: id, ...query })).why?.reason;
    expect(await reason({ threshold: 0.9999 })).toBe('below_threshold');
    expect(await reason({ tags: ['tag0'] })).toBe('filtered');
    expect(await reason({ q: 'gannet -dives' })).toBe('filtered');
    expect(await reason({ q: 'gannet +"the cliff"' })).toBe('filtered');
    expect(await reason({}, ids[3])).toBe('no_match');
    const other = await service.createAccount();
    const { id } = await other.client.memories.create({ body: { content: 'A gannet' } });
    expect(await reason({}, id)).toBe('not_found');
    expect((await search({ q })).why).toBeUndefined();
  });

  it('the nearest others fill a first page, after the matches and not counted', async () => {
    const page = await search({ q: 'gannet' });
    expect(page.facets.memories).toBe(2);
    expect(page.results).toHaveLength(contents.length);
    expect(texts(page).slice(0, 2).sort()).toEqual([contents[1], contents[0]].sort());
    const scores = page.results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(scores.length);
    expect((await search({ q: 'gannet', offset: 2 })).results).toEqual([]);
    expect((await search({ q: 'gannet', threshold: 0.000001 })).results.length).toBe(2);
  });

  it('what fills a page obeys filters and exclusions', async () => {
    expect(texts(await search({ q: 'gannet', tags: ['tag2'] }))).toEqual([contents[2]]);
    expect(texts(await search({ q: 'gannet -boat' }))).not.toContain(contents[2]);
    expect(texts(await search({ q: 'gannet -"due within"' }))).not.toContain(contents[3]);
  });

  it('a phrase in quotes is preferred, and required where it is marked by +', async () => {
    const preferred = await search({ q: 'gannet "thirty metres"' });
    expect(texts(preferred)[0]).toBe(contents[1]);
    expect(preferred.facets.memories).toBeGreaterThan(1);
    expect(texts(await search({ q: 'gannet +"northern cliff"' }))).toEqual([contents[0]]);
  });

  it('pages continue each other without repetition', async () => {
    const account = await service.createAccount();
    const memories = Array.from({ length: 30 }, (_, i) => ({ content: `Gannet number ${i} flew` }));
    await account.client.memories.bulkCreate({ body: { memories } });
    const page = async (offset: number, limit: number) =>
      (await account.client.search.post({ body: { q: 'gannet', offset, limit } })).results;
    const pages = [await page(0, 10), await page(10, 10), await page(20, 10)];
    expect(pages.flat()).toEqual(await page(0, 30));
  });

  it('single characters of identifiers match nothing by themselves', async () => {
    const account = await service.createAccount();
    await account.client.memories.create({ body: { content: 'tern9d is idle' } });
    const found = async (q: string) =>
      (await account.client.search.global({ query: { q } })).results.memory.length;
    expect([await found('gannet9d'), await found('tern9d')]).toEqual([0, 1]);
  });
});
