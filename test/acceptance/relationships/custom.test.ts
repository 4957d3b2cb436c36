import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { expectError } from '../memories/memory-requests.ts';
import { createMemories, createRelationship, idsOf } from './relationship-requests.ts';

describe.each(engines)('custom types of relationships on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const allow = (client: Client, allowed: boolean) =>
    client.account.update({ body: { settings: { allow_custom_relationship_types: allowed } } });
  const three = async () => {
    const { client } = await service.createAccount();
    const [a = '', b = '', c = ''] = await createMemories(client, 3);
    await allow(client, true);
    return { client, a, b, c };
  };
  const longest = `f${'_9'.repeat(31)}z`;

  it.each(['a', 'admires', 'is_2nd_to', longest])('%s is a name for one', async (type) => {
    expect(type.length).toBeLessThanOrEqual(64);
    const { client, a, b } = await three();
    const made = await createRelationship(client, a, b, { type });
    expect(made).toMatchObject({ type, relationship_type: type });
    const params = { sourceId: a, targetId: b, type };
    expect((await client.relationships.update({ params, body: { weight: 0.5 } })).weight).toBe(0.5);
    expect((await client.relationships.weaken({ params })).type).toBe(type);
    await client.relationships.remove({ params });
  });

  it.each(['A', '_a', '9a', 'a-b', 'a b', 'é', `${longest}z`, ''])(
    '%j is none, in a body, a filter or a path: 422',
    async (type) => {
      const { client, a, b } = await three();
      const calls = [
        () => createRelationship(client, a, b, { type }),
        () => client.relationships.list({ params: { memoryId: a }, query: { type } }),
        () => client.relationships.related({ params: { memoryId: a }, query: { type } }),
        ...(type === ''
          ? []
          : [() => client.relationships.reinforce({ params: { sourceId: a, targetId: b, type } })]),
      ];
      for (const call of calls) expect(await expectError(call())).toMatchObject({ status: 422 });
    },
  );

  it('are directional: filters tell them apart, and the other way is another', async () => {
    const { client, a, b, c } = await three();
    const there = await createRelationship(client, a, b, { type: 'admires' });
    const back = await createRelationship(client, b, a, { type: 'admires' });
    await createRelationship(client, b, c, { type: 'fears' });
    await createRelationship(client, a, c);
    const query = { type: 'admires' };
    const params = { memoryId: a };
    const listed = await client.relationships.list({ params, query });
    expect([idsOf(listed.outgoing), idsOf(listed.incoming)]).toEqual([[there.id], [back.id]]);
    const walked = await client.relationships.related({ params, query: { ...query, depth: 5 } });
    expect(walked.memories.map(({ memory }) => memory.id)).toEqual([b]);
    await client.relationships.remove({
      params: { sourceId: a, targetId: b, type: 'admires' },
    });
    expect(idsOf((await client.relationships.list({ params, query })).incoming)).toEqual([back.id]);
  });

  it('stay where they are when the account allows them no more, and cannot be named', async () => {
    const { client, a, b, c } = await three();
    const made = await createRelationship(client, a, b, { type: 'admires' });
    await allow(client, false);
    const params = { sourceId: a, targetId: b, type: 'admires' };
    const query = { type: 'admires' };
    const named = [
      () => createRelationship(client, a, c, { type: 'admires' }),
      () => client.relationships.update({ params, body: { weight: 0.5 } }),
      () => client.relationships.reinforce({ params }),
      () => client.relationships.weaken({ params }),
      () => client.relationships.remove({ params }),
      () => client.relationships.list({ params: { memoryId: a }, query }),
      () => client.relationships.related({ params: { memoryId: a }, query }),
    ];
    for (const call of named) {
      expect(await expectError(call())).toMatchObject({
        status: 422,
        fields: { type: { code: 'invalid_enum_value' } },
      });
    }
    const { outgoing } = await client.relationships.list({ params: { memoryId: a } });
    expect(idsOf(outgoing)).toEqual([made.id]);
    const { memories } = await client.relationships.related({ params: { memoryId: a } });
    expect(memories).toMatchObject([{ memory: { id: b } }]);
    await allow(client, true);
    await client.relationships.remove({ params });
    expect((await client.relationships.list({ params: { memoryId: a } })).total).toBe(0);
  });

  it('come one by one in a batch, each by the same rule', async () => {
    const { client, a, b, c } = await three();
    const item = (target_id: string, type: string) => ({ source_id: a, target_id, type });
    const relationships = [item(b, 'admires'), item(c, 'Admires'), item(c, 'superseded_by')];
    const answer = await client.relationships.batch({ body: { relationships } });
    expect(answer.succeeded.map(({ type }) => type)).toEqual(['admires']);
    expect(answer.failed.map(({ index }) => index)).toEqual([1, 2]);
  });
});
