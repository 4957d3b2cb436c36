import { type EventType, eventTypes } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';

/** Those of the areas whose changes are made here. */
const published: readonly EventType[] = [
  'memory.created',
  'memory.updated',
  'memory.deleted',
  'memory.accessed',
  'memory.reinforced',
  'memory.restored',
  'memory.verified',
  'memory.bulk_created',
  'memory.bulk_updated',
  'memory.bulk_deleted',
  'memory.bulk_tags_updated',
  'relationship.created',
  'relationship.updated',
  'relationship.deleted',
  'space.created',
  'space.updated',
  'space.deleted',
  'feedback.submitted',
];
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe.each(engines)('Events on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const typesOf = async (client: Client): Promise<EventType[]> =>
    (await client.events.list({ query: { limit: 100 } })).data.map(({ type }) => type);

  it('of a restore is memory.restored with the memory', async () => {
    const { client } = await service.createAccount();
    const { id } = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
    await client.memories.remove({ params: { id }, query: { soft: true } });
    const memory = await client.memories.restore({ params: { id } });
    const { data } = await client.events.list();
    expect(data.at(-1)).toMatchObject({ type: 'memory.restored', data: memory });
  });

  it('of every published type come, as far as there is anything to tell', async () => {
    const { client } = await service.createAccount();
    await doEverything(client);
    clock.advance(hourMs);
    const wanted = published.toSorted();
    const seen = await eventually(
      async () => [...new Set(await typesOf(client))].toSorted(),
      (types) => types.length >= wanted.length,
    );
    expect(seen).toEqual(wanted);
    expect(Object.keys(eventTypes)).toEqual(expect.arrayContaining(wanted));
  });

  it('are told for 30 days, and no longer', async () => {
    const { client } = await service.createAccount();
    const first = await client.spaces.create({ body: { name: 'first' } });
    clock.advance(2 * dayMs);
    await client.spaces.create({ body: { name: 'second' } });
    clock.advance(28 * dayMs - 2 * hourMs);
    await client.spaces.remove({ params: { id: first.id } });
    expect(await typesOf(client)).toEqual(['space.created', 'space.created', 'space.deleted']);
    clock.advance(4 * hourMs);
    const kept = await eventually(
      () => typesOf(client),
      (types) => types.length < 3,
    );
    expect(kept).toEqual(['space.created', 'space.deleted']);
  });
});

/** Each kind of change once. */
async function doEverything(client: Client): Promise<void> {
  const space = await client.spaces.create({ body: { name: 'research' } });
  await client.spaces.update({ params: { id: space.id }, body: { description: 'x' } });
  await client.spaces.remove({ params: { id: space.id } });
  const { id } = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
  const params = { id };
  await client.memories.get({ params });
  await client.memories.update({ params, body: { priority: 5 } });
  await client.memories.verify({ params });
  await client.memories.feedback({ params, body: { helpful: true } });
  await client.memories.remove({ params, query: { soft: true } });
  await client.memories.restore({ params });
  const { memories } = await client.memories.bulkCreate({
    body: { memories: [{ content: 'one' }, { content: 'two' }] },
  });
  const ids = memories.map((memory) => memory.id);
  await client.memories.bulkUpdate({ body: { ids, set: { priority: 1 } } });
  await client.memories.bulkTags({ body: { ids, add: ['x'] } });
  const link = { sourceId: id, targetId: ids[0] ?? '', type: 'supports' };
  await client.relationships.create({
    params: { memoryId: id },
    body: { target_id: link.targetId, relationship_type: 'supports' },
  });
  await client.relationships.reinforce({ params: link });
  await client.relationships.remove({ params: link });
  await client.memories.bulkDelete({ body: { ids } });
}
