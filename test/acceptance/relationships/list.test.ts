import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, expectError } from '../memories/memory-requests.ts';
import { createMemories, createRelationship, idsOf } from './relationship-requests.ts';

describe.each(engines)('GET /relationships/:memoryId on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const linked = async () => {
    const { client } = await service.createAccount();
    const [a = '', b = '', c = ''] = await createMemories(client, 3);
    const out = await createRelationship(client, a, b, { type: 'supports' });
    const later = await createRelationship(client, a, c, { type: 'references' });
    const into = await createRelationship(client, c, a, { type: 'supports' });
    return { client, a, b, c, out, later, into };
  };
  const list = (client: Client, memoryId: string, query = {}) =>
    client.relationships.list({ params: { memoryId }, query });

  it('answers both directions apart, newest first, with their number', async () => {
    const { client, a, b, out, later, into } = await linked();
    const { data, pagination, ...published } = await list(client, a);
    expect(data.map(({ id }) => id)).toEqual([later.id, out.id, into.id]);
    expect(pagination).toMatchObject({ total: 3, has_more: false });
    expect(published).toEqual({
      memory_id: a,
      outgoing: [
        { ...later, weight: expect.closeTo(1, 5), strength: expect.closeTo(1, 5) },
        { ...out, weight: expect.closeTo(1, 5), strength: expect.closeTo(1, 5) },
      ],
      incoming: [{ ...into, weight: expect.closeTo(1, 5), strength: expect.closeTo(1, 5) }],
      total: 3,
    });
    expect(await list(client, `mem_${b}`)).toMatchObject({
      memory_id: b,
      outgoing: [],
      incoming: [{ id: out.id }],
      total: 1,
    });
  });

  it('answers only the direction that is asked for', async () => {
    const { client, a, out, later, into } = await linked();
    const outgoing = await list(client, a, { direction: 'outgoing' });
    expect(outgoing).not.toHaveProperty('incoming');
    expect([idsOf(outgoing.outgoing), outgoing.total]).toEqual([[later.id, out.id], 2]);
    const incoming = await list(client, a, { direction: 'incoming' });
    expect(incoming).not.toHaveProperty('outgoing');
    expect([idsOf(incoming.incoming), incoming.total]).toEqual([[into.id], 1]);
  });

  it('filters by type, also by the names of inverses', async () => {
    const { client, a, out, into } = await linked();
    const [d = ''] = await createMemories(client, 1);
    const pair = await createRelationship(client, d, a, {
      type: 'supersedes',
      bidirectional: true,
    });
    const supports = await list(client, a, { type: 'supports' });
    expect([idsOf(supports.outgoing), idsOf(supports.incoming)]).toEqual([[out.id], [into.id]]);
    const older = await list(client, a, { type: 'superseded_by' });
    expect(idsOf(older.outgoing)).toEqual([pair.inverse_relationship?.id]);
    expect(older.total).toBe(1);
    expect(await list(client, a, { type: 'caused_by' })).toMatchObject({ total: 0 });
  });

  it.each([
    ['an unknown type', { type: 'likes' }, 'type', 'invalid_enum_value'],
    ['no name of a type', { type: 'Likes It' }, 'type', 'invalid_enum_value'],
    ['an unknown direction', { direction: 'sideways' }, 'direction', 'invalid_enum_value'],
    ['an unknown field', { limit: 5 }, 'limit', 'unknown_field'],
  ])('refuses %s with 422', async (_name, query, field, code) => {
    const { client, a } = await linked();
    const refused = await expectError(list(client, a, query));
    expect(refused).toMatchObject({ status: 422, details: { fields: { [field]: { code } } } });
  });

  it('tells a memory that there is not, or not here: 404 memory_not_found', async () => {
    const { client } = await linked();
    const stranger = await linked();
    for (const id of [absentId, stranger.a, 'nonsense', `rel_${stranger.a}`]) {
      expect(await expectError(list(client, id))).toMatchObject({
        status: 404,
        code: 'memory_not_found',
      });
    }
  });

  it('leaves out what rests with a soft-deleted memory, and a restore brings it back', async () => {
    const { client, a, c, out } = await linked();
    await client.memories.remove({ params: { id: c }, query: { soft: true } });
    const without = await list(client, a);
    expect([idsOf(without.outgoing), idsOf(without.incoming)]).toEqual([[out.id], []]);
    expect(await list(client, c)).toMatchObject({ outgoing: [], incoming: [], data: [], total: 0 });
    await client.memories.restore({ params: { id: c } });
    expect(await list(client, a)).toMatchObject({ total: 3 });
    expect(await list(client, c)).toMatchObject({ total: 2 });
  });

  it('a memory that is deleted for good takes its relationships along at once', async () => {
    const { client, a, b, c, out } = await linked();
    await client.memories.remove({ params: { id: c } });
    const without = await list(client, a);
    expect([idsOf(without.outgoing), idsOf(without.incoming)]).toEqual([[out.id], []]);
    const { job_id: id } = await client.memories.bulkDelete({ body: { ids: [b] } });
    expect(await list(client, a)).toMatchObject({ total: 0 });
    const params = { sourceId: a, targetId: b, type: 'supports' } as const;
    expect(await expectError(client.relationships.remove({ params }))).toMatchObject({
      code: 'relationship_not_found',
    });
    await eventually(
      () => client.jobs.get({ params: { id: id ?? '' } }),
      ({ status }) => status === 'completed',
    );
    expect(await list(client, a)).toMatchObject({ total: 0 });
  });
});
