import { limits } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { useAccountPerTest } from '../../support/account-per-test.ts';
import { engines, type Service } from '../../support/service.ts';
import { absentId, createMemory, listEvents } from '../memories/memory-requests.ts';
import {
  addToClusters,
  createCluster,
  errorCodeOf,
  fieldErrorCodes,
  listMemberIds,
  memoryCountOf,
} from './cluster-requests.ts';

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe.each(engines)('memories in clusters on %s', (engine) => {
  let service: Service;
  let client: Client;
  useAccountPerTest(engine, (begun) => {
    ({ service, client } = begun);
  });

  const associate = (id: string, body: object) =>
    client.request({ method: 'POST', path: `/memories/${id}/clusters`, body });
  const toldOf = async (type: 'cluster.memory_added' | 'cluster.memory_removed') =>
    (await listEvents(client, type)).map(({ data }) => data);

  it('are put in several at once: 201 with each, its confidence and time', async () => {
    const [tea, hot] = [
      await createCluster(client, 'Tea'),
      await createCluster(client, 'Hot drinks'),
    ];
    const { id } = await createMemory(client, 'Ana likes tea.');
    const { status, body } = await associate(id, {
      cluster_ids: [hot.id, tea.id, hot.id],
      confidence: 0.25,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      memory_id: id,
      clusters: [hot, tea].map((cluster) => ({
        cluster_id: cluster.id,
        confidence: 0.25,
        added_at: at,
      })),
    });
    expect(await toldOf('cluster.memory_added')).toEqual(
      [hot, tea].map((cluster) => ({
        cluster_id: cluster.id,
        memory_id: id,
        confidence: 0.25,
      })),
    );
    const of = await client.clusters.ofMemory({ params: { id } });
    expect(of.memory_id).toBe(id);
    expect(of.data.map(({ name, confidence }) => [name, confidence])).toEqual([
      ['Hot drinks', 0.25],
      ['Tea', 0.25],
    ]);
    expect(of.pagination).toEqual({
      total: 2,
      limit: 20,
      offset: 0,
      has_more: false,
      next_cursor: null,
    });
  });

  it('tell their clusters by name in any letter case, as the list of clusters is', async () => {
    const { id } = await createMemory(client, 'Ana likes tea.');
    for (const name of ['Ärmel', 'âge', 'Zebra'])
      await addToClusters(client, id, (await createCluster(client, name)).id);
    const listed = (await client.clusters.list()).data.map(({ name }) => name);
    expect(listed).toEqual(['Zebra', 'âge', 'Ärmel']);
    const of = await client.clusters.ofMemory({ params: { id } });
    expect(of.data.map(({ name }) => name)).toEqual(listed);
  });

  it('are put in once, however often: the time stays, another confidence is taken', async () => {
    const tea = await createCluster(client, 'Tea');
    const { id } = await createMemory(client, 'Ana likes tea.');
    const first = await addToClusters(client, id, tea.id);
    expect(first.clusters[0]?.confidence).toBe(1);
    expect(await addToClusters(client, id, tea.id)).toEqual(first);
    const { body } = await associate(id, { cluster_ids: [tea.id], confidence: 0.5 });
    const [one] = first.clusters;
    expect(body).toEqual({ memory_id: id, clusters: [{ ...one, confidence: 0.5 }] });
    expect(await memoryCountOf(client, tea.id)).toBe(1);
    expect(await toldOf('cluster.memory_added')).toHaveLength(1);
  });

  it('are put in all clusters or in none', async () => {
    const tea = await createCluster(client, 'Tea');
    const { id } = await createMemory(client, 'Ana likes tea.');
    const answer = await associate(id, { cluster_ids: [tea.id, absentId] });
    expect(answer).toMatchObject({
      status: 404,
      body: { error: { code: 'cluster_not_found', details: { cluster_id: absentId } } },
    });
    expect(await memoryCountOf(client, tea.id)).toBe(0);
    expect(await toldOf('cluster.memory_added')).toEqual([]);
  });

  it.each([
    ['none', { cluster_ids: [] }, { cluster_ids: 'invalid_range' }],
    ['no list of them', {}, { cluster_ids: 'required' }],
    ['what is no id', { cluster_ids: ['x'] }, { 'cluster_ids.0': 'invalid_format' }],
    [
      'a confidence over 1',
      { cluster_ids: [absentId], confidence: 1.1 },
      { confidence: 'invalid_range' },
    ],
    [
      'a confidence below 0',
      { cluster_ids: [absentId], confidence: -0.1 },
      { confidence: 'invalid_range' },
    ],
    [
      `more than ${limits.clusterIdsMax}`,
      { cluster_ids: Array(limits.clusterIdsMax + 1).fill(absentId) },
      { cluster_ids: 'invalid_range' },
    ],
  ])('are not put in %s', async (_what, body, fields) => {
    const { id } = await createMemory(client, 'Ana likes tea.');
    expect(fieldErrorCodes(await associate(id, body))).toEqual(fields);
  });

  it('must be there and active: 404 memory_not_found, 409 conflict', async () => {
    const tea = await createCluster(client, 'Tea');
    const body = { cluster_ids: [tea.id] };
    expect(errorCodeOf(await associate(absentId, body))).toBe('memory_not_found');
    const { id } = await createMemory(client, 'Ana likes tea.');
    await client.memories.remove({ params: { id }, query: { soft: true } });
    expect(errorCodeOf(await associate(id, body))).toBe('conflict');
  });

  it('of any space join an account-wide cluster, one of a space takes its own alone', async () => {
    const spaces = ['red', 'blue'].map((name) => client.spaces.create({ body: { name } }));
    const [red, blue] = (await Promise.all(spaces)).map(({ id }) => id);
    const wide = await createCluster(client, 'Wide');
    const own = await createCluster(client, 'Red', { space_id: red });
    const places = [undefined, red, blue];
    const ids: string[] = [];
    for (const space_id of places) {
      ids.push((await createMemory(client, 'Ana likes tea.', space_id ? { space_id } : {})).id);
    }
    for (const id of ids) await addToClusters(client, id, wide.id);
    expect((await listMemberIds(client, wide.id)).toSorted()).toEqual(ids.toSorted());
    const faults = { 'cluster_ids.1': 'invalid_format' };
    const body = { cluster_ids: [wide.id, own.id] };
    const answers: Record<string, string>[] = [];
    for (const id of ids) answers.push(fieldErrorCodes(await associate(id, body)));
    expect(answers).toEqual([faults, { status: '201' }, faults]);
  });

  it(`are put in ${limits.clustersPerMemoryMax} at most: 403 quota_exceeded`, async () => {
    const clusters: string[] = [];
    for (let i = 0; i <= limits.clustersPerMemoryMax; i += 1) {
      clusters.push((await createCluster(client, `cluster ${i}`)).id);
    }
    const { id } = await createMemory(client, 'Ana likes tea.');
    const [last = '', ...others] = clusters;
    expect((await associate(id, { cluster_ids: others })).status).toBe(201);
    expect(await associate(id, { cluster_ids: [last] })).toMatchObject({
      status: 403,
      body: { error: { code: 'quota_exceeded', details: { quota: 'clusters_per_memory' } } },
    });
    expect((await associate(id, { cluster_ids: others })).status).toBe(201);
  });

  it('are taken out with 204 and told of; 404 where they are not in it', async () => {
    const tea = await createCluster(client, 'Tea');
    const { id } = await createMemory(client, 'Ana likes tea.');
    await addToClusters(client, id, tea.id);
    const remove = (memoryId: string, clusterId: string) =>
      client.request({ method: 'DELETE', path: `/memories/${memoryId}/clusters/${clusterId}` });
    const { status, body } = await remove(id, tea.id);
    expect([status, body]).toEqual([204, undefined]);
    expect(await memoryCountOf(client, tea.id)).toBe(0);
    expect(await toldOf('cluster.memory_removed')).toEqual([{ cluster_id: tea.id, memory_id: id }]);
    expect(errorCodeOf(await remove(id, tea.id))).toBe('cluster_not_found');
    expect(errorCodeOf(await remove(id, absentId))).toBe('cluster_not_found');
    expect(errorCodeOf(await remove(absentId, tea.id))).toBe('memory_not_found');
  });

  it('are listed with the name of their cluster, 50 a page, newest member first', async () => {
    const tea = await createCluster(client, 'Tea');
    const memories = Array.from({ length: 52 }, (_, i) => ({ content: `cup ${i}` }));
    const made = await client.memories.bulkCreate({ body: { memories } });
    const ids = made.memories.map(({ id }) => id);
    for (const id of ids) await addToClusters(client, id, tea.id);
    const params = { clusterId: tea.id };
    const page = await client.clusters.memories({ params });
    expect(page).toMatchObject({ cluster_id: tea.id, cluster_name: 'Tea' });
    expect(page.pagination).toEqual({
      total: 52,
      limit: 50,
      offset: 0,
      count: 50,
      has_more: true,
      next_cursor: null,
    });
    const rest = await client.clusters.memories({ params, query: { offset: 50 } });
    expect(rest.pagination).toEqual({
      total: 52,
      limit: 50,
      offset: 50,
      count: 2,
      has_more: false,
      next_cursor: null,
    });
    const listed = [...page.memories, ...rest.memories];
    expect(listed.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(listed[0]).toMatchObject({ content: 'cup 51', confidence: 1, added_at: at });
    const detail = await client.clusters.get({
      params,
      query: { include_memories: true, include: ['quality_metrics'] },
    });
    expect(detail.memories?.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 20));
    expect(detail.memories_pagination).toEqual({ limit: 20, offset: 0, has_more: true });
    expect(detail.quality_metrics).toEqual({
      silhouette_score: null,
      dbcv_score: null,
      cohesion_score: null,
      computed_at: null,
    });
  });

  it('are listed by when they joined, confidence, or their own times, either way', async () => {
    const tea = await createCluster(client, 'Tea');
    const ids: string[] = [];
    for (const word of ['one', 'two', 'three']) ids.push((await createMemory(client, word)).id);
    const [one = '', two = '', three = ''] = ids;
    await client.memories.update({ params: { id: one }, body: { priority: 3 } });
    for (const [id, confidence] of [
      [two, 0.1],
      [three, 0.9],
      [one, 0.5],
    ] as const) {
      await associate(id, { cluster_ids: [tea.id], confidence });
    }
    const by = async (sort: 'added_at' | 'confidence' | 'created_at' | 'updated_at') => {
      const query = { sort, order: 'asc' } as const;
      const params = { clusterId: tea.id };
      const { memories } = await client.clusters.memories({ params, query });
      const turned = await client.clusters.get({
        params,
        query: { include_memories: true, sort, order: 'desc' },
      });
      expect(turned.memories?.toReversed()).toEqual(memories);
      return memories.map(({ content }) => content);
    };
    expect(await by('added_at')).toEqual(['two', 'three', 'one']);
    expect(await by('confidence')).toEqual(['two', 'one', 'three']);
    expect(await by('created_at')).toEqual(['one', 'two', 'three']);
    expect(await by('updated_at')).toEqual(['two', 'three', 'one']);
    const path = `/clusters/${tea.id}/memories`;
    const refused = await client.request({
      method: 'GET',
      path,
      query: { sort: 'name', limit: 101, order: 'up', offset: -1 },
    });
    expect(fieldErrorCodes(refused)).toEqual({
      sort: 'invalid_enum_value',
      limit: 'invalid_range',
      order: 'invalid_enum_value',
      offset: 'invalid_range',
    });
  });

  it('that are softly deleted are left out, and come back with a restore', async () => {
    const tea = await createCluster(client, 'Tea');
    const ids = [(await createMemory(client, 'one')).id, (await createMemory(client, 'two')).id];
    for (const id of ids) await addToClusters(client, id, tea.id);
    const [first = ''] = ids;
    await client.memories.remove({ params: { id: first }, query: { soft: true } });
    expect(await listMemberIds(client, tea.id)).toEqual([ids[1]]);
    expect(await memoryCountOf(client, tea.id)).toBe(1);
    expect((await client.clusters.ofMemory({ params: { id: first } })).data).toHaveLength(1);
    await client.memories.restore({ params: { id: first } });
    expect((await listMemberIds(client, tea.id)).toSorted()).toEqual(ids.toSorted());
    expect(await memoryCountOf(client, tea.id)).toBe(2);
    expect(await toldOf('cluster.memory_removed')).toEqual([]);
  });

  it('that are deleted for good leave: alone, in bulk, and with their session', async () => {
    const tea = await createCluster(client, 'Tea');
    const session = await client.cliSessions.create({ body: { name: 'chat' } });
    const kept = (await createMemory(client, 'kept')).id;
    const alone = (await createMemory(client, 'alone')).id;
    const bulk = (await createMemory(client, 'bulk')).id;
    const inSession = (await createMemory(client, 'in session', { session_id: session.id })).id;
    for (const id of [kept, alone, bulk, inSession]) await addToClusters(client, id, tea.id);
    await client.memories.remove({ params: { id: bulk }, query: { soft: true } });
    expect(await memoryCountOf(client, tea.id)).toBe(3);
    await client.memories.bulkDelete({ body: { ids: [bulk] } });
    expect(await memoryCountOf(client, tea.id)).toBe(3);
    await client.memories.remove({ params: { id: alone } });
    expect(await memoryCountOf(client, tea.id)).toBe(2);
    await client.cliSessions.remove({ params: { id: session.id } });
    expect(await memoryCountOf(client, tea.id)).toBe(1);
    expect(await listMemberIds(client, tea.id)).toEqual([kept]);
    await service.running.context.worker.drain();
    expect(await memoryCountOf(client, tea.id)).toBe(1);
  });

  it('that move to another space leave the clusters of the former, which is told', async () => {
    const spaces = ['red', 'blue'].map((name) => client.spaces.create({ body: { name } }));
    const [red, blue] = (await Promise.all(spaces)).map(({ id }) => id);
    const own = await createCluster(client, 'Red', { space_id: red });
    const wide = await createCluster(client, 'Wide');
    const { id } = await createMemory(client, 'Ana likes tea.', { space_id: red });
    await addToClusters(client, id, own.id, wide.id);
    await client.memories.update({ params: { id }, body: { space_id: blue } });
    expect(await memoryCountOf(client, own.id)).toBe(0);
    expect(await memoryCountOf(client, wide.id)).toBe(1);
    const of = await client.clusters.ofMemory({ params: { id } });
    expect(of.data.map(({ name }) => name)).toEqual(['Wide']);
    const told = await listEvents(client, 'cluster.memory_removed');
    expect(told.map(({ space_id, data }) => ({ space_id, data }))).toEqual([
      { space_id: red, data: { cluster_id: own.id, memory_id: id } },
    ]);
  });

  it('go with a space that is removed, and its clusters with it', async () => {
    const { id: spaceId } = await client.spaces.create({ body: { name: 'red' } });
    const own = await createCluster(client, 'Red', { space_id: spaceId });
    const { id } = await createMemory(client, 'Ana likes tea.', { space_id: spaceId });
    await addToClusters(client, id, own.id);
    await client.memories.remove({ params: { id } });
    await client.spaces.remove({ params: { id: spaceId } });
    const path = `/clusters/${own.id}`;
    expect((await client.request({ method: 'GET', path })).status).toBe(404);
    expect((await listEvents(client, 'cluster.deleted')).map(({ data }) => data)).toEqual([
      { id: own.id },
    ]);
  });

  it('put in and deleted at the same time are counted as they are in the end', async () => {
    const clusters = [
      await createCluster(client, 'a'),
      await createCluster(client, 'b'),
      await createCluster(client, 'c'),
    ];
    const memories = Array.from({ length: 30 }, (_, i) => ({ content: `cup ${i}` }));
    const { memories: made } = await client.memories.bulkCreate({ body: { memories } });
    const ids = clusters.map((cluster) => cluster.id);
    await Promise.all(
      made.flatMap(({ id }, i) => [
        associate(id, { cluster_ids: i % 2 ? ids : ids.toReversed() }),
        ...(i % 3 === 0
          ? [client.request({ method: 'DELETE', path: `/memories/${id}`, query: { soft: true } })]
          : []),
        ...(i % 3 === 1 ? [client.request({ method: 'DELETE', path: `/memories/${id}` })] : []),
      ]),
    );
    for (const id of ids) {
      expect(await memoryCountOf(client, id)).toBe((await listMemberIds(client, id)).length);
    }
  });
});
