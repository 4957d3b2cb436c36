import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { minuteMs, searchWithSession } from '../activation/session-requests.ts';
import { createMemory, idsOf, listEvents } from '../memories/memory-requests.ts';
import {
  createManyRelationships,
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

describe.each(engines)('What was found together in three sessions on %s', (engine) => {
  let service: Service;
  const clock = createClockWithoutTimers();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());
  const close = (client: Client) => closeAllSessions(service, clock, client);
  const session = async (client: Client, q = 'needle', key = 'k'): Promise<void> => {
    await searchWithSession(client, key, q);
    await close(client);
  };
  const two = async () => {
    const { client, id } = await service.createAccount();
    const [a = '', b = ''] = idsOf([
      await createMemory(client, 'needle tea'),
      await createMemory(client, 'needle sea'),
    ]);
    return { client, accountId: id, a, b };
  };

  it('is linked as similar with weight 0.5, the older one first, and not before', async () => {
    const { client, a, b } = await two();
    await session(client);
    await session(client, 'needle', 'another key');
    expect(await relationshipsBetween(client, a, b)).toEqual([]);
    await session(client);
    const links = await relationshipsBetween(client, a, b);
    expect(links).toEqual([
      {
        id: expect.any(String),
        source_id: a,
        target_id: b,
        relationship_type: 'similar_to',
        type: 'similar_to',
        description: null,
        weight: expect.closeTo(0.5, 4),
        strength: expect.closeTo(0.5, 4),
        usage_count: 0,
        reinforcement_count: 0,
        last_reinforced_at: null,
        decay_rate: 0.02,
        rules: {},
        metadata: { origin: 'co_access' },
        created_at: expect.any(String),
        updated_at: links[0]?.created_at,
      },
    ]);
    const { memories } = await client.relationships.related({ params: { memoryId: a } });
    expect(memories.map(({ memory }) => memory.id)).toEqual([b]);
  });

  it('is told of as relationship.created', async () => {
    const { client, a, b } = await two();
    for (let i = 0; i < 3; i += 1) await session(client);
    const [made] = await relationshipsBetween(client, a, b);
    const told = await listEvents(client, 'relationship.created');
    expect(told.map(({ data }) => data.id)).toEqual([made?.id]);
    expect(told).toMatchObject([{ data: { metadata: { origin: 'co_access' } } }]);
    expect(await listEvents(client, 'relationship.updated')).toEqual([]);
  });

  it('is reinforced, not linked again, by every later session', async () => {
    const { client, a, b } = await two();
    for (let i = 0; i < 5; i += 1) await session(client);
    expect(await relationshipsBetween(client, a, b)).toMatchObject([
      { type: 'similar_to', weight: expect.closeTo(0.7, 2), usage_count: 2 },
    ]);
  });

  it('is counted for each pair by itself', async () => {
    const { client, a, b } = await two();
    const { id: c } = await createMemory(client, 'needle fog');
    await session(client, '"needle tea"');
    await session(client, '"needle sea"');
    await session(client, '"needle fog"');
    for (let i = 0; i < 2; i += 1) await session(client);
    await searchWithSession(client, 'k', '"needle tea"');
    await session(client, '"needle sea"');
    expect(await relationshipsBetween(client, a, b)).toHaveLength(1);
    expect([
      await relationshipsBetween(client, a, c),
      await relationshipsBetween(client, b, c),
    ]).toEqual([[], []]);
  });

  it.each([
    ['from the one', 'related_to', false],
    ['from the other', 'contradicts', true],
    ['without any weight', 'references', false],
  ])('is not linked where a relationship links it %s', async (_how, type, turned) => {
    const { client, a, b } = await two();
    const [source, target] = turned ? [b, a] : [a, b];
    const made = await createRelationship(client, source, target, { type, weight: 0 });
    for (let i = 0; i < 3; i += 1) await session(client);
    expect(await relationshipsBetween(client, a, b)).toMatchObject([
      { id: made.id, usage_count: 3 },
    ]);
  });

  it('is linked once nothing links it any more', async () => {
    const { client, a, b } = await two();
    const made = await createRelationship(client, a, b);
    for (let i = 0; i < 3; i += 1) await session(client);
    await client.relationships.remove({ params: relationshipParams(made) as never });
    expect(await relationshipsBetween(client, a, b)).toEqual([]);
    await session(client);
    expect(await relationshipsBetween(client, a, b)).toMatchObject([
      { metadata: { origin: 'co_access' } },
    ]);
  });

  it('is counted once a session, though each job runs again', async () => {
    const { client, accountId, a, b } = await two();
    const { worker } = service.running.context;
    for (let i = 1; i <= 2; i += 1) {
      await session(client);
      expect(await requeueLearningJobs(service, accountId)).toBe(i);
      await worker.drain();
    }
    expect(await relationshipsBetween(client, a, b)).toEqual([]);
    await session(client);
    const [links, events] = [await relationshipsBetween(client, a, b), await listEvents(client)];
    expect(links).toHaveLength(1);
    await requeueLearningJobs(service, accountId);
    await worker.drain();
    expect(await relationshipsBetween(client, a, b)).toMatchObject([
      { id: links[0]?.id, usage_count: 0 },
    ]);
    expect(await listEvents(client)).toEqual(events);
  });

  it('is linked once, though three sessions close at the same time', async () => {
    const { client, a, b } = await two();
    await Promise.all(['x', 'y', 'z'].map((key) => searchWithSession(client, key, 'needle')));
    clock.advance(30 * minuteMs);
    await client.sessions.active();
    const { worker } = service.running.context;
    await Promise.all([worker.drain(), worker.drain(), worker.drain()]);
    expect(await relationshipsBetween(client, a, b)).toMatchObject([
      { weight: expect.closeTo(0.5, 3) },
    ]);
  });

  it('waits for a softly deleted memory: it is linked after its return', async () => {
    const { client, a, b } = await two();
    await session(client);
    await session(client);
    await searchWithSession(client, 'k', 'needle');
    await client.memories.remove({ params: { id: a }, query: { soft: true } });
    await close(client);
    await client.memories.restore({ params: { id: a } });
    expect(await relationshipsBetween(client, a, b)).toEqual([]);
    await session(client);
    expect(await relationshipsBetween(client, a, b)).toMatchObject([
      { weight: expect.closeTo(0.5, 3) },
    ]);
  });

  it('begins anew for a memory that was erased: its copy was never found before', async () => {
    const { client, a, b } = await two();
    await session(client);
    await session(client);
    await client.memories.remove({ params: { id: b } });
    const { id: copy } = await createMemory(client, 'needle sea');
    await session(client);
    expect(await relationshipsBetween(client, a, copy)).toEqual([]);
    await session(client);
    await session(client);
    expect(await relationshipsBetween(client, a, copy)).toHaveLength(1);
  });

  it('across two spaces is seen by who may see both', async () => {
    const { client } = await service.createAccount();
    const red = await client.spaces.create({ body: { name: 'red' } });
    const [a = '', b = ''] = idsOf([
      await createMemory(client, 'needle tea', { space_id: red.id }),
      await createMemory(client, 'needle sea'),
    ]);
    for (let i = 0; i < 3; i += 1) await session(client);
    expect(await relationshipsBetween(client, a, b)).toHaveLength(1);
    const body = { name: 'limited', space_ids: [red.id] };
    const limited = service.client((await client.keys.create({ body })).key);
    expect(await relationshipsBetween(limited, a, b)).toEqual([]);
    expect(await listEvents(limited, 'relationship.created')).toEqual([]);
  });

  it('stays unlinked where a memory has 1,000 relationships, and others are linked', async () => {
    const { client } = await service.createAccount();
    const made = idsOf([
      await createMemory(client, 'needle tea'),
      await createMemory(client, 'needle sea'),
      await createMemory(client, 'needle fog'),
    ]);
    const [full = '', b = '', c = ''] = made;
    await createManyRelationships(client, full, await createMemories(client, 1_000));
    for (let i = 0; i < 3; i += 1) await session(client);
    expect([
      await relationshipsBetween(client, full, b),
      await relationshipsBetween(client, full, c),
    ]).toEqual([[], []]);
    expect(await relationshipsBetween(client, b, c)).toHaveLength(1);
  }, 120_000);
});

