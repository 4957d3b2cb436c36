import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('search filters on %s', (engine) => {
  let service: Service;
  let client: Awaited<ReturnType<Service['createAccount']>>['client'];
  let spaceId: string;

  beforeAll(async () => {
    service = await startService(engine);
    ({ client } = await service.createAccount());
    ({ id: spaceId } = await client.spaces.create({ body: { name: 'work' } }));
    const memories = [
      { content: 'Tea of January', tags: ['hot', 'green'], priority: 1, metadata: { cups: '1' } },
      { content: 'Tea of February', tags: ['hot'], priority: 5, occurred_at: '2020-02-02' },
      { content: 'Tea of March', tags: ['iced'], type: 'markdown' as const, priority: 9 },
      { content: 'Tea at work', tags: ['hot'], space_id: spaceId, metadata: { cups: '2' } },
      { content: 'Tea: https://example.org/tea', type: 'url' as const, tags: ['ünïcode tag'] },
    ];
    const { failed } = await client.memories.bulkCreate({ body: { memories } });
    expect(failed).toEqual([]);
  });
  afterAll(() => service.stop());

  /** Contents found under the filters, sorted; facets must count just those. */
  const found = async (query: Record<string, unknown>): Promise<string[]> => {
    const { results, facets } = await client.search.get({ query: { q: 'tea', ...query } });
    expect(facets.memories).toBe(results.length);
    return onlyMemoryResults(results)
      .map(({ content }) => content)
      .sort();
  };

  it('tags: all of them must match', async () => {
    expect(await found({ tags: 'hot' })).toEqual([
      'Tea at work',
      'Tea of February',
      'Tea of January',
    ]);
    expect(await found({ tags: 'hot,green' })).toEqual(['Tea of January']);
    expect(await found({ tags: 'hot,iced' })).toEqual([]);
    expect(await found({ tags: 'Hot' })).toEqual([]);
    expect(await found({ tags: 'ünïcode tag' })).toEqual(['Tea: https://example.org/tea']);
  });

  it('tags_any: any of them matches, and both kinds together narrow', async () => {
    expect(await found({ tags_any: 'green,iced' })).toEqual(['Tea of January', 'Tea of March']);
    expect(await found({ tags: 'hot', tags_any: 'green,iced' })).toEqual(['Tea of January']);
    expect(await found({ tags_any: 'none' })).toEqual([]);
  });

  it('content_type: just that type', async () => {
    expect(await found({ content_type: 'markdown' })).toEqual(['Tea of March']);
    expect(await found({ content_type: 'url' })).toEqual(['Tea: https://example.org/tea']);
    expect(await found({ content_type: 'image' })).toEqual([]);
  });

  it('min_priority: that priority and above', async () => {
    expect(await found({ min_priority: 5 })).toEqual(['Tea of February', 'Tea of March']);
    expect(await found({ min_priority: 10 })).toEqual([]);
    expect(await found({ min_priority: 0 })).toHaveLength(5);
  });

  it('created_after takes its instant in, created_before leaves it out', async () => {
    const { results } = await client.search.get({ query: { q: 'tea', limit: 1 } });
    const at = results[0]?.created_at ?? '';
    const later = new Date(Date.parse(at) + 60_000).toISOString();
    expect(await found({ created_after: at })).toContain(onlyMemoryResults(results)[0]?.content);
    expect(await found({ created_before: at })).not.toContain(
      onlyMemoryResults(results)[0]?.content,
    );
    expect(await found({ created_after: later })).toEqual([]);
    expect(await found({ created_before: later })).toHaveLength(5);
    expect(await found({ created_after: '2000-01-01', created_before: '2001-01-01' })).toEqual([]);
  });

  it('occurred_after and occurred_before go by when it happened, else by creation', async () => {
    expect(await found({ occurred_before: '2021-01-01' })).toEqual(['Tea of February']);
    expect(
      await found({
        occurred_after: '2020-02-02T00:00:00Z',
        occurred_before: '2020-02-02T01:00+01:00',
      }),
    ).toEqual([]);
    expect(
      await found({ occurred_after: '2020-02-02', occurred_before: '2020-02-02T00:00:00.001Z' }),
    ).toEqual(['Tea of February']);
    expect(await found({ occurred_after: '2021-01-01' })).toHaveLength(4);
  });

  it('metadata.<key>=value: that value, all pairs together', async () => {
    expect(await found({ 'metadata.cups': '1' })).toEqual(['Tea of January']);
    expect(await found({ 'metadata.cups': '2' })).toEqual(['Tea at work']);
    expect(await found({ 'metadata.cups': '3' })).toEqual([]);
    expect(await found({ 'metadata.cups': '1', 'metadata.pots': '1' })).toEqual([]);
  });

  it('space_id: a space, or account level by null or default', async () => {
    expect(await found({ space_id: spaceId })).toEqual(['Tea at work']);
    expect(await found({ space_id: spaceId.toUpperCase() })).toEqual(['Tea at work']);
    expect(await found({ space_id: 'null' })).toHaveLength(4);
    expect(await found({ space_id: 'default' })).toHaveLength(4);
    expect(await found({})).toHaveLength(5);
  });

  it('an unknown space, or one of another account, is 404 space_not_found', async () => {
    const other = await service.createAccount();
    const { id } = await other.client.spaces.create({ body: { name: 'theirs' } });
    for (const space_id of [id, '019b8d1c-3a41-7a52-8c1d-2e3f4a5b6c7d']) {
      const refused = { status: 404, code: 'space_not_found' };
      await expect(found({ space_id })).rejects.toMatchObject(refused);
      await expect(client.search.post({ body: { q: 'tea', space_id } })).rejects.toMatchObject(
        refused,
      );
    }
  });

  it('filters of several kinds all hold at once', async () => {
    expect(await found({ tags: 'hot', min_priority: 1, space_id: 'null' })).toEqual([
      'Tea of February',
      'Tea of January',
    ]);
    expect(
      await found({ tags: 'hot', 'metadata.cups': '2', space_id: spaceId, content_type: 'text' }),
    ).toEqual(['Tea at work']);
  });

  it('a filter changes neither the score nor the order of what passes', async () => {
    const query = { q: 'hot tea of February', space_id: 'null' };
    const all = await client.search.get({ query });
    const narrow = await client.search.get({ query: { ...query, tags: ['hot'] } });
    const passing = onlyMemoryResults(all.results).filter(({ tags }) => tags.includes('hot'));
    expect(narrow.results.map(({ id }) => id)).toEqual(passing.map(({ id }) => id));
  });

  it('a narrow filter never empties the result, however many others match better', async () => {
    const crowd = await service.createAccount();
    const memories = Array.from({ length: 100 }, (_, i) => ({
      content: `The budget meeting about the budget of team ${i}`,
    }));
    for (const round of [0, 1, 2, 3]) {
      const numbered = memories.map(({ content }) => ({ content: `${content}, round ${round}` }));
      await crowd.client.memories.bulkCreate({ body: { memories: numbered } });
    }
    const { id } = await crowd.client.memories.create({
      body: {
        content: 'A long walk by the river, where for a moment somebody spoke of a budget.',
        tags: ['rare'],
      },
    });
    const query = { q: 'budget meeting', tags: ['rare'], limit: 1 };
    const { results, facets } = await crowd.client.search.get({ query });
    expect(results.map((result) => result.id)).toEqual([id]);
    expect(facets.memories).toBe(1);
  });
});
