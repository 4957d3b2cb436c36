import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, expectError } from '../memories/memory-requests.ts';
import { addToClusters, createCluster, getCluster, listMemberIds } from './cluster-requests.ts';
import { memoriesOfTopic, runFullClustering, storeMemories } from './clusterable-memories.ts';

const notFound = { status: 404, code: 'cluster_not_found' };

describe.each(engines)('the clusters of a token of one user on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const openUser = async () => {
    const { client } = await service.createAccount();
    const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
    return { client, ana: service.client(token) };
  };

  it("are those with the user's memories: members, counts, times and totals", async () => {
    const { client, ana } = await openUser();
    const mixed = await createCluster(client, 'Mixed', {
      description: 'What Ben says, too.',
      metadata: { by: 'ben' },
      color: '#abc',
    });
    const bens = await createCluster(client, 'Ben only', { color: '#123456' });
    const none = await createCluster(client, 'Empty');
    const own = await createMemory(ana, 'Ana keeps bees.');
    const soft = await createMemory(ana, 'Ana sells honey.');
    const of = { user_id: 'ben' };
    const other = await createMemory(client, 'Ben keeps secrets.', of);
    await addToClusters(client, other.id, mixed.id, bens.id);
    for (const { id } of [own, soft]) await addToClusters(client, id, mixed.id);
    await addToClusters(client, (await createMemory(client, 'Another.', of)).id, mixed.id);
    const listed = await ana.clusters.list({ query: { include: ['topic_info'] } });
    expect(listed.data.map(({ id }) => id)).toEqual([mixed.id]);
    expect(listed.pagination.total).toBe(1);
    expect(JSON.stringify(listed)).not.toMatch(/Ben|secret/i);
    const { memories } = await ana.clusters.memories({ params: { clusterId: mixed.id } });
    const times = memories.map(({ added_at }) => added_at).toSorted();
    expect(await getCluster(ana, mixed.id)).toMatchObject({
      name: 'Mixed',
      description: null,
      metadata: {},
      memory_count: 2,
      centroid_available: false,
      created_at: times[0],
      updated_at: times[1],
    });
    expect((await listMemberIds(ana, mixed.id)).toSorted()).toEqual([own.id, soft.id].toSorted());
    const detail = await ana.clusters.get({
      params: { clusterId: mixed.id },
      query: { include_memories: true, limit: 1 },
    });
    expect(detail.memories_pagination?.has_more).toBe(true);
    expect(await ana.clusters.stats({ query: { include: ['color_distribution'] } })).toMatchObject({
      total: 1,
      by_type: { manual: 1 },
      memberships: 2,
      clustered_memories: 2,
      unclustered_memories: 0,
      color_distribution: [{ color: '#aabbcc', count: 1 }],
    });
    await ana.memories.remove({ params: { id: soft.id }, query: { soft: true } });
    expect(await getCluster(ana, mixed.id)).toMatchObject({ memory_count: 1 });
    expect(await listMemberIds(ana, mixed.id)).toEqual([own.id]);
    for (const { id } of [bens, none]) {
      expect(await expectError(getCluster(ana, id))).toMatchObject(notFound);
      expect(await expectError(listMemberIds(ana, id))).toMatchObject(notFound);
    }
    const found = await ana.clusters.ofMemory({ params: { id: own.id } });
    expect(found).toMatchObject({
      data: [{ id: mixed.id, memory_count: 1 }],
      pagination: { total: 1 },
    });
    const hidden = await expectError(ana.clusters.ofMemory({ params: { id: other.id } }));
    expect(hidden).toMatchObject({ status: 404, code: 'memory_not_found' });
    await ana.memories.remove({ params: { id: own.id } });
    expect((await ana.clusters.list()).data).toEqual([]);
    expect(await expectError(getCluster(ana, mixed.id))).toMatchObject(notFound);
  });

  it("are named and described by the user's memories alone, scored by none", async () => {
    const { client, ana } = await openUser();
    const secret = (topic: number) =>
      memoriesOfTopic(topic, 12, 100).map(({ content, ...rest }) => ({
        ...rest,
        content: `${content} The zebras hide.`,
      }));
    await storeMemories(client, [...secret(0), ...secret(1)], { user_id: 'ben' });
    const ids = await storeMemories(client, memoriesOfTopic(0, 4), { user_id: 'ana' });
    await runFullClustering(client);
    const all = (await client.clusters.list({ query: { include: ['topic_info'] } })).data;
    expect(all).toHaveLength(2);
    expect(JSON.stringify(all)).toMatch(/zebra/);
    const listed = await ana.clusters.list({
      query: { include: ['topic_info', 'quality_metrics'] },
    });
    expect(listed.data).toHaveLength(1);
    const [cluster] = listed.data;
    expect(cluster).toMatchObject({
      memory_count: 4,
      silhouette_score: null,
      dbcv_score: null,
      cohesion_score: null,
      centroid_available: false,
      quality_metrics: { silhouette_score: null, cohesion_score: null, computed_at: null },
    });
    expect(cluster?.name).toBe(cluster?.topic_label);
    expect(cluster?.topic_keywords).toContain('bees');
    const id = cluster?.id ?? '';
    const topics = await ana.clusters.topics({ params: { clusterId: id } });
    const shown = topics.representation?.memory_ids ?? [];
    expect(ids).toEqual(expect.arrayContaining(shown));
    const answers = [listed, topics, await getCluster(ana, id), await ana.clusters.stats()];
    expect(JSON.stringify(answers)).not.toMatch(/zebra|hide/i);
    const etag = await ana.request({ method: 'GET', path: `/clusters/${id}` });
    expect(etag.headers.get('etag')).toBeNull();
    for (const [q, total] of [
      ['zebra', 0],
      ['bees', 1],
    ] as const) {
      expect((await ana.clusters.list({ query: { q } })).pagination.total, q).toBe(total);
    }
    expect((await ana.clusters.list({ query: { has_memories: false } })).data).toEqual([]);
    const other = all.find((one) => one.id !== id)?.id ?? '';
    expect(await expectError(getCluster(ana, other))).toMatchObject(notFound);
  });

  it('are listed page by page in every order, by offset and by cursor', async () => {
    const { client, ana } = await openUser();
    const names = ['b', 'A', 'd', 'C'];
    for (const [i, name] of names.entries()) {
      const { id } = await createCluster(client, name);
      for (let n = 0; n <= i; n += 1) {
        const memory = await createMemory(ana, `Note ${n} in ${name}.`);
        await addToClusters(client, memory.id, id);
      }
    }
    const read = async (query: object): Promise<string[]> => {
      const { data, next_cursor } = await ana.clusters.list({ query: { limit: 3, ...query } });
      const rest = next_cursor
        ? await ana.clusters.list({ query: { limit: 3, ...query, cursor: next_cursor } })
        : { data: [] };
      return [...data, ...rest.data].map(({ name }) => name);
    };
    expect(await read({})).toEqual(['A', 'b', 'C', 'd']);
    expect(await read({ order: 'desc' })).toEqual(['d', 'C', 'b', 'A']);
    expect(await read({ sort: 'memory_count' })).toEqual(names);
    expect(await read({ sort: 'created_at', order: 'desc' })).toEqual(names.toReversed());
    expect(await read({ sort: 'updated_at' })).toEqual(names);
    expect(await read({ sort: 'silhouette_score' })).toHaveLength(4);
    const { data } = await ana.clusters.list({ query: { offset: 3 } });
    expect(data.map(({ name }) => name)).toEqual(['d']);
  });

  it('are what a key lists with the owner as filter; a token names no other user', async () => {
    const { client, ana } = await openUser();
    const [one, two] = [await createCluster(client, 'One'), await createCluster(client, 'Two')];
    const owner = { user_id: 'ana', agent_id: 'a', run_id: 'r' };
    const own = await createMemory(client, 'Ana keeps bees.', owner);
    const other = await createMemory(client, 'Ben keeps bees.', { user_id: 'ben' });
    await addToClusters(client, own.id, one.id);
    await addToClusters(client, other.id, one.id, two.id);
    for (const query of [{ user_id: 'ana' }, { agent_id: 'a' }, { run_id: 'r' }]) {
      const listed = await client.clusters.list({ query });
      expect(listed.data).toMatchObject([{ id: one.id, memory_count: 1 }]);
      const params = { clusterId: one.id };
      const { memories, pagination } = await client.clusters.memories({ params, query });
      expect([memories.map(({ id }) => id), pagination.total]).toEqual([[own.id], 1]);
    }
    const denied = { status: 403, code: 'user_access_denied' };
    const query = { user_id: 'ben' };
    expect(await expectError(ana.clusters.list({ query }))).toMatchObject(denied);
    const members = ana.clusters.memories({ params: { clusterId: one.id }, query });
    expect(await expectError(members)).toMatchObject(denied);
  });

  it('keep to the spaces of its key', async () => {
    const { client } = await openUser();
    const space_id = (await client.spaces.create({ body: { name: 'red' } })).id;
    const red = await createCluster(client, 'Red', { space_id });
    const wide = await createCluster(client, 'Wide');
    const body = { content: 'Ana is red.', user_id: 'ana', space_id };
    const { id } = (await client.memories.create({ body })) as { id: string };
    await addToClusters(client, id, red.id, wide.id);
    const { key } = await client.keys.create({ body: { name: 'red', space_ids: [space_id] } });
    const { token } = await service.client(key).auth.createToken({ body: { user_id: 'ana' } });
    const limited: Client = service.client(token);
    expect((await limited.clusters.list()).data.map(({ name }) => name)).toEqual(['Red']);
    expect(await expectError(getCluster(limited, wide.id))).toMatchObject(notFound);
    const found = await limited.clusters.ofMemory({ params: { id } });
    expect(found.data.map(({ name }) => name)).toEqual(['Red']);
  });
});
