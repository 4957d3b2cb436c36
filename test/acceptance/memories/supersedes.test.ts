import type { Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createManyRelationships } from '../relationships/relationship-requests.ts';
import {
  absentId,
  createMemory,
  expectError,
  failedItem,
  idsOf,
  listEvents,
  memoryBodies,
} from './memory-requests.ts';

describe.each(engines)('supersedes, of a memory that is written, on %s', (engine) => {
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const account = async (): Promise<Client> => {
    client = (await service.createAccount()).client;
    return client;
  };
  const create = async (content: string, supersedes?: readonly string[], fields = {}) =>
    (await createMemory(client, content, { ...fields, ...(supersedes && { supersedes }) })).id;
  /** What a memory supersedes. */
  const olderOf = async (memoryId: string): Promise<string[]> => {
    const { outgoing = [] } = await client.relationships.list({ params: { memoryId } });
    expect(outgoing.every(({ type }) => type === 'supersedes')).toBe(true);
    return outgoing.map(({ target_id }) => target_id).toSorted();
  };
  const countMemories = async (): Promise<number> =>
    (await client.memories.list({ query: { limit: 100 } })).data.length;

  it('links it with each older one in the same transaction, and search follows', async () => {
    await account();
    const munich = await create('I live in Munich.');
    const hamburg = await create('I live in Hamburg.');
    const berlin = await create('I moved to Berlin.', [hamburg, munich, munich]);
    expect(await olderOf(berlin)).toEqual([munich, hamburg].toSorted());
    const { results } = await client.search.get({
      query: { q: 'where do I live', include_superseded: false },
    });
    expect(idsOf(onlyMemoryResults(results) as never)).toEqual([berlin]);
    const events = await listEvents(client);
    const told = events.map(({ type, data }) => [type, data.superseded_by ?? data.source_id]);
    expect(told.slice(2)).toEqual([
      ['memory.created', undefined],
      ['relationship.created', berlin],
      ['memory.superseded', berlin],
      ['relationship.created', berlin],
      ['memory.superseded', berlin],
    ]);
    const superseded = await listEvents(client, 'memory.superseded');
    expect(superseded.map(({ data }) => data.id)).toEqual([hamburg, munich]);
  });

  it('is told by a link, too', async () => {
    await account();
    const older = await create('Standup is at 9:30.');
    const newer = await create('Standup moved to 10:00.');
    const params = { memoryId: newer };
    await client.relationships.create({ params, body: { target_id: older, type: 'supersedes' } });
    const [event] = await listEvents(client, 'memory.superseded');
    expect(event?.data).toEqual({ id: older, superseded_by: newer });
  });

  it.each([
    ['is missing', async () => absentId, 404, 'memory_not_found'],
    [
      'is deleted softly',
      async () => {
        const id = await create('gone');
        await client.memories.remove({ params: { id }, query: { soft: true } });
        return id;
      },
      409,
      'conflict',
    ],
    [
      'is deleted for good',
      async () => {
        const id = await create('gone for good');
        await client.memories.remove({ params: { id } });
        return id;
      },
      404,
      'memory_not_found',
    ],
    [
      'has 1,000 relationships',
      async () => {
        const hub = await create('a hub');
        const others: string[] = [];
        for (let i = 0; i < 10; i += 1) {
          const bodies = memoryBodies(100).map(({ content }) => ({
            content: `${content} of ${i}`,
          }));
          others.push(
            ...idsOf((await client.memories.bulkCreate({ body: { memories: bodies } })).memories),
          );
        }
        await createManyRelationships(client, hub, others);
        return hub;
      },
      403,
      'quota_exceeded',
    ],
  ])('nothing is stored or changed where an older one %s', async (_, older, status, code) => {
    await account();
    const fine = await create('an old fact');
    const newer = await create('a fact');
    const bad = await older();
    const supersedes = [fine, bad];
    const refused = { status, code, details: { memory_id: bad } };
    const [before, events] = [await countMemories(), (await listEvents(client)).length];
    expect(await expectError(create('a new fact', supersedes))).toMatchObject(refused);
    const params = { id: newer };
    const patch = client.memories.update({ params, body: { content: 'other', supersedes } });
    expect(await expectError(patch)).toMatchObject(refused);
    expect(await countMemories()).toBe(before);
    expect((await client.memories.get({ params })).content).toBe('a fact');
    expect(await olderOf(newer)).toEqual([]);
    const types = (await listEvents(client)).slice(events).map(({ type }) => type);
    expect(types.filter((type) => type !== 'memory.accessed')).toEqual([]);
  });

  it('needs access to the space of each older one', async () => {
    await account();
    const { id: space_id } = await client.spaces.create({ body: { name: 'own' } });
    const outside = await create('an old fact');
    const inside = await create('an old fact of the space', undefined, { space_id });
    const { key } = await client.keys.create({ body: { name: 'own', space_ids: [space_id] } });
    client = service.client(key);
    const refused = { status: 403, code: 'space_access_denied' };
    expect(await expectError(create('a new fact', [outside], { space_id }))).toMatchObject(refused);
    expect(await olderOf(await create('a new fact', [inside], { space_id }))).toEqual([inside]);
  });

  it('takes 20 ids at most, of memories', async () => {
    await account();
    const ids = idsOf(
      (await client.memories.bulkCreate({ body: { memories: memoryBodies(21) } })).memories,
    );
    const faults = async (supersedes: unknown) =>
      (await expectError(create('a fact', supersedes as string[]))).details;
    expect(await faults(ids)).toMatchObject({ fields: { supersedes: { code: 'invalid_range' } } });
    expect(await faults(['x'])).toMatchObject({
      fields: { 'supersedes.0': { code: 'invalid_format' } },
    });
    expect(await olderOf(await create('a fact', ids.slice(0, 20)))).toHaveLength(20);
  });

  it('in bulk, each item succeeds or fails on its own; with atomic, all or none', async () => {
    await account();
    const older = await create('an old fact');
    const memories = [
      { content: 'a new fact', supersedes: [older] },
      { content: 'another fact', supersedes: [absentId] },
      { content: 'a third fact' },
    ];
    const refused = client.memories.bulkCreate({ body: { memories }, query: { atomic: true } });
    expect(await expectError(refused)).toMatchObject({ status: 404, code: 'memory_not_found' });
    expect(await countMemories()).toBe(1);
    const answer = await client.memories.bulkCreate({ body: { memories } });
    expect(answer.created).toBe(2);
    expect(answer.failed).toEqual([failedItem(1, 'memory_not_found')]);
    expect(await olderOf(answer.memories[0]?.id ?? '')).toEqual([older]);
  });

  it('a duplicate supersedes nothing', async () => {
    await account();
    const older = await create('an old fact');
    const same = await create('a new fact');
    const error = await expectError(create('a new fact', [older]));
    expect(error).toMatchObject({ status: 409, code: 'duplicate_memory' });
    expect(await olderOf(same)).toEqual([]);
  });

  it('a PATCH adds links, once; alone it is no change of the memory', async () => {
    await account();
    const [older, other] = [await create('an old fact'), await create('another old fact')];
    const newer = await create('a new fact');
    const params = { id: newer };
    const before = await client.memories.get({ params });
    const after = await client.memories.update({ params, body: { supersedes: [older] } });
    expect(after).toEqual(before);
    await client.memories.update({ params, body: { priority: 3, supersedes: [older, other] } });
    expect(await olderOf(newer)).toEqual([older, other].toSorted());
    expect((await client.memories.get({ params })).priority).toBe(3);
  });

  it('refuses a cycle, over any number of steps', async () => {
    await account();
    const first = await create('version 1');
    const second = await create('version 2', [first]);
    const third = await create('version 3', [second]);
    for (const older of [first, second, third]) {
      const call = client.memories.update({ params: { id: first }, body: { supersedes: [older] } });
      const error = await expectError(call);
      expect(error).toMatchObject({ status: 409, code: 'conflict', details: { memory_id: older } });
    }
    expect(await olderOf(first)).toEqual([]);
  });

  it('refuses a cycle of links, of both directions and within one batch', async () => {
    await account();
    const [a, b, c] = [await create('first'), await create('second'), await create('third')];
    const batch = await client.relationships.batch({
      body: {
        relationships: [
          { source_id: b, target_id: a, type: 'supersedes' },
          { source_id: c, target_id: b, type: 'supersedes', bidirectional: true },
          { source_id: a, target_id: c, type: 'supersedes' },
        ],
      },
    });
    expect(batch.succeeded).toHaveLength(2);
    expect(batch.failed).toMatchObject([
      { index: 2, error: { code: 'conflict', details: { memory_id: c } } },
    ]);
    const closing = client.relationships.create({
      params: { memoryId: a },
      body: { target_id: b, type: 'supersedes' },
    });
    expect(await expectError(closing)).toMatchObject({ status: 409, details: { memory_id: b } });
    expect((await client.memories.get({ params: { id: a } })).outdated_by).toBe(c);
  });

  it('simultaneous creates supersede one memory, or fail, each on its own', async () => {
    await account();
    const older = await create('an old fact');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) =>
        create(`new fact ${i}`, i % 3 === 0 ? [absentId] : [older]),
      ),
    );
    const fulfilled = outcomes.map(({ status }) => status === 'fulfilled');
    expect(fulfilled).toEqual(outcomes.map((_, i) => i % 3 !== 0));
    const { incoming = [] } = await client.relationships.list({ params: { memoryId: older } });
    expect(incoming).toHaveLength(8);
    expect(await countMemories()).toBe(9);
  });
});

