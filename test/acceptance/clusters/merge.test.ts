import type { Client } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { accountEach } from '../../support/account-each.ts';
import { engines } from '../../support/service.ts';
import { absentId, eventsOf, store } from '../memories/asking.ts';
import { codeOf, countOf, faultsOf, make, membersOf, put } from './making.ts';

describe.each(engines)('a merge of clusters on %s', (engine) => {
  let client: Client;
  accountEach(engine, (begun) => {
    ({ client } = begun);
  });

  const merge = (id: string, ...source_ids: string[]) =>
    client.request({ method: 'POST', path: `/clusters/${id}/merge`, body: { source_ids } });

  it('puts all memories in one cluster, each once, and removes the others', async () => {
    const [tea, hot, cold] = [
      await make(client, 'Tea', { description: 'd', color: '#abc' }),
      await make(client, 'Hot'),
      await make(client, 'Cold'),
    ];
    const ids: string[] = [];
    for (const word of ['one', 'two', 'three']) ids.push((await store(client, word)).id);
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
    const told = (await eventsOf(client)).slice(-3);
    expect(told.map(({ type, data }) => [type, data])).toEqual([
      ['cluster.deleted', { id: hot.id }],
      ['cluster.deleted', { id: cold.id }],
      ['cluster.merged', { ...(body as object), source_ids: [hot.id, cold.id] }],
    ]);
  });

  it('counts what is softly deleted only once it is restored', async () => {
    const [tea, hot] = [await make(client, 'Tea'), await make(client, 'Hot')];
    const { id } = await store(client, 'one');
    await put(client, id, tea.id, hot.id);
    await client.memories.remove({ params: { id }, query: { soft: true } });
    expect((await merge(tea.id, hot.id)).body).toMatchObject({ memory_count: 0 });
    await client.memories.restore({ params: { id } });
    expect(await countOf(client, tea.id)).toBe(1);
    expect(await membersOf(client, tea.id)).toEqual([id]);
  });

  it('with itself is 422, with what there is not 404, and nothing happens', async () => {
    const [tea, hot] = [await make(client, 'Tea'), await make(client, 'Hot')];
    expect(faultsOf(await merge(tea.id, hot.id, tea.id))).toEqual({
      'source_ids.1': 'invalid_format',
    });
    expect(await merge(tea.id, hot.id, absentId)).toMatchObject({
      status: 404,
      body: { error: { details: { cluster_id: absentId } } },
    });
    expect(codeOf(await merge(absentId, hot.id))).toBe('cluster_not_found');
    expect(faultsOf(await merge(tea.id))).toEqual({ source_ids: 'invalid_range' });
    expect((await client.clusters.list()).data).toHaveLength(2);
  });

  it('of a space takes in clusters of that space alone, an account-wide one any', async () => {
    const { id: space_id } = await client.spaces.create({ body: { name: 'red' } });
    const [own, wide] = [await make(client, 'Red', { space_id }), await make(client, 'Wide')];
    const faults = { 'source_ids.0': 'invalid_format' };
    expect(faultsOf(await merge(own.id, wide.id))).toEqual(faults);
    const also = await make(client, 'Also red', { space_id });
    expect((await merge(own.id, also.id)).status).toBe(200);
    expect((await merge(wide.id, own.id)).status).toBe(200);
  });

  it('that meets another the other way round leaves one of the two', async () => {
    const [tea, hot] = [await make(client, 'Tea'), await make(client, 'Hot')];
    const { id } = await store(client, 'one');
    await put(client, id, tea.id, hot.id);
    const answers = await Promise.all([merge(tea.id, hot.id), merge(hot.id, tea.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    const { data } = await client.clusters.list();
    expect(data.map(({ memory_count }) => memory_count)).toEqual([1]);
  });
});
