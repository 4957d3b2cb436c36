import type { CliSession } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countBlockedBy } from '../../support/blocked-transactions.ts';
import { eventually } from '../../support/eventually.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, serverEngine, startService } from '../../support/service.ts';
import { expectError, idsOf, listEvents, searchIds } from '../memories/memory-requests.ts';
import {
  addMemory,
  createFrozenClock,
  createSession,
  dayMs,
  getSession,
  hourMs,
  listSessionMemories,
  moveToState,
} from './session-requests.ts';

const secondMs = 1_000;

/** Moves time on to the next hour, and waits until that hour's job is done. */
async function passHour({ running }: Service, clock: FakeClock): Promise<void> {
  const { app, worker } = running.context;
  clock.advance(hourMs - (clock.now().getTime() % hourMs));
  await worker.drain();
  const key = `sessions.retention:${clock.now().getTime() / hourMs}`;
  const done = () =>
    app.engine.db
      .selectFrom('jobs')
      .select(['status', 'dedupe_key'])
      .where('dedupe_key', '=', key)
      .executeTakeFirst();
  await eventually(done, (job) => job?.status === 'completed');
}

describe.each(engines)('retention of CLI sessions on %s', (engine) => {
  let service: Service;
  const clock = createFrozenClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;

  const runHour = () => passHour(service, clock);
  /** A whole hour from which days are counted. */
  const onTheHour = (): void => clock.advance(hourMs - (clock.now().getTime() % hourMs));
  const isThere = async (client: Client, { id }: CliSession): Promise<boolean> => {
    const { data } = await client.cliSessions.list({ query: { include_archived: true } });
    return data.some((one) => one.id === id);
  };

  it.each([
    ['temporary', 7, { retention_policy: 'temporary' }],
    ['auto_delete of one day', 1, { retention_policy: 'auto_delete', retention_days: 1 }],
    ['auto_delete of 45 days', 45, { retention_policy: 'auto_delete', retention_days: 45 }],
  ])('%s ends %i days after the last use, not a moment before', async (_name, days, fields) => {
    const client = await fresh();
    onTheHour();
    const session = await createSession(client, fields);
    clock.advance(secondMs);
    const { id } = await addMemory(client, session.id, 'used once more');
    clock.advance(days * dayMs - hourMs);
    await runHour();
    expect(await isThere(client, session)).toBe(true);
    await runHour();
    expect(await isThere(client, session)).toBe(false);
    expect((await expectError(client.memories.get({ params: { id } }))).code).toBe(
      'memory_not_found',
    );
    expect((await client.account.get()).usage).toMatchObject({ memories: 0 });
    const deleted = await listEvents(client, 'memory.deleted');
    expect(deleted.map(({ data }) => data)).toEqual([{ id, soft: false }]);
  });

  it.each(['completed', 'archived'] as const)(
    'on_completion ends 24 hours after completion of one that is %s',
    async (state) => {
      const client = await fresh();
      onTheHour();
      const open = await createSession(client, { retention_policy: 'on_completion' });
      const made = await createSession(client, { retention_policy: 'on_completion' });
      await moveToState(client, made, state);
      clock.advance(23 * hourMs - secondMs);
      await runHour();
      expect(await isThere(client, made)).toBe(true);
      await runHour();
      expect(await isThere(client, made)).toBe(false);
      clock.advance(400 * dayMs);
      await runHour();
      expect(await isThere(client, open)).toBe(true);
    },
  );

  it('permanent never ends, whatever its state and its days', async () => {
    const client = await fresh();
    const sessions = [
      await createSession(client, { retention_days: 1 }),
      await moveToState(client, await createSession(client), 'archived'),
    ];
    clock.advance(5_000 * dayMs);
    await runHour();
    for (const session of sessions) expect(await isThere(client, session)).toBe(true);
  });

  it('holds for paused, completed and archived sessions as well', async () => {
    const client = await fresh();
    const made: CliSession[] = [];
    for (const state of ['paused', 'completed', 'archived'] as const) {
      made.push(
        await moveToState(
          client,
          await createSession(client, { retention_policy: 'temporary' }),
          state,
        ),
      );
    }
    clock.advance(7 * dayMs);
    await runHour();
    for (const session of made) expect(await isThere(client, session)).toBe(false);
  });

  it('lets go what is pinned or hard protected, and takes the rest', async () => {
    const client = await fresh();
    const space = await client.spaces.create({ body: { name: 'one' } });
    const { id } = await createSession(client, {
      retention_policy: 'temporary',
      space_id: space.id,
    });
    const keep = [
      await addMemory(client, id, 'the quokka is pinned', { is_pinned: true }),
      await addMemory(client, id, 'the quokka is hard', { protection_level: 'hard' }),
      await addMemory(client, id, 'the quokka is both', {
        is_pinned: true,
        protection_level: 'hard',
        space_id: space.id,
      }),
    ];
    const go = [
      await addMemory(client, id, 'the quokka is plain'),
      await addMemory(client, id, 'the quokka is soft', { protection_level: 'soft' }),
      await addMemory(client, id, 'the quokka is in the space', { space_id: space.id }),
    ];
    clock.advance(7 * dayMs);
    await runHour();
    expect((await expectError(getSession(client, id))).status).toBe(404);
    expect((await searchIds(client, 'quokka')).toSorted()).toEqual(idsOf(keep).toSorted());
    for (const memory of keep) {
      const after = await client.memories.get({ params: { id: memory.id } });
      const updated_at = clock.now().toISOString();
      expect(after).toEqual({ ...memory, session_id: null, updated_at, salience: after.salience });
    }
    for (const one of go) {
      expect((await expectError(client.memories.get({ params: { id: one.id } }))).status).toBe(404);
    }
    expect((await client.account.get()).usage).toMatchObject({ memories: 3 });
    const deleted = await listEvents(client, 'memory.deleted');
    expect(deleted.map(({ data }) => data.id).toSorted()).toEqual(idsOf(go).toSorted());
    const updated = await listEvents(client, 'memory.updated');
    expect(updated.map(({ data, changes }) => [data.id, changes]).toSorted()).toEqual(
      idsOf(keep)
        .map((one) => [one, ['session_id']])
        .toSorted(),
    );
  });

  it('leaves one that was used again, or is to be kept longer, meanwhile', async () => {
    const client = await fresh();
    onTheHour();
    const fields = { retention_policy: 'temporary' };
    const [idle, used, resumed, longer] = [
      await createSession(client, fields),
      await createSession(client, fields),
      await moveToState(client, await createSession(client, fields), 'paused'),
      await createSession(client, fields),
    ];
    clock.advance(7 * dayMs - 2 * secondMs);
    await addMemory(client, used.id, 'used again');
    await client.cliSessions.resume({ params: { id: resumed.id } });
    const body = { retention_policy: 'auto_delete' as const, retention_days: 8 };
    await client.cliSessions.update({ params: { id: longer.id }, body });
    await runHour();
    expect(await isThere(client, idle)).toBe(false);
    for (const session of [used, resumed, longer]) {
      expect(await isThere(client, session)).toBe(true);
    }
    clock.advance(dayMs);
    await runHour();
    expect(await isThere(client, longer)).toBe(false);
    expect(await isThere(client, used)).toBe(true);
  });

  it('beside a memory that comes: it is in and the session stays, or both are gone', async () => {
    const client = await fresh();
    onTheHour();
    for (let round = 0; round < 12; round += 1) {
      const session = await createSession(client, { retention_policy: 'temporary' });
      const before = await addMemory(client, session.id, `before ${round}`);
      clock.advance(7 * dayMs);
      const body = { content: `beside ${round}`, session_id: session.id };
      // Later and later into the job.
      const add = async () => {
        for (let i = 0; i < 3 * round; i += 1) await client.cliSessions.stats();
        return client.request({ method: 'POST', path: '/memories', body });
      };
      const [answer] = await Promise.all([add(), runHour()]);
      const stays = await isThere(client, session);
      expect(stays).toBe(answer.status === 201);
      const { data } = await client.memories.list({ query: { session_id: session.id } });
      expect(data).toHaveLength(stays ? 2 : 0);
      if (stays) await client.cliSessions.remove({ params: { id: session.id } });
      else expect((await expectError(client.memories.get({ params: before }))).status).toBe(404);
    }
    expect((await client.account.get()).usage).toMatchObject({ memories: 0 });
  });

  it('ends many of many accounts in one run', async () => {
    const clients = [await fresh(), await fresh()];
    for (const client of clients) {
      for (let i = 0; i < 60; i += 1) {
        await createSession(client, { retention_policy: 'auto_delete', retention_days: 2 });
      }
    }
    clock.advance(2 * dayMs);
    await runHour();
    for (const client of clients) expect((await client.cliSessions.stats()).total).toBe(0);
  });

  it('erases the rows', async () => {
    const client = await fresh();
    const session = await createSession(client, { retention_policy: 'temporary' });
    await addMemory(client, session.id, 'to be erased');
    clock.advance(7 * dayMs);
    await runHour();
    const { db } = service.running.context.app.engine;
    const rows = async () => [
      ...(await db
        .selectFrom('memories')
        .select('id')
        .where('session_id', '=', session.id)
        .execute()),
      ...(await db.selectFrom('cli_sessions').select('id').where('id', '=', session.id).execute()),
    ];
    await eventually(rows, (left) => left.length === 0);
  });
});

