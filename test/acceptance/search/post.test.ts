import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('POST /search on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    // Standing timers: no access is recorded between two searches that are compared.
    service = await startService(engine, { overrides: { clock: createFakeClock() } });
  });
  afterAll(() => service.stop());

  it('answers what GET answers, lists as arrays', async () => {
    const { client } = await service.createAccount();
    await client.memories.create({ body: { content: 'Ana prefers tea.', tags: ['a', 'b'] } });
    await client.memories.create({ body: { content: 'Ben prefers tea.', tags: ['a'] } });
    const query = { q: 'prefers tea', tags: ['a', 'b'], limit: 5 };
    const posted = await client.search.post({ body: query });
    expect(onlyMemoryResults(posted.results).map(({ content }) => content)).toEqual([
      'Ana prefers tea.',
    ]);
    expect(posted).toEqual(await client.search.get({ query }));
  });

  it.each([
    ['q is missing', {}, { q: 'required' }],
    ['q is null', { q: null }, { q: 'invalid_type' }],
    ['q is a number', { q: 5 }, { q: 'invalid_type' }],
    ['q is empty', { q: '' }, { q: 'invalid_range' }],
    ['q has 1001 characters', { q: 'x'.repeat(1_001) }, { q: 'field_too_long' }],
    ['q holds half a character', { q: '\ud800' }, { q: 'invalid_characters' }],
    ['limit is text', { q: 'x', limit: '5' }, { limit: 'invalid_type' }],
    ['limit is 0', { q: 'x', limit: 0 }, { limit: 'invalid_range' }],
    ['limit is 101', { q: 'x', limit: 101 }, { limit: 'invalid_range' }],
    ['offset is over 10,000', { q: 'x', offset: 10_001 }, { offset: 'invalid_range' }],
    ['threshold is over 1', { q: 'x', threshold: 1.5 }, { threshold: 'invalid_range' }],
    ['tags is one text', { q: 'x', tags: 'a' }, { tags: 'invalid_type' }],
    ['a tag is a number', { q: 'x', tags: ['a', 1] }, { 'tags.1': 'invalid_type' }],
    ['tags are 101', { q: 'x', tags: Array(101).fill('a') }, { tags: 'invalid_range' }],
    ['include is empty', { q: 'x', include: [] }, { include: 'invalid_range' }],
    ['pipeline is unknown', { q: 'x', pipeline: 'turbo' }, { pipeline: 'invalid_enum_value' }],
    ['space_id is no id', { q: 'x', space_id: 'mine' }, { space_id: 'invalid_format' }],
    ['metadata is a list', { q: 'x', metadata: ['a'] }, { metadata: 'invalid_type' }],
    ['a value is nested', { q: 'x', metadata: { a: {} } }, { 'metadata.a': 'invalid_type' }],
    ['a field is unknown', { q: 'x', filter: 'a' }, { filter: 'unknown_field' }],
  ])('refuses with the field and its code when %s', async (_when, body, expected) => {
    const answer = await service.client().request({ method: 'POST', path: '/search', body });
    expect(answer.status).toBe(422);
    const codes = Object.fromEntries(
      Object.entries(expected).map(([name, code]) => [name, { code }]),
    );
    expect(answer.body).toMatchObject({
      error: { code: 'validation_error', details: { fields: codes } },
    });
  });

  it('takes 20 filters and refuses 21', async () => {
    const { client } = await service.createAccount();
    const metadata = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));
    const twenty = { q: 'x', tags: ['a'], metadata: metadata(19) };
    expect((await client.search.post({ body: twenty })).results).toEqual([]);
    await expect(
      client.search.post({ body: { ...twenty, limit: 0, metadata: metadata(20) } }),
    ).rejects.toMatchObject({
      status: 422,
      fields: { metadata: { code: 'invalid_range', max: 20 }, limit: { code: 'invalid_range' } },
    });
  });

  it('filters by metadata as text, number or boolean', async () => {
    const { client } = await service.createAccount();
    const memories = [
      { content: 'tea one', metadata: { n: 5, done: true, who: 'ana' } },
      { content: 'tea two', metadata: { n: 6, done: false, who: 'ben' } },
      { content: 'tea three' },
    ];
    await client.memories.bulkCreate({ body: { memories } });
    const found = async (metadata: Record<string, string | number | boolean>) => {
      const { results, facets } = await client.search.post({ body: { q: 'tea', metadata } });
      expect(facets.memories).toBe(results.length);
      return onlyMemoryResults(results)
        .map(({ content }) => content)
        .sort();
    };
    expect(await found({ n: 5 })).toEqual(['tea one']);
    expect(await found({ done: false })).toEqual(['tea two']);
    expect(await found({ who: 'ana' })).toEqual(['tea one']);
    expect(await found({ who: 'ana', n: 6 })).toEqual([]);
    expect(await found({})).toEqual(['tea one', 'tea three', 'tea two']);
  });

  it.each([1e21, -2.5e-7, 0.1, 0, 12_345_678_901_234])('finds the number %d', async (n) => {
    const { client } = await service.createAccount();
    await client.memories.create({ body: { content: 'tea', metadata: { n } } });
    const { results } = await client.search.post({ body: { q: 'tea', metadata: { n } } });
    expect(onlyMemoryResults(results).map(({ metadata }) => metadata)).toEqual([{ n }]);
  });

  it('takes null and "default" for account level, and refuses the text "null"', async () => {
    const { client } = await service.createAccount();
    const { id: space_id } = await client.spaces.create({ body: { name: 'research' } });
    await client.memories.create({ body: { content: 'tea in the space', space_id } });
    await client.memories.create({ body: { content: 'tea at account level' } });
    for (const space of [null, 'default']) {
      const { results } = await client.search.post({ body: { q: 'tea', space_id: space } });
      expect(onlyMemoryResults(results).map(({ content }) => content)).toEqual([
        'tea at account level',
      ]);
    }
    await expect(
      client.search.post({ body: { q: 'tea', space_id: 'null' } }),
    ).rejects.toMatchObject({ fields: { space_id: { code: 'invalid_format' } } });
  });

  it('stores nothing: a search carries no Idempotency-Key and repeats freely', async () => {
    const { client } = await service.createAccount();
    await client.memories.create({ body: { content: 'Ana prefers tea.' } });
    const first = await client.search.post({ body: { q: 'tea' } });
    expect(await client.search.post({ body: { q: 'tea' } })).toEqual(first);
  });
});
