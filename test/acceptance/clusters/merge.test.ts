import type { Client } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { useAccountPerTest } from '../../support/account-per-test.ts';
import { engines } from '../../support/service.ts';
import { absentId, createMemory, listEvents } from '../memories/memory-requests.ts';
import {
  addToClusters,
  createCluster,
  errorCodeOf,
  fieldErrorCodes,
  listMemberIds,
  memoryCountOf,
} from './cluster-requests.ts';

describe.each(engines)('a merge of clusters on %s', (engine) => {
  let client: Client;
  useAccountPerTest(engine, (begun) => {
    ({ client } = begun);
  });

  const merge = (id: string, ...source_ids: string[]) =>
    client.request({ method: 'POST', path: `/clusters/${id}/merge`, body: { source_ids } });

  it('puts all memories in one cluster, each once, and removes the others', async () => {
    const [tea, hot, cold] = [
      await createCluster(client, 'Tea', { description: 'd', color: '#abc' }),
      await createCluster(client, 'Hot'),
      await createCluster(client, 'Cold'),
    ];
    const ids: string[] = [];
    for (const word of ['one', 'two', 'three']) ids.push((await createMemory(client, word)).id);
    const [one = '', two = '', three = ''] = ids;
    const join = (id: string, clusterId: string, confidence: number) =>
      client.clusters.associate({
        params: { id },
        body: { cluster_ids: [clusterId], confidence },
      });
    const first = await join(one, hot.id, 0.9);
    await join(one, tea.id, 0.2);
    await join(two, hot.id, 0.4);
    await join(two, cold.id, 0.3);
    await join(three, cold.id, 0.8);
    const { status, body } = await merge(tea.id, hot.id, cold.id, hot.id);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...tea,
      memory_count: 3,
      centroid_available: true,
      updated_at: expect.any(String),
    });
    const params = { clusterId: tea.id };
    const { memories } = await client.clusters.memories({ params });
    const shown = new Map(memories.map((memory) => [memory.id, memory]));
    expect([...shown.keys()].toSorted()).toEqual(ids.toSorted());
    expect(ids.map((id) => shown.get(id)?.confidence)).toEqual([0.9, 0.4, 0.8]);
    expect(shown.get(one)?.added_at).toBe(first.clusters[0]?.added_at);
    expect((await client.clusters.list()).data.map(({ name }) => name)).toEqual(['Tea']);
    const told = (await listEvents(client)).slice(-3);
    expect(told.map(({ type, data }) => [type, data])).toEqual([
      ['cluster.deleted', { id: hot.id }],
      ['cluster.deleted', { id: cold.id }],
      ['cluster.merged', { ...(body as object), source_ids: [hot.id, cold.id] }],
    ]);
  });

  it('counts what is softly deleted only once it is restored', async () => {
    const [tea, hot] = [await createCluster(client, 'Tea'), await createCluster(client, 'Hot')];
    const { id } = await createMemory(client, 'one');
    await addToClusters(client, id, tea.id, hot.id);
    await client.memories.remove({ params: { id }, query: { soft: true } });
    expect((await merge(tea.id, hot.id)).body).toMatchObject({ memory_count: 0 });
    await client.memories.restore({ params: { id } });
    expect(await memoryCountOf(client, tea.id)).toBe(1);
    expect(await listMemberIds(client, tea.id)).toEqual([id]);
  });

  it('with itself is 422, with what there is not 404, and nothing happens', async () => {
    const [tea, hot] = [await createCluster(client, 'Tea'), await createCluster(client, 'Hot')];
    expect(fieldErrorCodes(await merge(tea.id, hot.id, tea.id))).toEqual({
      'source_ids.1': 'invalid_format',
    });
    expect(await merge(tea.id, hot.id, absentId)).toMatchObject({
      status: 404,
      body: { error: { details: { cluster_id: absentId } } },
    });
    expect(errorCodeOf(await merge(absentId, hot.id))).toBe('cluster_not_found');
    expect(fieldErrorCodes(await merge(tea.id))).toEqual({ source_ids: 'invalid_range' });
    expect((await client.clusters.list()).data).toHaveLength(2);
  });

  it('of a space takes in clusters of that space alone, an account-wide one any', async () => {
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    const [own, wide] = [
      await createCluster(client, 'Red', { space_id }),
      await createCluster(client, 'Wide'),
    ];
    const faults = { 'source_ids.0': 'invalid_format' };
    expect(fieldErrorCodes(await merge(own.id, wide.id))).toEqual(faults);
    const also = await createCluster(client, 'Also red', { space_id });
    expect((await merge(own.id, also.id)).status).toBe(200);
    expect((await merge(wide.id, own.id)).status).toBe(200);
  });

  it('that meets another the other way round leaves one of the two', async () => {
    const [tea, hot] = [await createCluster(client, 'Tea'), await createCluster(client, 'Hot')];
    const { id } = await createMemory(client, 'one');
    await addToClusters(client, id, tea.id, hot.id);
    const answers = await Promise.all([merge(tea.id, hot.id), merge(hot.id, tea.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    const { data } = await client.clusters.list();
    expect(data.map(({ memory_count }) => memory_count)).toEqual([1]);
  });
});
