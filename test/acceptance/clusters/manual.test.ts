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
  getCluster,
  listMemberIds,
} from './cluster-requests.ts';

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe.each(engines)('clusters made by hand on %s', (engine) => {
  let service: Service;
  let client: Client;
  useAccountPerTest(engine, (begun) => {
    ({ service, client } = begun);
  });

  const post = (body: object) => client.request({ method: 'POST', path: '/clusters', body });
  const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
    client.request({ method: 'PATCH', path: `/clusters/${id}`, body, headers });

  it('answer 201 with every published field, and nobody in them', async () => {
    const { status, body } = await post({ name: 'Tea' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Tea',
      description: null,
      space_id: null,
      cluster_type: 'manual',
      color: null,
      metadata: {},
      memory_count: 0,
      silhouette_score: null,
      dbcv_score: null,
      cohesion_score: null,
      topic_label: null,
      topic_keywords: null,
      centroid_available: false,
      created_at: at,
      updated_at: at,
    });
  });

  it('keep every field that was sent', async () => {
    const { id: space_id } = await client.spaces.create({ body: { name: 'kitchen' } });
    const fields = { description: 'd', space_id, color: '#aBc', metadata: { a: { b: [1] } } };
    const { id } = await createCluster(client, 'Tea', fields);
    expect(await getCluster(client, id)).toMatchObject({ name: 'Tea', ...fields });
    const { id: other } = await createCluster(client, 'Coffee', {
      color: '#00FF7f',
      space_id: 'default',
    });
    expect(await getCluster(client, other)).toMatchObject({ color: '#00FF7f', space_id: null });
  });

  it.each([
    ['no name', {}, { name: 'required' }],
    ['an empty name', { name: '' }, { name: 'invalid_range' }],
    ['256 characters of a name', { name: 'x'.repeat(256) }, { name: 'field_too_long' }],
    [
      '1,001 characters of a description',
      { name: 'x', description: 'x'.repeat(1_001) },
      { description: 'field_too_long' },
    ],
    ['a colour by its name', { name: 'x', color: 'red' }, { color: 'invalid_format' }],
    ['a colour of four digits', { name: 'x', color: '#abcd' }, { color: 'invalid_format' }],
    ['a colour without its #', { name: 'x', color: 'aabbcc' }, { color: 'invalid_format' }],
    ['metadata that is no object', { name: 'x', metadata: [] }, { metadata: 'invalid_type' }],
    ['a space that is no id', { name: 'x', space_id: 'x' }, { space_id: 'invalid_format' }],
    ['a type', { name: 'x', cluster_type: 'manual' }, { cluster_type: 'unknown_field' }],
    ['a name of U+0000', { name: '\0' }, { name: 'invalid_characters' }],
  ])('are not made with %s: the field is named', async (_what, body, fields) => {
    expect(fieldErrorCodes(await post(body))).toEqual(fields);
  });

  it('take 255 characters of a name and 1,000 of a description', async () => {
    const name = '茶'.repeat(255);
    expect(await createCluster(client, name, { description: 'x'.repeat(1_000) })).toMatchObject({
      name,
    });
  });

  it('of a space that there is not are 404 space_not_found', async () => {
    const answer = await post({ name: 'x', space_id: absentId });
    expect([answer.status, errorCodeOf(answer)]).toEqual([404, 'space_not_found']);
  });

  it('have names unique in their scope, in any letter case: 409 names the other', async () => {
    const { id } = await createCluster(client, 'Grüner Tee');
    const again = await post({ name: 'GRÜNER TEE' });
    expect(again).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', details: { cluster_id: id } } },
    });
    // The same letters, written with a combining mark.
    expect((await post({ name: 'Gru\u0308ner tee' })).status).toBe(409);
    const [one, two] = await Promise.all(
      ['a', 'b'].map((name) => client.spaces.create({ body: { name } })),
    );
    for (const space of [one, two])
      await createCluster(client, 'Grüner Tee', { space_id: space?.id });
    expect((await post({ name: 'grüner tee', space_id: one?.id })).status).toBe(409);
    const other = await createCluster(client, 'Schwarzer Tee');
    expect((await patch(other.id, { name: 'grüner Tee' })).status).toBe(409);
    expect((await patch(id, { name: 'grüner TEE' })).status).toBe(200);
    await client.clusters.remove({ params: { clusterId: id } });
    expect((await post({ name: 'GRÜNER TEE' })).status).toBe(201);
  });

  it('of many creates of one name at once exactly one is made', async () => {
    const names = Array.from({ length: 24 }, (_, i) => (i % 2 ? 'Tea' : 'TEA'));
    const answers = await Promise.all(names.map((name) => post({ name })));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    expect(answers.filter((answer) => errorCodeOf(answer) === 'conflict')).toHaveLength(23);
    expect((await client.clusters.list()).data).toHaveLength(1);
  });

  it('of many renames to one name at once exactly one is made', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `cluster ${i}`);
    const clusters = await Promise.all(names.map((name) => createCluster(client, name)));
    const answers = await Promise.all(clusters.map(({ id }) => patch(id, { name: 'Tea' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
  });

  it('change by PATCH: null empties, metadata replaces', async () => {
    const fields = { description: 'd', color: '#abc', metadata: { a: 1, b: 2 } };
    const { id } = await createCluster(client, 'Tea', fields);
    const { body } = await patch(id, { description: null, color: null, metadata: { c: 3 } });
    expect(body).toMatchObject({ name: 'Tea', description: null, color: null, metadata: { c: 3 } });
    expect(await getCluster(client, id)).toEqual(body);
    expect(fieldErrorCodes(await patch(id, { space_id: null, name: null }))).toEqual({
      space_id: 'unknown_field',
      name: 'invalid_type',
    });
    expect(errorCodeOf(await patch(absentId, { name: 'x' }))).toBe('cluster_not_found');
  });

  it('tell of their life: created, updated with the changes, deleted', async () => {
    const made = await createCluster(client, 'Tea', { metadata: { a: 1 } });
    await patch(made.id, { name: 'Tea', metadata: { a: 1 } });
    const { body: renamed } = await patch(made.id, { name: 'Teas', color: '#fff' });
    await client.clusters.remove({ params: { clusterId: made.id } });
    const told = (await listEvents(client)).filter(({ type }) => type.startsWith('cluster.'));
    expect(told.map(({ type, data, changes }) => ({ type, data, changes }))).toEqual([
      { type: 'cluster.created', data: made, changes: null },
      { type: 'cluster.updated', data: renamed, changes: ['name', 'color'] },
      { type: 'cluster.deleted', data: { id: made.id }, changes: null },
    ]);
    expect(told[1]?.previous_data).toEqual(made);
  });

  it('have an ETag, which a change of theirs or of who is in them makes stale', async () => {
    const { id } = await createCluster(client, 'Tea');
    const path = `/clusters/${id}`;
    const etag = async () =>
      (await client.request({ method: 'GET', path })).headers.get('etag') ?? '';
    const first = await etag();
    const cached = { 'if-none-match': first };
    expect((await client.request({ method: 'GET', path, headers: cached })).status).toBe(304);
    await addToClusters(client, (await createMemory(client, 'Ana likes tea.')).id, id);
    expect((await client.request({ method: 'GET', path, headers: cached })).status).toBe(200);
    const stale = await patch(id, { name: 'x' }, { 'if-match': first });
    expect([stale.status, errorCodeOf(stale)]).toEqual([412, 'precondition_failed']);
    expect((await patch(id, { name: 'Teas' }, { 'if-match': await etag() })).status).toBe(200);
    const remove = (value: string) =>
      client.request({ method: 'DELETE', path, headers: { 'if-match': value } });
    expect((await remove(first)).status).toBe(412);
    expect((await remove(await etag())).status).toBe(204);
  });

  it('with their memories have no ETag, since those change without them', async () => {
    const { id } = await createCluster(client, 'Tea');
    const query = { include_memories: true };
    const { headers } = await client.request({ method: 'GET', path: `/clusters/${id}`, query });
    expect(headers.get('etag')).toBeNull();
  });

  it('that are removed leave their memories, which are in no cluster then', async () => {
    const cluster = await createCluster(client, 'Tea');
    const memory = await createMemory(client, 'Ana likes tea.');
    await addToClusters(client, memory.id, cluster.id);
    const path = `/clusters/${cluster.id}`;
    const removed = await client.request({ method: 'DELETE', path });
    expect([removed.status, removed.body]).toEqual([204, undefined]);
    expect((await client.request({ method: 'GET', path })).status).toBe(404);
    expect(await client.memories.get({ params: { id: memory.id } })).toMatchObject({
      content: 'Ana likes tea.',
    });
    const of = await client.clusters.ofMemory({ params: { id: memory.id } });
    expect(of.data).toEqual([]);
  });

  it('with more memories than one step removes go at once, and their rows by a job', async () => {
    const cluster = await createCluster(client, 'Tea');
    const ids: string[] = [];
    for (let batch = 0; batch < 3; batch += 1) {
      const memories = Array.from({ length: limits.bulkItemsMax }, (_, i) => ({
        content: `cup ${batch} ${i}`,
      }));
      const made = await client.memories.bulkCreate({ body: { memories } });
      ids.push(...made.memories.map(({ id }) => id));
    }
    for (const id of ids) await addToClusters(client, id, cluster.id);
    expect(await listMemberIds(client, cluster.id)).toHaveLength(300);
    await client.clusters.remove({ params: { clusterId: cluster.id } });
    const last = ids.at(-1) ?? '';
    expect((await client.clusters.ofMemory({ params: { id: last } })).data).toEqual([]);
    await service.running.context.worker.drain();
    const rows = await service.running.context.app.engine.db
      .selectFrom('cluster_memories')
      .select('memory_id')
      .where('memory_id', 'in', ids)
      .execute();
    expect(rows).toEqual([]);
  });

  it('are 404 cluster_not_found where there are none, whatever the id looks like', async () => {
    for (const id of [absentId, 'x', `mem_${absentId}`]) {
      for (const path of [`/clusters/${id}`, `/clusters/${id}/memories`]) {
        const answer = await client.request({ method: 'GET', path });
        expect([answer.status, errorCodeOf(answer)]).toEqual([404, 'cluster_not_found']);
      }
    }
  });
});
