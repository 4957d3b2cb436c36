import type { Client, MemoriesFacetsInput } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { useAccountPerTest } from '../../support/account-per-test.ts';
import { engines, type Service } from '../../support/service.ts';
import { absentId, createMemory, expectError } from './memory-requests.ts';

describe.each(engines)('the counts of the filters on %s', (engine) => {
  let service: Service;
  let client: Client;
  useAccountPerTest(engine, (begun) => {
    ({ service, client } = begun);
  });

  const count = (query: MemoriesFacetsInput['query'] = {}) => client.memories.facets({ query });

  /** Three memories: two of a space. */
  async function scene() {
    const space_id = (await client.spaces.create({ body: { name: 'desk' } })).id;
    const first = await createMemory(client, 'One.', { space_id, tags: ['a', 'b'], priority: 9 });
    await createMemory(client, 'Two.', { space_id, tags: ['a'], type: 'markdown' });
    await createMemory(client, '# Three', { tags: ['b'], type: 'markdown', user_id: 'ana' });
    return { space_id, first, month: first.created_at.slice(0, 7) };
  }

  it('are of all values without a filter', async () => {
    const { space_id, month } = await scene();
    const { priorities, ...others } = await count();
    expect(others).toEqual({
      total: 3,
      spaces: [
        { space_id, count: 2 },
        { space_id: null, count: 1 },
      ],
      content_types: [
        { content_type: 'markdown', count: 2 },
        { content_type: 'text', count: 1 },
      ],
      tags: [
        { tag: 'a', count: 2 },
        { tag: 'b', count: 2 },
      ],
      months: [{ month, count: 3 }],
    });
    expect(priorities[0]).toEqual({ priority: 9, count: 1 });
    expect(priorities.reduce((sum, each) => sum + each.count, 0)).toBe(3);
  });

  it('equal what the list has with each value and the other filters', async () => {
    const { space_id } = await scene();
    const listed = async (query: object) =>
      (await client.memories.list({ query: { ...query, limit: 100 } })).data.length;
    for (const filters of [
      {},
      { space_id },
      { content_type: 'markdown' as const },
      { tags: ['b'] },
      { min_priority: 8 },
      { space_id, content_type: 'markdown' as const },
      { 'metadata.none': 'x' },
      { created_after: '2100-01-01T00:00:00Z' },
    ]) {
      const facets = await count(filters);
      expect(facets.total).toBe(await listed(filters));
      for (const { space_id: value, count: expected } of facets.spaces) {
        expect(await listed({ ...filters, space_id: value ?? 'default' })).toBe(expected);
      }
      for (const { content_type, count: expected } of facets.content_types) {
        expect(await listed({ ...filters, content_type })).toBe(expected);
      }
      for (const { tag, count: expected } of facets.tags) {
        const tags = [...('tags' in filters ? (filters.tags ?? []) : []), tag];
        expect(await listed({ ...filters, tags })).toBe(expected);
      }
    }
  });

  it('follow deletions, and include deleted memories on request', async () => {
    const { first } = await scene();
    await client.memories.remove({ params: { id: first.id }, query: { soft: true } });
    expect((await count()).total).toBe(2);
    expect((await count({ include_deleted: true })).total).toBe(3);
  });

  it('show limited keys and tokens only what they may see', async () => {
    const { space_id } = await scene();
    const { key } = await client.keys.create({ body: { name: 'limited', space_ids: [space_id] } });
    const limited = service.client(key);
    expect(await limited.memories.facets()).toMatchObject({
      total: 2,
      spaces: [{ space_id, count: 2 }],
    });
    expect(
      await expectError(limited.memories.facets({ query: { space_id: 'default' } })),
    ).toMatchObject({ code: 'space_access_denied' });
    const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
    expect(await service.client(token).memories.facets()).toMatchObject({
      total: 1,
      tags: [{ tag: 'b', count: 1 }],
    });
    const { client: stranger } = await service.createAccount();
    expect((await stranger.memories.facets()).total).toBe(0);
  });

  it('need memories:read, a known space and known filters', async () => {
    const body = { name: 'no', scopes: ['search:read' as const] };
    const { key } = await client.keys.create({ body });
    expect(await expectError(service.client(key).memories.facets())).toMatchObject({
      code: 'insufficient_permissions',
    });
    expect(await expectError(count({ space_id: absentId }))).toMatchObject({
      code: 'space_not_found',
    });
    const unknown = client.request({
      method: 'GET',
      path: '/memories/facets',
      query: { colour: 'red' },
    });
    expect((await unknown).status).toBe(422);
  });

  it('of the list include some memories by id', async () => {
    const { first } = await scene();
    const { data } = await client.memories.list({ query: { ids: [first.id, absentId] } });
    expect(data.map(({ id }) => id)).toEqual([first.id]);
    expect((await count({ ids: [first.id] })).total).toBe(1);
  });
});
