import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, listEvents } from '../memories/memory-requests.ts';
import { addToClusters, createCluster, errorCodeOf, listMemberIds } from './cluster-requests.ts';

describe.each(engines)('clusters and keys on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  /** An account with two spaces, a cluster of each and an account-wide one, and its keys. */
  async function scene() {
    const { client } = await service.createAccount();
    const red = (await client.spaces.create({ body: { name: 'red' } })).id;
    const blue = (await client.spaces.create({ body: { name: 'blue' } })).id;
    const limitedTo = async (...space_ids: string[]): Promise<Client> => {
      const { key } = await client.keys.create({ body: { name: 'limited', space_ids } });
      return service.client(key);
    };
    const clusters = {
      red: await createCluster(client, 'Red', { space_id: red }),
      blue: await createCluster(client, 'Blue', { space_id: blue }),
      wide: await createCluster(client, 'Wide'),
    };
    const memories = {
      red: await createMemory(client, 'tea is red', { space_id: red }),
      blue: await createMemory(client, 'tea is blue', { space_id: blue }),
      own: await createMemory(client, 'tea is nowhere'),
    };
    for (const { id } of Object.values(memories)) await addToClusters(client, id, clusters.wide.id);
    await addToClusters(client, memories.red.id, clusters.red.id);
    await addToClusters(client, memories.blue.id, clusters.blue.id);
    return { client, red, blue, limitedTo, clusters, memories };
  }

  const names = async (client: Client): Promise<string[]> =>
    (await client.clusters.list()).data.map(({ name }) => name);

  it('a key limited to spaces sees their clusters, account-wide ones with default', async () => {
    const { limitedTo, red, blue } = await scene();
    expect(await names(await limitedTo(red))).toEqual(['Red']);
    expect(await names(await limitedTo(red, blue))).toEqual(['Blue', 'Red']);
    expect(await names(await limitedTo('default'))).toEqual(['Wide']);
    expect((await (await limitedTo(red)).clusters.stats()).total).toBe(1);
  });

  it('what it may not see is 403 space_access_denied, read or changed', async () => {
    const { limitedTo, red, clusters, memories } = await scene();
    const limited = await limitedTo(red);
    const ids = [clusters.blue.id, clusters.wide.id];
    for (const id of ids) {
      for (const [method, path, body] of [
        ['GET', `/clusters/${id}`],
        ['GET', `/clusters/${id}/memories`],
        ['GET', `/clusters/${id}/quality`],
        ['GET', `/clusters/${id}/topics`],
        ['PATCH', `/clusters/${id}`, { name: 'x' }],
        ['DELETE', `/clusters/${id}`],
        ['POST', `/clusters/${id}/merge`, { source_ids: [clusters.red.id] }],
        ['POST', `/clusters/${clusters.red.id}/merge`, { source_ids: [clusters.blue.id] }],
        ['POST', `/memories/${memories.red.id}/clusters`, { cluster_ids: [clusters.wide.id] }],
        ['GET', `/memories/${memories.blue.id}/clusters`],
        ['DELETE', `/memories/${memories.red.id}/clusters/${id}`],
      ] as const) {
        const answer = await limited.request({ method, path, ...(body ? { body } : {}) });
        expect([path, answer.status, errorCodeOf(answer)]).toEqual([
          path,
          403,
          'space_access_denied',
        ]);
      }
    }
    expect(
      errorCodeOf(
        await limited.request({ method: 'POST', path: '/clusters', body: { name: 'x' } }),
      ),
    ).toBe('space_access_denied');
    expect(await names(limited)).toEqual(['Red']);
  });

  it('an account-wide cluster shows it the memories of its spaces alone', async () => {
    const { limitedTo, red, clusters, memories } = await scene();
    const limited = await limitedTo('default', red);
    expect((await listMemberIds(limited, clusters.wide.id)).toSorted()).toEqual(
      [memories.red.id, memories.own.id].toSorted(),
    );
    const stats = await limited.clusters.stats();
    expect(stats).toMatchObject({ clustered_memories: 2, unclustered_memories: 0 });
    const of = await limited.clusters.ofMemory({ params: { id: memories.red.id } });
    expect(of.data.map(({ name }) => name)).toEqual(['Red', 'Wide']);
    const hidden = await (await limitedTo(red)).clusters.ofMemory({
      params: { id: memories.red.id },
    });
    expect(hidden.data.map(({ name }) => name)).toEqual(['Red']);
  });

  it('is told of its clusters, and of a memory that joins where it may see both', async () => {
    const { limitedTo, red, clusters, memories } = await scene();
    const told = async (client: Client) =>
      (await listEvents(client))
        .filter(({ type }) => type.startsWith('cluster.'))
        .map(({ type, data }) => [type, data.id ?? data.memory_id]);
    expect(await told(await limitedTo(red))).toEqual([
      ['cluster.created', clusters.red.id],
      ['cluster.memory_added', memories.red.id],
    ]);
    expect(await told(await limitedTo('default'))).toEqual([
      ['cluster.created', clusters.wide.id],
      ['cluster.memory_added', memories.own.id],
    ]);
    expect(await told(await limitedTo('default', red))).toEqual([
      ['cluster.created', clusters.red.id],
      ['cluster.created', clusters.wide.id],
      ['cluster.memory_added', memories.red.id],
      ['cluster.memory_added', memories.own.id],
      ['cluster.memory_added', memories.red.id],
    ]);
  });

  it('searches group by clusters that the key may see, and find them by their words', async () => {
    const { client, limitedTo, red, clusters } = await scene();
    const query = { query: 'tea', threshold: 0, group_by: 'clusters' as const };
    const grouped = async (asking: Client) => {
      const { total_count, groups } = await asking.search.aggregate({ query });
      return [total_count, groups.map(({ key, label, count }) => [key, label, count])];
    };
    expect(await grouped(client)).toEqual([
      3,
      [[clusters.wide.id, 'Wide', 3], expect.arrayContaining([1]), expect.arrayContaining([1])],
    ]);
    expect(await grouped(await limitedTo(red))).toEqual([1, [[clusters.red.id, 'Red', 1]]]);
    const found = async (asking: Client, q: string) => {
      const { results, total } = await asking.search.global({ query: { q, types: ['cluster'] } });
      expect(total).toBe(results.cluster.length);
      return results.cluster.map(({ name }) => name);
    };
    await client.clusters.update({
      params: { clusterId: clusters.blue.id },
      body: { description: 'wide and red waters' },
    });
    expect(await found(client, 'red')).toEqual(['Red', 'Blue']);
    expect(await found(await limitedTo(red), 'red wide blue')).toEqual(['Red']);
    const { key } = await client.keys.create({ body: { name: 's', scopes: ['search:read'] } });
    expect(await found(service.client(key), 'red')).toEqual([]);
  });

  it('clusters need clusters:read to be read and clusters:write to be changed', async () => {
    const { client, clusters, memories } = await scene();
    const keyed = async (scope: 'clusters:read' | 'clusters:write' | 'memories:write') => {
      const { key } = await client.keys.create({ body: { name: 'scoped', scopes: [scope] } });
      return service.client(key);
    };
    const [reader, writer] = [await keyed('clusters:read'), await keyed('clusters:write')];
    const other = await keyed('memories:write');
    const path = `/memories/${memories.red.id}/clusters`;
    const change = { method: 'POST', path, body: { cluster_ids: [clusters.wide.id] } } as const;
    const statuses = async (asking: Client) => [
      (await asking.request({ method: 'GET', path })).status,
      (await asking.request(change)).status,
    ];
    expect(await statuses(reader)).toEqual([200, 403]);
    expect(await statuses(writer)).toEqual([403, 201]);
    expect(await statuses(other)).toEqual([403, 403]);
  });
});
