import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptySearch } from '../../support/memory-results.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const enumCode = 'invalid_enum_value';
const unknown = 'unknown_field';
const at = (side: 'after' | 'before') => ({ [`created_${side}`]: 'invalid_format' });

describe.each(engines)('GET /search on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  /** The faulty fields of a refused query, as field → code. */
  const faults = async (query: Record<string, unknown>): Promise<Record<string, string>> => {
    const answer = await service.client().request({ method: 'GET', path: '/search', query });
    expect(answer.status).toBe(422);
    const { error } = answer.body as {
      error: { code: string; details: { fields: Record<string, { code: string }> } };
    };
    expect(error.code).toBe('validation_error');
    return Object.fromEntries(
      Object.entries(error.details.fields).map(([name, { code }]) => [name, code]),
    );
  };

  it('answers results with the published fields, and facets', async () => {
    const { client } = await service.createAccount();
    const memory = await client.memories.create({
      body: {
        content: 'Ana prefers tea.',
        tags: ['preference'],
        metadata: { source: 'chat' },
        priority: 3,
        occurred_at: '2026-01-05T09:30:00Z',
      },
    });
    const answer = await client.search.get({ query: { q: 'Ana prefers tea.' } });
    const { data, ...published } = answer;
    expect(data).toEqual(answer.results);
    expect(published).toEqual({
      results: [
        {
          type: 'memory',
          id: memory.id,
          score: expect.any(Number),
          content: 'Ana prefers tea.',
          content_type: 'text',
          highlight: 'Ana prefers tea.',
          passage: null,
          tags: ['preference'],
          metadata: { source: 'chat' },
          space_id: null,
          user_id: null,
          agent_id: null,
          run_id: null,
          session_id: null,
          priority: 3,
          occurred_at: '2026-01-05T09:30:00.000Z',
          created_at: memory.created_at,
          outdated_by: null,
        },
      ],
      facets: { memories: 1, audio_segments: 0 },
      pagination: { total: 1, limit: 20, offset: 0, has_more: false, next_cursor: null },
    });
  });

  it('answers an empty account with no results and zero facets', async () => {
    const { client } = await service.createAccount();
    expect(await client.search.get({ query: { q: 'anything' } })).toEqual(emptySearch);
  });

  it.each([
    ['q is missing', {}, { q: 'required' }],
    ['q is empty', { q: '' }, { q: 'invalid_range' }],
    ['q has 1001 characters', { q: 'x'.repeat(1_001) }, { q: 'field_too_long' }],
    ['q holds U+0000', { q: 'a\u0000b' }, { q: 'invalid_characters' }],
    ['limit is 0', { q: 'x', limit: 0 }, { limit: 'invalid_range' }],
    ['limit is 101', { q: 'x', limit: 101 }, { limit: 'invalid_range' }],
    ['limit is negative', { q: 'x', limit: -1 }, { limit: 'invalid_range' }],
    ['limit is no integer', { q: 'x', limit: '1.5' }, { limit: 'invalid_type' }],
    ['limit is no number', { q: 'x', limit: 'many' }, { limit: 'invalid_type' }],
    ['offset is negative', { q: 'x', offset: -1 }, { offset: 'invalid_range' }],
    ['offset is over 10,000', { q: 'x', offset: 10_001 }, { offset: 'invalid_range' }],
    ['threshold is over 1', { q: 'x', threshold: 1.01 }, { threshold: 'invalid_range' }],
    ['threshold is below 0', { q: 'x', threshold: -0.01 }, { threshold: 'invalid_range' }],
    ['explain is no boolean', { q: 'x', explain: 'yes' }, { explain: 'invalid_type' }],
    ['explain is 1', { q: 'x', explain: 1 }, { explain: 'invalid_type' }],
    ['include names something else', { q: 'x', include: 'video' }, { 'include.0': enumCode }],
    ['pipeline is unknown', { q: 'x', pipeline: 'turbo' }, { pipeline: enumCode }],
    ['content_type is unknown', { q: 'x', content_type: 'pdf' }, { content_type: enumCode }],
    ['a tag is empty', { q: 'x', tags: 'a,,b' }, { 'tags.1': 'invalid_range' }],
    ['a tag is too long', { q: 'x', tags: 'y'.repeat(256) }, { 'tags.0': 'field_too_long' }],
    ['min_priority is over 10', { q: 'x', min_priority: 11 }, { min_priority: 'invalid_range' }],
    ['min_priority is below 0', { q: 'x', min_priority: -1 }, { min_priority: 'invalid_range' }],
    ['a time has no offset', { q: 'x', created_after: '2026-01-05T09:30:00' }, at('after')],
    ['a time is no date', { q: 'x', created_before: '2026-02-30' }, at('before')],
    ['space_id is no id', { q: 'x', space_id: 'mine' }, { space_id: 'invalid_format' }],
    ['a field is unknown', { q: 'x', tag: 'a' }, { tag: 'unknown_field' }],
    ['a field is inherited', { q: 'x', constructor: 'a' }, { constructor: 'unknown_field' }],
    ['a metadata filter names no key', { q: 'x', 'metadata.': 'a' }, { 'metadata.': unknown }],
  ])('refuses with the field and its code when %s', async (_when, query, expected) => {
    expect(await faults(query)).toEqual(expected);
  });

  it('tells the bounds of what is out of range', async () => {
    await expect(
      service.client().search.get({ query: { q: 'x', limit: 101, offset: 10_001, threshold: 2 } }),
    ).rejects.toMatchObject({
      fields: {
        limit: { code: 'invalid_range', max: 100, received: 101 },
        offset: { code: 'invalid_range', max: 10_000, received: 10_001 },
        threshold: { code: 'invalid_range', max: 1, received: 2 },
      },
    });
  });

  it('reports all faulty fields together, unknown ones among them', async () => {
    expect(await faults({ limit: 0, pipeline: 'turbo', speling: 'x' })).toEqual({
      q: 'required',
      limit: 'invalid_range',
      pipeline: 'invalid_enum_value',
      speling: 'unknown_field',
    });
  });

  it.each([
    { q: 'x' },
    { q: 'ü'.repeat(1_000) },
    { q: '🙂'.repeat(1_000) },
    { q: 'x', limit: 1, offset: 0, threshold: 0 },
    { q: 'x', limit: 100, offset: 10_000, threshold: 1 },
    { q: 'x', min_priority: 0, content_type: 'video' },
    { q: ' ' },
    { q: '-tea' },
    { q: '"tea"' },
    { q: '!?' },
  ])('takes what is just inside the bounds: %j', async (query) => {
    const { status } = await service.client().request({ method: 'GET', path: '/search', query });
    expect(status).toBe(200);
  });

  it('takes 20 filters and refuses 21, whatever kinds they are', async () => {
    const pairs = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`metadata.k${i}`, 'v']));
    const filters = { tags: 'a', content_type: 'text', min_priority: 1 };
    const { client } = await service.createAccount();
    const twenty = { q: 'x', ...filters, ...pairs(17) };
    expect((await client.request({ method: 'GET', path: '/search', query: twenty })).status).toBe(
      200,
    );
    expect(await faults({ ...twenty, ...pairs(18) })).toEqual({ metadata: 'invalid_range' });
  });

  it('gives a page of 20 unless told otherwise', async () => {
    const { client } = await service.createAccount();
    const memories = Array.from({ length: 25 }, (_, i) => ({ content: `Note ${i} on gardening` }));
    await client.memories.bulkCreate({ body: { memories } });
    const { results, facets } = await client.search.get({ query: { q: 'gardening' } });
    expect(results).toHaveLength(20);
    expect(facets.memories).toBe(25);
  });

  it('leaves memories out when only audio is included', async () => {
    const { client } = await service.createAccount();
    await client.memories.create({ body: { content: 'Ana prefers tea.' } });
    const query = { q: 'Ana prefers tea.' };
    const audio = await client.search.get({ query: { ...query, include: ['audio'] } });
    expect(audio).toEqual(emptySearch);
    for (const include of [['memories'], ['memories', 'audio']] as const) {
      const found = await client.search.get({ query: { ...query, include: [...include] } });
      expect(found.results).toHaveLength(1);
    }
  });

  it('answers HEAD like GET, without the body', async () => {
    const { client } = await service.createAccount();
    const query = { q: 'tea' };
    const head = await client.request({ method: 'HEAD', path: '/search', query });
    const get = await client.request({ method: 'GET', path: '/search', query });
    expect(head.status).toBe(200);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    const bad = await client.request({ method: 'HEAD', path: '/search' });
    expect(bad.status).toBe(422);
  });
});
