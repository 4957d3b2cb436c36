import { fileURLToPath } from 'node:url';
import type { Relationship } from '@mneme/contract';
import { type Client, MnemeError, paginate } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../packages/server/src/database/index.ts';
import { openTestEngine, overrideEngine } from '../../../packages/server/src/database/testing.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { runCount, testSeed } from '../../support/run-count.ts';
import { engines, startService } from '../../support/service.ts';
import { createSeededRandom, type SeededRandom } from '../durability/seeded-random.ts';
import { listEvents } from '../memories/memory-requests.ts';

const migrations = fileURLToPath(new URL('../../../packages/server/migrations', import.meta.url));
const actions = runCount(100, 1_000);

/** An engine of which some transactions fail at their very end, when all is written. */
const failing = (real: Engine, fails: () => boolean): Engine =>
  overrideEngine(real, {
    transaction: (fn, options) =>
      real.transaction(async (tx) => {
        const result = await fn(tx);
        if (fails()) throw new Error('The transaction fails.');
        return result;
      }, options),
  });

/** One change at random; it may be refused, or fail. */
async function act(client: Client, chance: SeededRandom, number: number): Promise<unknown> {
  const { memories, relationships, spaces } = client;
  const all = await memories.list({ query: { include_deleted: true, limit: 100 } });
  const { data: rooms } = await spaces.list();
  const some = () => chance.pick(all.data)?.id;
  const space_id = chance.pick([null, ...rooms.map(({ id }) => id)]);
  const content = `Number ${number}.`;
  if (all.data.length < 4) return memories.create({ body: { content, space_id } });
  const [id, other] = [some(), some()];
  const params = { id };
  const end = { sourceId: id, targetId: other, type: 'supports' } as const;
  const choices = [
    () => memories.create({ body: { content, space_id } }),
    () =>
      memories.bulkCreate({ body: { memories: [{ content }, { content: `${content} Two.` }] } }),
    () => memories.update({ params, body: { content, priority: chance.integer(0, 10) } }),
    () => memories.update({ params, body: { space_id, tags: [content] } }),
    () => memories.remove({ params, query: { soft: true } }),
    () => memories.restore({ params }),
    () => memories.remove({ params }),
    () => memories.verify({ params }),
    () => memories.pin({ params }),
    () => memories.bulkDelete({ body: { ids: [id, other], soft: chance.fraction() < 0.5 } }),
    () => memories.bulkTags({ body: { ids: [id, other], add: [content] } }),
    () => memories.bulkUpdate({ body: { ids: [id, other], set: { space_id, priority: 3 } } }),
    () =>
      relationships.create({
        params: { memoryId: id },
        body: { target_id: other, type: 'supports', decay_rate: 0 },
      }),
    () => relationships.reinforce({ params: end }),
    () => relationships.remove({ params: end }),
    () => spaces.create({ body: { name: content } }),
    () => spaces.update({ params: { id: space_id ?? id }, body: { name: content } }),
    () => spaces.remove({ params: { id: space_id ?? id } }),
  ];
  return chance.pick(choices)();
}

/** What a listener knows who has heard everything from the beginning. */
async function mirror(client: Client) {
  const memories = new Map<string, unknown>();
  const relationships = new Map<string, unknown>();
  const spaces = new Map<string, unknown>();
  for (const { type, data } of await listEvents(client)) {
    const id = String(data.id);
    if (/^space\.(?:created|updated)$/.test(type)) spaces.set(id, data);
    else if (type === 'space.deleted') spaces.delete(id);
    else if (/^relationship\.(?:created|updated)$/.test(type)) relationships.set(id, data);
    else if (type === 'relationship.deleted') relationships.delete(id);
    else if (type === 'memory.deleted' && data.soft) memories.set(id, 'deleted');
    else if (type === 'memory.deleted') {
      memories.delete(id);
      for (const [key, value] of relationships) {
        const { source_id, target_id } = value as Relationship;
        if (source_id === id || target_id === id) relationships.delete(key);
      }
    } else if ('content' in data) memories.set(id, { ...data, salience: null });
  }
  return { memories, relationships, spaces };
}

async function stateOf(client: Client): Promise<Awaited<ReturnType<typeof mirror>>> {
  const memories = new Map<string, unknown>();
  const relationships = new Map<string, unknown>();
  const list = (place: object) =>
    client.memories.list({ query: { include_deleted: true, limit: 100, ...place } });
  for await (const memory of paginate(list)) {
    const { id, is_deleted } = memory;
    memories.set(id, is_deleted ? 'deleted' : { ...memory, salience: null });
    const { outgoing = [] } = await client.relationships.list({ params: { memoryId: id } });
    for (const one of outgoing) relationships.set(one.id, one);
  }
  const spaces = new Map<string, unknown>();
  const rooms = (place: object) => client.spaces.list({ query: { limit: 100, ...place } });
  for await (const space of paginate(rooms)) spaces.set(space.id, space);
  return { memories, relationships, spaces };
}

describe.each(engines)('events on %s', (engine) => {
  it('replayed are just what there is, though transactions fail at their end', async () => {
    await using ending = new AsyncDisposableStack();
    const opened = await openTestEngine(engine, { migrations });
    ending.defer(() => opened.cleanup());
    const chance = createSeededRandom(testSeed);
    let share = 0;
    let failed = 0;
    const storage = failing(opened.engine, () => {
      const fails = chance.fraction() < share;
      if (fails) failed += 1;
      return fails;
    });
    const overrides = { engine: storage, clock: createFakeClock() };
    const service = await startService(engine, { overrides });
    ending.defer(() => service.stop());
    const { client } = await service.createAccount();
    share = 0.2;
    for (let number = 0; number < actions; number += 1) {
      await act(client, chance, number).catch((error: unknown) => {
        if (!(error instanceof MnemeError)) throw error;
      });
    }
    share = 0;
    expect(failed).toBeGreaterThan(10);
    const state = await stateOf(client);
    expect(state.memories.size).toBeGreaterThan(4);
    const told = await mirror(client);
    expect(told.spaces).toEqual(state.spaces);
    expect(told.memories).toEqual(state.memories);
    const resting = (id: string) => state.memories.get(id) === 'deleted';
    const awake = [...told.relationships].filter(([, one]) => {
      const { source_id, target_id } = one as Relationship;
      return !resting(source_id) && !resting(target_id);
    });
    const shown = [...state.relationships].filter(([, one]) => {
      const { source_id, target_id } = one as Relationship;
      return !resting(source_id) && !resting(target_id);
    });
    expect(new Map(awake)).toEqual(new Map(shown));
  });
});