describe.each(engines)('Of many memories of a session on %s', (engine) => {
  let service: Service;
  const clock = createClockWithoutTimers();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const bodies = (count: number, tag: string) =>
    Array.from({ length: count }, (_, i) => ({ content: `needle ${tag} ${i}`, tags: [tag] }));
  const linked = async (client: Client, id: string): Promise<string[]> => {
    const { outgoing = [], incoming = [] } = await client.relationships.list({
      params: { memoryId: id },
    });
    return [...outgoing.map((one) => one.target_id), ...incoming.map((one) => one.source_id)];
  };
  const findAll = (client: Client, tag: string) =>
    client.search.get({ query: { q: 'needle', session: 'k', limit: 100, tags: [tag] } });

  it('the 50 most accessed learn of each other, the others of nobody', async () => {
    const { client } = await service.createAccount();
    const { memories } = await client.memories.bulkCreate({
      body: { memories: [...bodies(2, 'seldom'), ...bodies(49, 'often')] },
    });
    const ids = (tag: string) => idsOf(memories.filter(({ tags }) => tags.includes(tag)));
    const [early = '', late = ''] = ids('seldom');
    for (let i = 0; i < 3; i += 1) {
      await searchWithSession(client, 'k', '"seldom 0"');
      await searchWithSession(client, 'k', '"seldom 1"');
      await findAll(client, 'often');
      await findAll(client, 'often');
      await closeAllSessions(service, clock, client);
    }
    const often = ids('often');
    for (const id of often) {
      const others = [early, ...often].filter((other) => other !== id);
      expect((await linked(client, id)).toSorted()).toEqual(others.toSorted());
    }
    expect(await linked(client, late)).toEqual([]);
  }, 120_000);

  it('no erased one takes a place among the 50', async () => {
    const { client } = await service.createAccount();
    const { memories } = await client.memories.bulkCreate({
      body: { memories: [...bodies(2, 'gone'), ...bodies(50, 'kept')] },
    });
    const ids = (tag: string) => idsOf(memories.filter(({ tags }) => tags.includes(tag)));
    const kept = ids('kept');
    await createManyRelationships(client, kept[0] ?? '', kept.slice(1));
    for (const tag of ['gone', 'gone', 'kept']) await findAll(client, tag);
    clock.advance(30 * minuteMs);
    await client.sessions.active();
    // Their rows are there as long as the job that erases them waits behind the learning one.
    await client.memories.bulkDelete({ body: { ids: ids('gone') } });
    await service.running.context.worker.drain();
    const params = { memoryId: kept[0] ?? '' };
    const { outgoing = [] } = await client.relationships.list({ params });
    expect(outgoing.map(({ usage_count }) => usage_count)).toEqual(Array(49).fill(1));
  });

  it('fifty are 1,225 pairs, linked by one job', async () => {
    const { client, id: accountId } = await service.createAccount();
    const { memories } = await client.memories.bulkCreate({ body: { memories: bodies(50, 'x') } });
    const tookMs: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      await findAll(client, 'x');
      clock.advance(30 * minuteMs);
      await client.sessions.active();
      const begun = performance.now();
      await service.running.context.worker.drain();
      tookMs.push(Math.round(performance.now() - begun));
    }
    for (const { id } of memories) expect(await linked(client, id)).toHaveLength(49);
    const { db } = service.running.context.app.engine;
    const { count } = await db
      .selectFrom('relationships')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('usage_count', '=', 1)
      .executeTakeFirstOrThrow();
    expect(count).toBe(1_225);
    process.stdout.write(`co-access of 1,225 pairs on ${engine}: ${tookMs.join(', ')} ms\n`);
    // Measured 30 to 250 ms; a busy machine may take its time.
    expect(Math.max(...tookMs)).toBeLessThan(5_000);
  }, 120_000);
});