describe.each(engines.filter((engine) => engine === serverEngine))('retention on %s', (engine) => {
  it('takes everything back for a session that is used in the very moment', async () => {
    const clock = createFrozenClock();
    const service = await startService(engine, { overrides: { clock } });
    try {
      const { id: accountId, client } = await service.createAccount();
      const { app } = service.running.context;
      const { id } = await createSession(client, { retention_policy: 'temporary' });
      await addMemory(client, id, 'kept');
      await addMemory(client, id, 'pinned', { is_pinned: true });
      const memories = await listSessionMemories(client, id);
      const events = await listEvents(client);
      clock.advance(8 * dayMs);
      const locked = Promise.withResolvers<void>();
      const use = app.engine.transaction(async (tx) => {
        await sql`update cli_sessions set last_active_at = ${clock.now()}::timestamptz
          where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(tx);
        locked.resolve();
        await eventually(() => countBlockedBy(tx), Boolean);
      });
      await locked.promise;
      const run = passHour(service, clock);
      await Promise.all([use, run]);
      expect(await listSessionMemories(client, id)).toEqual(memories);
      expect(await listEvents(client)).toEqual(events);
      expect(await getSession(client, id)).toMatchObject({ memory_count: 2 });
      expect((await client.account.get()).usage).toMatchObject({ memories: 2 });
    } finally {
      await service.stop();
    }
  });
});
