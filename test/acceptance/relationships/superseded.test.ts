import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import { createRelationship, relationshipParams } from './relationship-requests.ts';

const supersedes = { type: 'supersedes' } as const;

describe.each(engines)('superseded memories in search on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const twoVersions = async (client: Client, fields = {}) => {
    const { id: old } = await createMemory(client, 'The zeppelin leaves at nine.', fields);
    const { id: recent } = await createMemory(client, 'The zeppelin leaves at ten.', fields);
    return { old, recent };
  };
  /** By id of each result what it is warned of. */
  const search = async (client: Client, query = {}) => {
    const { results, facets } = await client.search.get({ query: { q: 'zeppelin', ...query } });
    return {
      warnings: Object.fromEntries(
        onlyMemoryResults(results).map(({ id, warnings }) => [id, warnings]),
      ),
      count: facets.memories,
    };
  };
  const warned = (id: string) => [{ code: 'superseded', superseded_by: id }];

  it('are marked with what supersedes them; others have no warnings at all', async () => {
    const { client } = await service.createAccount();
    const { old, recent } = await twoVersions(client);
    expect(await search(client)).toEqual({
      warnings: { [old]: undefined, [recent]: undefined },
      count: 2,
    });
    await createRelationship(client, recent, old, supersedes);
    const { results } = await client.search.post({ body: { q: 'zeppelin' } });
    expect(onlyMemoryResults(results).find(({ id }) => id === old)?.warnings).toEqual(
      warned(recent),
    );
    expect(results.find(({ id }) => id === recent)).not.toHaveProperty('warnings');
  });

  it('are left out of results and facets with include_superseded=false', async () => {
    const { client } = await service.createAccount();
    const { old, recent } = await twoVersions(client);
    await createRelationship(client, recent, old, supersedes);
    const current = { warnings: { [recent]: undefined }, count: 1 };
    expect(await search(client, { include_superseded: false })).toEqual(current);
    expect(await search(client, { include_superseded: false, limit: 1, offset: 0 })).toEqual(
      current,
    );
    const body = { q: 'zeppelin', include_superseded: false };
    expect((await client.search.post({ body })).facets.memories).toBe(1);
    expect((await search(client, { include_superseded: true })).count).toBe(2);
  });

  it('are so by either half of a pair, and no more when both are gone', async () => {
    const { client } = await service.createAccount();
    const { old, recent } = await twoVersions(client);
    const made = await createRelationship(client, recent, old, {
      ...supersedes,
      bidirectional: true,
    });
    const inverse = made.inverse_relationship;
    await client.relationships.remove({ params: relationshipParams(made) as never });
    expect((await search(client)).warnings[old]).toEqual(warned(recent));
    expect((await search(client, { include_superseded: false })).count).toBe(1);
    await client.relationships.remove({ params: relationshipParams(inverse ?? made) as never });
    expect((await search(client)).warnings[old]).toBeUndefined();
    expect((await search(client, { include_superseded: false })).count).toBe(2);
  });

  it('are not so by a memory that is deleted, softly or for good', async () => {
    const { client } = await service.createAccount();
    const { old, recent } = await twoVersions(client);
    await createRelationship(client, recent, old, supersedes);
    const id = recent;
    await client.memories.remove({ params: { id }, query: { soft: true } });
    const alone = { warnings: { [old]: undefined }, count: 1 };
    expect(await search(client)).toEqual(alone);
    expect(await search(client, { include_superseded: false })).toEqual(alone);
    await client.memories.restore({ params: { id } });
    expect((await search(client)).warnings[old]).toEqual(warned(recent));
    await client.memories.remove({ params: { id } });
    expect(await search(client, { include_superseded: false })).toEqual(alone);
  });

  it('are not so by a memory that the key may not see', async () => {
    const { client } = await service.createAccount();
    const { id: space_id } = await client.spaces.create({ body: { name: 'own' } });
    const { id: old } = await createMemory(client, 'The zeppelin leaves at nine.', { space_id });
    const { id: recent } = await createMemory(client, 'The zeppelin leaves at ten.');
    await createRelationship(client, recent, old, supersedes);
    const { key } = await client.keys.create({ body: { name: 'own', space_ids: [space_id] } });
    const limited = service.client(key);
    const alone = { warnings: { [old]: undefined }, count: 1 };
    expect(await search(limited)).toEqual(alone);
    expect(await search(limited, { include_superseded: false })).toEqual(alone);
    expect((await search(client)).warnings[old]).toEqual(warned(recent));
  });

  it('are marked with the newest of several, link by link', async () => {
    const { client } = await service.createAccount();
    const { old, recent } = await twoVersions(client);
    const { id: newest } = await createMemory(client, 'The zeppelin leaves at eleven.');
    await createRelationship(client, newest, old, supersedes);
    await createRelationship(client, recent, old, supersedes);
    await createRelationship(client, newest, recent, supersedes);
    expect((await search(client)).warnings).toEqual({
      [old]: warned(newest),
      [recent]: warned(newest),
      [newest]: undefined,
    });
    expect(await search(client, { include_superseded: false })).toEqual({
      warnings: { [newest]: undefined },
      count: 1,
    });
  });

  it('precede what supersedes them where as_of asks for what held then', async () => {
    const { client } = await service.createAccount();
    const held = { occurred_at: '2026-01-01T00:00:00Z' };
    const { id: old } = await createMemory(client, 'The zeppelin leaves at nine.', held);
    const { id: recent } = await createMemory(client, 'The zeppelin leaves at ten.', {
      occurred_at: '2026-03-01T00:00:00Z',
      supersedes: [old],
    });
    const found = async (as_of?: string, more = {}) => {
      const q = 'when does the zeppelin leave';
      const { results } = await client.search.get({ query: { q, as_of, ...more } });
      const queries = [{ q, as_of, ...more }];
      const batch = await client.search.batch({ body: { queries } });
      expect(batch.results[0]).toMatchObject({ results: results.map(({ id }) => ({ id })) });
      return results.map(({ id }) => id);
    };
    const recalled = async (as_of?: string) => {
      const { memories } = await client.search.recall({ body: { query: 'zeppelin', as_of } });
      return memories.map(({ id, outdated_by }) => [id, outdated_by]);
    };
    expect(await found()).toEqual([recent, old]);
    expect(await found('2026-02-01')).toEqual([old, recent]);
    expect(await found('2026-04-01')).toEqual([recent, old]);
    expect(await found('2026-04-01', { include_superseded: false })).toEqual([recent]);
    expect(await recalled()).toEqual([[recent, null]]);
    expect(await recalled('2026-02-01')).toEqual([
      [old, recent],
      [recent, null],
    ]);
    const refused = await client.request({
      method: 'GET',
      path: '/search',
      query: { q: 'zeppelin', as_of: 'yesterday' },
    });
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { details: { fields: { as_of: { code: 'invalid_format' } } } } },
    });
  });
});
