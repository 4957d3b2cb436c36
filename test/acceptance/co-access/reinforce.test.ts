import type { Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { minuteMs, searchWithSession } from '../activation/session-requests.ts';
import { createMemory, idsOf, listEvents } from '../memories/memory-requests.ts';
import {
  createMemories,
  createRelationship,
  relationshipParams,
} from '../relationships/relationship-requests.ts';
import {
  closeAllSessions,
  createClockWithoutTimers,
  relationshipsBetween,
  requeueLearningJobs,
} from './close-sessions.ts';

const lasting = { decay_rate: 0, weight: 0.5 } as const;
const dayMs = 86_400_000;

describe.each(engines)('Relationships of what was found together on %s', (engine) => {
  let service: Service;
  const clock = createClockWithoutTimers();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());
  const close = (client: Client) => closeAllSessions(service, clock, client);

  /** Three memories that one search finds, and one that it does not. */
  const surroundings = async () => {
    const { client, id } = await service.createAccount();
    const made: Memory[] = [];
    for (const word of ['tea', 'sea', 'fog']) {
      made.push(await createMemory(client, `needle ${word}`));
    }
    const [a = '', b = '', c = ''] = idsOf(made);
    const [apart = ''] = await createMemories(client, 1);
    return { client, accountId: id, a, b, c, apart };
  };
  const weights = async (client: Client, one: string, other: string) =>
    (await relationshipsBetween(client, one, other)).map(({ weight, usage_count }) => [
      weight,
      usage_count,
    ]);

  it('are reinforced by a tenth when the session closes, and not before', async () => {
    const { client, a, b } = await surroundings();
    const made = await createRelationship(client, a, b, lasting);
    await searchWithSession(client, 'k', 'needle');
    clock.advance(29 * minuteMs);
    await client.sessions.active();
    await service.running.context.worker.drain();
    expect(await relationshipsBetween(client, a, b)).toEqual([made]);
    await close(client);
    const [after] = await relationshipsBetween(client, a, b);
    expect(after).toEqual({
      ...made,
      weight: 0.6,
      strength: 0.6,
      usage_count: 1,
      reinforcement_count: 1,
      last_reinforced_at: after?.updated_at,
      updated_at: expect.any(String),
    });
    expect(Date.parse(after?.updated_at ?? '')).toBeGreaterThan(Date.parse(made.updated_at));
  });

  it('are reinforced all, of each pair, of any type and direction', async () => {
    const { client, a, b, c } = await surroundings();
    await createRelationship(client, a, b, lasting);
    await createRelationship(client, b, a, lasting);
    await createRelationship(client, a, b, { ...lasting, type: 'contradicts' });
    await createRelationship(client, c, a, { ...lasting, type: 'supersedes', bidirectional: true });
    await createRelationship(client, c, b, { ...lasting, type: 'parent_of' });
    await searchWithSession(client, 'k', 'needle');
    await close(client);
    const once = [0.6, 1];
    expect(await weights(client, a, b)).toEqual([once, once, once]);
    // Both halves of a pair lie between the two: each is reinforced, and neither twice.
    expect(await weights(client, a, c)).toEqual([once, once]);
    expect(await weights(client, b, c)).toEqual([once]);
  });

  it('are left as they are where one end was not accessed in the session', async () => {
    const { client, a, b, apart } = await surroundings();
    const made = [
      await createRelationship(client, a, apart, lasting),
      await createRelationship(client, apart, b, lasting),
    ];
    await searchWithSession(client, 'k', 'needle');
    await searchWithSession(client, 'other', '"memory 0"');
    await close(client);
    expect(await relationshipsBetween(client, a, apart)).toEqual(made.slice(0, 1));
    expect(await relationshipsBetween(client, b, apart)).toEqual(made.slice(1));
  });

  it('are reinforced once by a session, however often it found both', async () => {
    const { client, a, b } = await surroundings();
    await createRelationship(client, a, b, lasting);
    await searchWithSession(client, 'k', 'needle');
    await client.search.recall({ body: { query: 'needle', session: 'k' } });
    await searchWithSession(client, 'k', '"needle tea"');
    await close(client);
    expect(await weights(client, a, b)).toEqual([[0.6, 1]]);
    await searchWithSession(client, 'k', 'needle');
    await searchWithSession(client, 'other', 'needle');
    await close(client);
    const [after] = await relationshipsBetween(client, a, b);
    expect(after).toMatchObject({ weight: expect.closeTo(0.8, 9), usage_count: 3 });
  });

  it('are reinforced also where two searches found one each', async () => {
    const { client, a, b, c } = await surroundings();
    await createRelationship(client, a, b, lasting);
    const other = await createRelationship(client, a, c, lasting);
    await searchWithSession(client, 'k', '"needle tea"');
    clock.advance(20 * minuteMs);
    await searchWithSession(client, 'k', '"needle sea"');
    await close(client);
    expect(await weights(client, a, b)).toEqual([[0.6, 1]]);
    expect(await relationshipsBetween(client, a, c)).toEqual([other]);
  });

  it('start from what decay has left', async () => {
    const { client, a, b } = await surroundings();
    await createRelationship(client, a, b, { weight: 0.8, decay_rate: 0.02 });
    clock.advance(100 * dayMs);
    await searchWithSession(client, 'k', 'needle');
    await close(client);
    const [after] = await relationshipsBetween(client, a, b);
    expect(after?.weight).toBeCloseTo(0.8 * 0.98 ** 100 + 0.1, 3);
    clock.advance(100 * dayMs);
    const [later] = await relationshipsBetween(client, a, b);
    expect(later?.weight).toBeCloseTo((0.8 * 0.98 ** 100 + 0.1) * 0.98 ** 100, 3);
  });

  it('are told of as relationship.updated', async () => {
    const { client, a, b } = await surroundings();
    const made = await createRelationship(client, a, b, lasting);
    await searchWithSession(client, 'k', 'needle');
    await close(client);
    const told = await listEvents(client, 'relationship.updated');
    const [after] = await relationshipsBetween(client, a, b);
    expect(told).toMatchObject([
      {
        data: after,
        previous_data: made,
        changes: ['weight', 'usage_count', 'last_reinforced_at'],
        space_id: null,
      },
    ]);
  });

  it('are reinforced once, though the job runs again', async () => {
    const { client, accountId, a, b } = await surroundings();
    await createRelationship(client, a, b, lasting);
    await searchWithSession(client, 'k', 'needle');
    await close(client);
    const [links, events] = [await relationshipsBetween(client, a, b), await listEvents(client)];
    expect(await requeueLearningJobs(service, accountId)).toBe(1);
    await service.running.context.worker.drain();
    expect(await relationshipsBetween(client, a, b)).toEqual(links);
    expect(links).toMatchObject([{ weight: 0.6, usage_count: 1 }]);
    expect(await listEvents(client)).toEqual(events);
  });

  it('lose nothing to sessions that close at the same time', async () => {
    const { client, a, b } = await surroundings();
    await createRelationship(client, a, b, lasting);
    const keys = Array.from({ length: 10 }, (_, i) => `k${i}`);
    await Promise.all(keys.map((key) => searchWithSession(client, key, 'needle')));
    clock.advance(30 * minuteMs);
    await client.sessions.active();
    const { worker } = service.running.context;
    await Promise.all([worker.drain(), worker.drain(), worker.drain()]);
    const [after] = await relationshipsBetween(client, a, b);
    expect(after).toMatchObject({ weight: expect.closeTo(1.5, 9), usage_count: 10 });
  });

  it('rest while an end is softly deleted, and the others learn all the same', async () => {
    const { client, a, b, c } = await surroundings();
    const resting = await createRelationship(client, a, b, lasting);
    await createRelationship(client, b, c, lasting);
    await searchWithSession(client, 'k', 'needle');
    await client.memories.remove({ params: { id: a }, query: { soft: true } });
    await close(client);
    await client.memories.restore({ params: { id: a } });
    expect(await relationshipsBetween(client, a, b)).toEqual([resting]);
    expect(await weights(client, b, c)).toEqual([[0.6, 1]]);
  });

  it('go with a memory that was erased, and the others learn all the same', async () => {
    const { client, a, b, c } = await surroundings();
    const { id: d } = await createMemory(client, 'needle oak');
    const { id: e } = await createMemory(client, 'needle owl');
    for (const gone of [a, d, e]) await createRelationship(client, gone, b, lasting);
    await createRelationship(client, b, c, lasting);
    await searchWithSession(client, 'k', 'needle');
    await client.memories.remove({ params: { id: a } });
    // Out of every read, while its row waits for its job; and one more before anything is written.
    await client.memories.bulkDelete({ body: { ids: [d] } });
    clock.advance(30 * minuteMs);
    await client.sessions.active();
    await client.memories.bulkDelete({ body: { ids: [e] } });
    await service.running.context.worker.drain();
    expect(await weights(client, b, c)).toEqual([[0.6, 1]]);
    const { total } = await client.relationships.list({ params: { memoryId: b } });
    expect(total).toBe(1);
  });

  it('of other accounts are untouched, also under the same key', async () => {
    const mine = await surroundings();
    const theirs = await surroundings();
    const other = await createRelationship(theirs.client, theirs.a, theirs.b, lasting);
    await createRelationship(mine.client, mine.a, mine.b, lasting);
    await searchWithSession(mine.client, 'k', 'needle');
    await searchWithSession(theirs.client, 'k', '"needle tea"');
    await close(mine.client);
    await close(theirs.client);
    expect(await weights(mine.client, mine.a, mine.b)).toEqual([[0.6, 1]]);
    expect(await relationshipsBetween(theirs.client, theirs.a, theirs.b)).toEqual([other]);
    expect(await listEvents(theirs.client, 'relationship.updated')).toEqual([]);
  });

  it('of other spaces are untouched: a session learns what it found', async () => {
    const { client } = await service.createAccount();
    const red = await client.spaces.create({ body: { name: 'red' } });
    const blue = await client.spaces.create({ body: { name: 'blue' } });
    const inSpace = async (space_id: string) =>
      idsOf([
        await createMemory(client, 'needle tea', { space_id }),
        await createMemory(client, 'needle sea', { space_id }),
      ]);
    const [a = '', b = ''] = await inSpace(red.id);
    const [c = '', d = ''] = await inSpace(blue.id);
    await createRelationship(client, a, b, lasting);
    const others = [
      await createRelationship(client, c, d, lasting),
      await createRelationship(client, a, c, lasting),
    ];
    await client.search.get({ query: { q: 'needle', session: 'k', space_id: red.id } });
    await close(client);
    expect(await weights(client, a, b)).toEqual([[0.6, 1]]);
    expect(await relationshipsBetween(client, c, d)).toEqual(others.slice(0, 1));
    expect(await relationshipsBetween(client, a, c)).toEqual(others.slice(1));
  });

  it('may have gone meanwhile: what was removed does not come back', async () => {
    const { client, a, b } = await surroundings();
    const made = await createRelationship(client, a, b, lasting);
    await searchWithSession(client, 'k', 'needle');
    await client.relationships.remove({ params: relationshipParams(made) as never });
    await close(client);
    expect(await relationshipsBetween(client, a, b)).toEqual([]);
  });
});
