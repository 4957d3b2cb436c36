import { limits } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Journal } from '../../../packages/server/src/events/journal.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, listEvents } from '../memories/memory-requests.ts';
import { EventStreamClient } from './event-stream-client.ts';

describe.each(engines)('GET /events/stream on %s', (engine) => {
  const clock = createFakeClock();
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  /** Commits events as another process that does not report them: nobody here is woken. */
  async function tellElsewhere(
    accountId: string,
    names: readonly string[],
    text = '',
  ): Promise<void> {
    const { app } = service.running.context;
    await app.engine.transaction(async (tx) => {
      const journal = new Journal();
      for (const id of names) {
        journal.addEvent({ accountId, type: 'space.deleted', spaceId: null, data: { id, text } });
      }
      await journal.flush(tx, app);
    });
  }

  it('tells events at once, whole and in order, as GET /events lists them', async () => {
    const { client, key } = await service.createAccount();
    await createMemory(client, 'Before.');
    using listener = await EventStreamClient.open(service, key);
    expect(listener.status).toBe(200);
    expect(listener.headers['content-type']).toBe('text/event-stream');
    expect(listener.headers['cache-control']).toBe('no-store');
    expect(await listener.nextMessage()).toEqual({ retry: '2000', id: expect.any(String) });
    // Time stands: no poll brings them.
    const { id } = await createMemory(client, 'Ana prefers tea.');
    await client.memories.update({ params: { id }, body: { priority: 7 } });
    const told = await listener.nextEvents(3);
    expect(told).toEqual((await listEvents(client)).slice(1));
    expect(told.map(({ type }) => type)).toEqual([
      'memory.created',
      'memory.updated',
      'memory.reinforced',
    ]);
  });

  it('names each message by its type, with a cursor of GET /events as its id', async () => {
    const { client, key } = await service.createAccount();
    using listener = await EventStreamClient.open(service, key);
    await listener.nextMessage();
    for (const content of ['one', 'two']) await createMemory(client, content);
    const message = await listener.nextMessage();
    expect(message).toMatchObject({ event: 'memory.created', id: expect.any(String) });
    const { data } = await client.events.list({ query: { cursor: message?.id ?? '' } });
    expect(data.map((event) => event.data)).toMatchObject([{ content: 'two' }]);
  });

  it('tells what other processes committed without a report within five seconds', async () => {
    const { id, key } = await service.createAccount();
    using listener = await EventStreamClient.open(service, key);
    await listener.nextMessage();
    await tellElsewhere(id, ['far']);
    const [told] = await Promise.all([
      listener.nextEvents(1),
      eventually(
        async () => clock.advance(5_000),
        () => true,
      ),
    ]);
    expect(told).toMatchObject([{ data: { id: 'far' } }]);
  });

  it('goes on after Last-Event-ID, or else after a cursor', async () => {
    const { client, key } = await service.createAccount();
    const { next_cursor } = await client.events.list();
    const cursor = next_cursor ?? '';
    for (const content of ['one', 'two', 'three']) await createMemory(client, content);
    const contents = async (listener: EventStreamClient, count: number) =>
      (await listener.nextEvents(count)).map(({ data }) => 'content' in data && data.content);
    using first = await EventStreamClient.open(service, key, { cursor });
    expect(await contents(first, 2)).toEqual(['one', 'two']);
    using again = await EventStreamClient.open(service, key, { cursor, lastEventId: first.lastId });
    expect(await contents(again, 1)).toEqual(['three']);
    using late = await EventStreamClient.open(service, key);
    await late.nextMessage();
    await createMemory(client, 'four');
    expect(await contents(late, 1)).toEqual(['four']);
  });

  it('a place of another account, of other filters, or none at all, is refused', async () => {
    const [mine, theirs] = [await service.createAccount(), await service.createAccount()];
    const cursor = (await mine.client.events.list()).next_cursor ?? '';
    const type = 'space.created' as const;
    for (const [key, wishes] of [
      [theirs.key, { cursor }],
      [theirs.key, { lastEventId: cursor }],
      [mine.key, { cursor, type }],
      [mine.key, { lastEventId: 'nonsense' }],
    ] as const) {
      using refused = await EventStreamClient.open(service, key, wishes);
      expect(refused.status).toBe(400);
      expect(refused.headers['content-type']).toContain('application/json');
    }
  });

  it('needs a key that may read webhooks', async () => {
    const { client } = await service.createAccount();
    const { key } = await client.keys.create({ body: { name: 'x', scopes: ['memories:read'] } });
    for (const [given, status] of [
      [key, 403],
      ['mnk_nonsense', 401],
    ] as const) {
      using refused = await EventStreamClient.open(service, given);
      expect(refused.status).toBe(status);
    }
  });

  it('with a type tells that type alone', async () => {
    const { client, key } = await service.createAccount();
    using listener = await EventStreamClient.open(service, key, { type: 'space.updated' });
    const { id } = await client.spaces.create({ body: { name: 'one' } });
    await client.spaces.update({ params: { id }, body: { name: 'two' } });
    expect(await listener.nextEvents(1)).toMatchObject([{ type: 'space.updated' }]);
  });

  it('tells an account its own events alone, and a limited key those of its spaces', async () => {
    const [mine, theirs] = [await service.createAccount(), await service.createAccount()];
    const { id: own } = await mine.client.spaces.create({ body: { name: 'own' } });
    const { id: other } = await mine.client.spaces.create({ body: { name: 'other' } });
    const body = { name: 'limited', space_ids: [own] };
    using listener = await EventStreamClient.open(
      service,
      (await mine.client.keys.create({ body })).key,
    );
    await listener.nextMessage();
    await createMemory(theirs.client, 'of another account');
    await createMemory(mine.client, 'of no space');
    await createMemory(mine.client, 'of another space', { space_id: other });
    await createMemory(mine.client, 'of its own', { space_id: own });
    expect(await listener.nextEvents(1)).toMatchObject([{ data: { content: 'of its own' } }]);
  });

  it('says every 15 seconds that it lives, and where to come back to', async () => {
    const { client, key } = await service.createAccount();
    using listener = await EventStreamClient.open(service, key, { type: 'space.created' });
    const opening = await listener.nextMessage();
    await createMemory(client, 'of another type');
    const [beat] = await Promise.all([
      listener.nextMessage(),
      eventually(
        async () => clock.advance(15_000),
        () => true,
      ),
    ]);
    expect(beat).toEqual({ comment: 'heartbeat', id: expect.any(String) });
    // Past what it does not tell: coming back there is no long way.
    expect(beat?.id).not.toBe(opening?.id);
  });

  it.each(['revoked', 'rotated', 'suspended'] as const)(
    'ends cleanly within 10 seconds when its key is %s',
    async (what) => {
      const { id, client } = await service.createAccount();
      const made = await client.keys.create({ body: { name: 'listener' } });
      using listener = await EventStreamClient.open(service, made.key);
      await listener.nextMessage();
      const params = { id: made.id };
      if (what === 'revoked') await client.keys.revoke({ params });
      if (what === 'rotated') await client.keys.rotate({ params, body: { grace_seconds: 0 } });
      if (what === 'suspended') {
        await service.operator().admin.updateAccount({ params: { id }, body: { suspended: true } });
      }
      await tellElsewhere(id, ['secret']);
      clock.advance(10_000);
      expect(await listener.nextMessage()).toBeNull();
    },
  );

  it('a key that rotates with grace is told until the grace is over', async () => {
    const { id, client } = await service.createAccount();
    const made = await client.keys.create({ body: { name: 'listener' } });
    using listener = await EventStreamClient.open(service, made.key);
    await listener.nextMessage();
    await client.keys.rotate({ params: { id: made.id }, body: { grace_seconds: 60 } });
    await tellElsewhere(id, ['meanwhile']);
    clock.advance(10_000);
    expect(await listener.nextEvents(1)).toMatchObject([{ data: { id: 'meanwhile' } }]);
    await tellElsewhere(id, ['too late']);
    clock.advance(60_000);
    expect(await listener.nextMessage()).toBeNull();
  });

  it('breaks off a reader who does not read, who then comes back and misses nothing', async () => {
    const { id, key } = await service.createAccount();
    const names = Array.from({ length: 40 }, (_, i) => `event ${i}`);
    using slow = await EventStreamClient.open(service, key);
    await slow.nextMessage();
    const from = slow.lastId;
    await tellElsewhere(id, names, 'x'.repeat(500_000));
    clock.advance(5_000);
    const seen = [...(await slow.nextEvents(1))];
    clock.advance(30_000);
    await expect(
      (async () => {
        for (;;) seen.push(...(await slow.nextEvents(1)));
      })(),
    ).rejects.toThrow();
    expect(seen.length).toBeLessThan(names.length);
    expect(slow.lastId).not.toBe(from);
    using back = await EventStreamClient.open(service, key, { lastEventId: slow.lastId });
    seen.push(...(await back.nextEvents(names.length - seen.length)));
    expect(seen.map(({ data }) => 'id' in data && data.id)).toEqual(names);
  });

  it('refuses what an account has too many of, and counts none that ended', async () => {
    const { client, key } = await service.createAccount('free');
    await using open = new AsyncDisposableStack();
    const listeners: EventStreamClient[] = [];
    // More than a free key may have requests at once: a stream is none of them.
    for (let i = 0; i < limits.eventStreamsMax; i += 1) {
      listeners.push(open.use(await EventStreamClient.open(service, key)));
    }
    expect(new Set(listeners.map(({ status }) => status))).toEqual(new Set([200]));
    await client.spaces.list();
    using refused = await EventStreamClient.open(service, key);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    listeners[0]?.[Symbol.dispose]();
    const status = async () => open.use(await EventStreamClient.open(service, key)).status;
    await eventually(status, (answer) => answer === 200);
  });

  it('HEAD opens none', async () => {
    const { client, key } = await service.createAccount();
    for (let i = 0; i <= limits.eventStreamsMax; i += 1) {
      const { status } = await client.request({ method: 'HEAD', path: '/events/stream' });
      expect(status).toBe(200);
    }
    using listener = await EventStreamClient.open(service, key);
    expect(listener.status).toBe(200);
  });

  it('a place older than what is kept goes on with the oldest that is kept', async () => {
    const { client, key } = await service.createAccount();
    const cursor = (await client.events.list()).next_cursor ?? '';
    await createMemory(client, 'long ago');
    clock.advance(31 * 86_400_000);
    await createMemory(client, 'of late');
    await service.running.context.worker.drain();
    const kept = await listEvents(client);
    expect(kept).toMatchObject([{ data: { content: 'of late' } }]);
    using listener = await EventStreamClient.open(service, key, { cursor });
    expect(await listener.nextEvents(kept.length)).toEqual(kept);
  });
});

describe.each(engines)('a service that stops on %s', (engine) => {
  it('ends its streams cleanly, though somebody listens', async () => {
    const clock = createFakeClock();
    const service = await startService(engine, { overrides: { clock }, isExclusive: true });
    const { key } = await service.createAccount();
    const listeners = [
      await EventStreamClient.open(service, key),
      await EventStreamClient.open(service, key),
    ];
    for (const listener of listeners) await listener.nextMessage();
    // Nothing is cut off: the time for that never comes.
    await service.stop();
    expect(await Promise.all(listeners.map((listener) => listener.nextMessage()))).toEqual([
      null,
      null,
    ]);
  });
});
