import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { listEvents } from '../memories/memory-requests.ts';
import { createMemories, createRelationship, relationshipParams } from './relationship-requests.ts';

describe.each(engines)('events of relationships on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it('tell an update with what was before and which fields changed', async () => {
    const { client } = await service.createAccount();
    const [a = '', b = ''] = await createMemories(client, 2);
    const made = await createRelationship(client, a, b, { decay_rate: 0 });
    const params = relationshipParams(made) as never;
    const body = { description: 'new', metadata: { a: 1 } };
    const patched = await client.relationships.update({ params, body });
    const stronger = await client.relationships.reinforce({ params });
    const weaker = await client.relationships.weaken({ params });
    const told = (before: object, data: object, changes: string[]) =>
      expect.objectContaining({ data, previous_data: before, changes, space_id: null });
    expect(await listEvents(client, 'relationship.updated')).toEqual([
      told(made, patched, ['description', 'metadata']),
      told(patched, stronger, ['weight', 'usage_count', 'last_reinforced_at']),
      told(stronger, weaker, ['weight']),
    ]);
  });

  it('tell each half of a pair that moves', async () => {
    const { client } = await service.createAccount();
    const [a = '', b = ''] = await createMemories(client, 2);
    const made = await createRelationship(client, a, b, { type: 'parent_of', bidirectional: true });
    await client.relationships.reinforce({ params: relationshipParams(made) as never });
    const events = await listEvents(client, 'relationship.updated');
    expect(events.map(({ data }) => data.id)).toEqual([made.id, made.inverse_relationship?.id]);
  });

  it('tell a removal with ids and type alone', async () => {
    const { client } = await service.createAccount();
    const [a = '', b = ''] = await createMemories(client, 2);
    const made = await createRelationship(client, a, b, {
      type: 'supports',
      description: 'private',
    });
    await client.relationships.remove({ params: relationshipParams(made) as never });
    expect(await listEvents(client, 'relationship.deleted')).toMatchObject([
      {
        data: {
          id: made.id,
          source_id: a,
          target_id: b,
          type: 'supports',
          relationship_type: 'supports',
        },
      },
    ]);
    expect(JSON.stringify(await listEvents(client, 'relationship.deleted'))).not.toContain(
      'private',
    );
  });

  it('are told in the space of the source, across two spaces only to who sees both', async () => {
    const { client } = await service.createAccount();
    const space = async (name: string) => (await client.spaces.create({ body: { name } })).id;
    const [red, blue] = [await space('red'), await space('blue')];
    const [inRed = '', inRedToo = ''] = await createMemories(client, 2, { space_id: red });
    const [inBlue = ''] = await createMemories(client, 1, { space_id: blue });
    const [inNone = ''] = await createMemories(client, 1);
    const [within, across, home] = [
      await createRelationship(client, inRed, inRedToo),
      await createRelationship(client, inRed, inBlue, { description: 'of both' }),
      await createRelationship(client, inBlue, inNone),
    ];
    const visibleTo = async (space_ids: string[] | null) => {
      const body = { name: 'listener', ...(space_ids && { space_ids }) };
      const { key } = await client.keys.create({ body });
      const events = await listEvents(service.client(key), 'relationship.created');
      return events.map(({ data, space_id }) => [data.id, space_id]);
    };
    const [one, two, three] = [
      [within.id, red],
      [across.id, red],
      [home.id, blue],
    ];
    expect(await visibleTo(null)).toEqual([one, two, three]);
    expect(await visibleTo([red])).toEqual([one]);
    expect(await visibleTo([blue])).toEqual([]);
    expect(await visibleTo([red, blue])).toEqual([one, two]);
    expect(await visibleTo([blue, 'default'])).toEqual([three]);
    expect(await visibleTo(['default'])).toEqual([]);
  });
});