describe.each(engines)('a search that follows supersession on %s', (engine) => {
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock: createFakeClock() } });
  });
  afterAll(() => service.stop());

  const q = 'in which city do I live';
  /** Three homes, each of which supersedes the one before; and the results of the question. */
  async function moveTwice() {
    client = (await service.createAccount()).client;
    const { id: munich } = await createMemory(client, 'I live in Munich, in the city centre.');
    const { id: hamburg } = await createMemory(client, 'The flat in Hamburg has a harbour view.', {
      supersedes: [munich],
    });
    const { id: berlin } = await createMemory(client, 'New keys: Berlin, fourth floor.', {
      supersedes: [hamburg],
    });
    return { munich, hamburg, berlin };
  }
  const search = async (query = {}) => {
    const { results } = await client.search.get({ query: { q, ...query } });
    return onlyMemoryResults(results).map(({ id, outdated_by }) => [id, outdated_by]);
  };

  it('names the end of the chain, which is first', async () => {
    const { munich, hamburg, berlin } = await moveTwice();
    const results = await search();
    expect(results[0]).toEqual([berlin, null]);
    expect(results.slice(1).toSorted()).toEqual(
      [
        [munich, berlin],
        [hamburg, berlin],
      ].toSorted(),
    );
    expect(await search({ include_superseded: false })).toEqual([[berlin, null]]);
  });

  it('recall gives what supersedes instead of what it found', async () => {
    const { berlin } = await moveTwice();
    const { context, memories } = await client.search.recall({ body: { query: q } });
    expect(idsOf(memories as never)).toEqual([berlin]);
    expect(context).toContain('Berlin');
  });

  it('every read of a memory names it, wherever memories are read', async () => {
    const { munich, hamburg, berlin } = await moveTwice();
    const { id: session_id } = await client.cliSessions.create({ body: { name: 'moves' } });
    for (const id of [munich, berlin]) {
      await client.memories.update({ params: { id }, body: { session_id } });
    }
    const cluster = (await client.clusters.create({ body: { name: 'homes' } })).id;
    await client.clusters.associate({ params: { id: munich }, body: { cluster_ids: [cluster] } });
    const named = (memories: readonly Pick<Memory, 'id' | 'outdated_by'>[]) =>
      Object.fromEntries(memories.map(({ id, outdated_by }) => [id, outdated_by]));
    const [outdated, current] = [{ [munich]: berlin }, { [berlin]: null }];
    expect(named([await client.memories.get({ params: { id: munich } })])).toEqual(outdated);
    expect(named([await client.memories.get({ params: { id: berlin } })])).toEqual(current);
    const { data } = await client.memories.list({ query: {} });
    expect(named(data)).toEqual({ ...outdated, ...current, [hamburg]: berlin });
    const patch = { params: { id: munich }, body: { priority: 4 } };
    expect(named([await client.memories.update(patch)])).toEqual(outdated);
    const inSession = await client.cliSessions.memories({ params: { id: session_id }, query: {} });
    expect(named(inSession.data)).toEqual({ ...outdated, ...current });
    const inCluster = await client.clusters.memories({
      params: { clusterId: cluster },
      query: {},
    });
    expect(named(inCluster.memories)).toEqual(outdated);
    const near = await client.search.similar({
      params: { memoryId: berlin },
      query: { threshold: 0, limit: 10 },
    });
    expect(named(near.results.map(({ memory }) => memory))).toMatchObject(outdated);
    const related = await client.relationships.related({
      params: { memoryId: hamburg },
      query: {},
    });
    expect(named(related.memories.map(({ memory }) => memory))).toEqual({
      ...outdated,
      ...current,
    });
  });

  it('a key of one space is told of what it may read alone', async () => {
    client = (await service.createAccount()).client;
    const { id: space_id } = await client.spaces.create({ body: { name: 'own' } });
    const { id: older } = await createMemory(client, 'Rent is 900.', { space_id });
    const { id: newer } = await createMemory(client, 'Rent is 950.', {
      space_id,
      supersedes: [older],
    });
    const { id: secret } = await createMemory(client, 'Rent is 990.', { supersedes: [newer] });
    const { key } = await client.keys.create({ body: { name: 'own', space_ids: [space_id] } });
    const params = { id: older };
    expect((await client.memories.get({ params })).outdated_by).toBe(secret);
    const limited = service.client(key);
    expect((await limited.memories.get({ params })).outdated_by).toBe(newer);
    expect((await limited.memories.get({ params: { id: newer } })).outdated_by).toBeNull();
    // Events are read by every key of the space, whoever caused them.
    await client.memories.pin({ params });
    const [event] = await listEvents(client, 'memory.updated');
    expect(event).toMatchObject({
      data: { outdated_by: newer },
      previous_data: { outdated_by: newer },
      changes: ['is_pinned'],
    });
  });

  it('no longer counts a memory that is deleted, until it is restored', async () => {
    const { munich, hamburg, berlin } = await moveTwice();
    const params = { id: berlin };
    await client.memories.remove({ params, query: { soft: true } });
    expect((await search())[0]).toEqual([hamburg, null]);
    await client.memories.restore({ params });
    expect((await search())[0]).toEqual([berlin, null]);
    await client.memories.remove({ params });
    expect(new Map((await search()) as never).get(munich)).toBe(hamburg);
  });

  it('no longer counts a link that is removed', async () => {
    const { munich, hamburg } = await moveTwice();
    const params = { sourceId: hamburg, targetId: munich, type: 'supersedes' } as const;
    await client.relationships.remove({ params });
    expect(new Map((await search()) as never).get(munich)).toBeNull();
  });

  it('knows all that supersede one memory, whoever linked them at the same time', async () => {
    const { munich, berlin } = await moveTwice();
    const created = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        createMemory(client, `A room in town ${i}.`, { supersedes: [munich] }),
      ),
    );
    const found = await search({ limit: 50, include_superseded: false });
    expect(found.map(([id]) => id).toSorted()).toEqual([berlin, ...idsOf(created)].toSorted());
  });
});
