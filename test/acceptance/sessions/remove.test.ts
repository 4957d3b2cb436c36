import type { Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseSession } from '../../../packages/server/src/domains/sessions/index.ts';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  createMemory,
  expectError,
  idsOf,
  listEvents,
  searchIds,
} from '../memories/memory-requests.ts';
import {
  addMemory,
  createSession,
  errorCodeOf,
  getSession,
  listSessionMemories,
  moveToState,
} from './session-requests.ts';

describe.each(engines)('DELETE /cli-sessions/:id on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;
  const remove = (client: Client, id: string, query = {}, headers = {}) =>
    client.request({ method: 'DELETE', path: `/cli-sessions/${id}`, query, headers });
  const usageOf = async (client: Client) => (await client.account.get()).usage;
  /** What is left in the tables, erased or not. */
  const rowsOf = async (id: string) => {
    const { db } = service.running.context.app.engine;
    const memories = await db
      .selectFrom('memories')
      .select('id')
      .where('session_id', '=', id)
      .execute();
    const sessions = await db
      .selectFrom('cli_sessions')
      .select('id')
      .where('id', '=', id)
      .execute();
    return memories.length + sessions.length;
  };

  it('answers 204, and the session is gone from every read', async () => {
    const client = await fresh();
    const [gone, stays] = [
      await createSession(client, { name: 'gone' }),
      await createSession(client),
    ];
    const answer = await remove(client, gone.id);
    expect(answer).toMatchObject({ status: 204, body: undefined });
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/memories'],
      ['PATCH', ''],
      ['POST', '/pause'],
      ['DELETE', ''],
    ]) {
      const body = method === 'PATCH' ? { name: 'x' } : undefined;
      const again = await client.request({
        method: method ?? '',
        path: `/cli-sessions/${gone.id}${path}`,
        body,
      });
      expect([again.status, errorCodeOf(again)]).toEqual([404, 'not_found']);
    }
    expect((await expectError(addMemory(client, gone.id, 'late'))).code).toBe('not_found');
    expect((await client.cliSessions.list()).data).toEqual([stays]);
    expect((await client.cliSessions.active()).data).toEqual([stays]);
    expect((await client.cliSessions.stats()).total).toBe(1);
  });

  it('takes its memories out of get, list, search and usage at once, and no others', async () => {
    const client = await fresh();
    const [gone, stays] = [await createSession(client), await createSession(client)];
    const kept = [
      await addMemory(client, stays.id, 'the quokka of another session'),
      await createMemory(client, 'the quokka of no session'),
    ];
    const left = await addMemory(client, gone.id, 'the quokka that left in time');
    await client.memories.update({ params: { id: left.id }, body: { session_id: null } });
    kept.push(left);
    const taken: Memory[] = [];
    for (let i = 0; i < 5; i += 1) {
      taken.push(await addMemory(client, gone.id, `the quokka number ${i}`));
    }
    const soft = { params: { id: taken[0]?.id ?? '' }, query: { soft: true } };
    await client.memories.remove(soft);
    expect(await usageOf(client)).toMatchObject({ memories: 8 });
    expect((await remove(client, gone.id)).status).toBe(204);
    for (const { id } of taken) {
      expect((await expectError(client.memories.get({ params: { id } }))).code).toBe(
        'memory_not_found',
      );
    }
    const { data } = await client.memories.list({ query: { include_deleted: true } });
    expect(idsOf(data).toSorted()).toEqual(idsOf(kept).toSorted());
    expect((await searchIds(client, 'quokka')).toSorted()).toEqual(idsOf(kept).toSorted());
    expect((await client.memories.list({ query: { session_id: gone.id } })).data).toEqual([]);
    expect(await usageOf(client)).toMatchObject({ memories: 3 });
    const [{ content = '' } = {}] = taken;
    expect((await createMemory(client, content)).content).toBe(content);
    expect((await getSession(client, stays.id)).memory_count).toBe(1);
  });

  it('tells of each memory as memory.deleted, and of all as one bulk', async () => {
    const client = await fresh();
    const space = await client.spaces.create({ body: { name: 'one' } });
    const { id } = await createSession(client);
    const inside = await addMemory(client, id, 'inside', { space_id: space.id });
    const level = [await addMemory(client, id, 'a'), await addMemory(client, id, 'b')];
    await remove(client, id);
    const deleted = await listEvents(client, 'memory.deleted');
    const told = (list: { space_id: string | null; data: object }[]) =>
      list.map(({ space_id, data }) => ({ space_id, data }));
    expect(told(deleted)).toHaveLength(3);
    expect(told(deleted)).toEqual(
      expect.arrayContaining([
        { space_id: space.id, data: { id: inside.id, soft: false } },
        ...level.map((one) => ({ space_id: null, data: { id: one.id, soft: false } })),
      ]),
    );
    const bulk = told(await listEvents(client, 'memory.bulk_deleted'));
    expect(bulk).toEqual(
      expect.arrayContaining([
        { space_id: space.id, data: { ids: [inside.id], count: 1 } },
        { space_id: null, data: { ids: idsOf(level), count: 2 } },
      ]),
    );
    expect(bulk).toHaveLength(2);
  });

  it('is refused for hard protected memories, confirmed or not, and deletes nothing', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    await addMemory(client, id, 'plain');
    await addMemory(client, id, 'soft', { protection_level: 'soft' });
    const hard = [
      await addMemory(client, id, 'hard 1', { protection_level: 'hard' }),
      await addMemory(client, id, 'hard 2', { protection_level: 'hard' }),
    ];
    const session = await getSession(client, id);
    for (const query of [{}, { confirm: true }]) {
      const answer = await remove(client, id, query);
      expect(answer).toMatchObject({
        status: 409,
        body: { error: { code: 'memory_protected', details: { memory_ids: idsOf(hard) } } },
      });
    }
    expect(await getSession(client, id)).toEqual(session);
    expect(await listSessionMemories(client, id)).toHaveLength(4);
    expect(await listEvents(client, 'memory.deleted')).toEqual([]);
    expect(await usageOf(client)).toMatchObject({ memories: 4 });
    for (const one of hard) {
      const body = { protection_level: 'none' as const };
      await client.memories.protect({ params: { id: one.id }, body });
    }
    expect((await remove(client, id, { confirm: true })).status).toBe(204);
  });

  it.each([
    ['confirm=true', { confirm: true }, {}],
    ['X-Confirm: true', {}, { 'x-confirm': 'true' }],
  ])('needs %s for softly protected memories', async (_how, query, headers) => {
    const client = await fresh();
    const { id } = await createSession(client);
    await addMemory(client, id, 'plain');
    const soft = await addMemory(client, id, 'soft', { protection_level: 'soft' });
    for (const no of [{}, { confirm: false }]) {
      expect(await remove(client, id, no)).toMatchObject({
        status: 409,
        body: { error: { code: 'confirmation_required', details: { memory_ids: [soft.id] } } },
      });
    }
    expect(await listSessionMemories(client, id)).toHaveLength(2);
    expect((await remove(client, id, query, headers)).status).toBe(204);
    expect((await expectError(getSession(client, id))).status).toBe(404);
  });

  it('has its rows erased by a job, and bears that job twice', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    const memories = Array.from({ length: 60 }, (_, i) => ({ content: `${i}`, session_id: id }));
    await client.memories.bulkCreate({ body: { memories } });
    await addMemory(client, (await createSession(client)).id, 'stays');
    expect(await rowsOf(id)).toBe(61);
    await remove(client, id);
    await service.running.context.worker.drain();
    await eventually(
      () => rowsOf(id),
      (rows) => rows === 0,
    );
    const { app } = service.running.context;
    const job = {
      id: app.ids.uuid(),
      accountId: (await client.account.get()).id,
      payload: { session_id: id },
      spaces: null,
      saveProgress: async () => undefined,
      shouldYield: () => false,
      isLastAttempt: false,
      stopSignal: new AbortController().signal,
    };
    await eraseSession(app, job);
    expect(await usageOf(client)).toMatchObject({ memories: 1 });
    expect((await client.cliSessions.list()).pagination.total).toBe(1);
  });

  it('goes on where a job stopped half way', async () => {
    const { id: accountId, client } = await service.createAccount();
    const { app, worker } = service.running.context;
    const { id } = await createSession(client);
    for (let part = 0; part < 2; part += 1) {
      const memories = Array.from({ length: 100 }, (_, i) => ({
        content: `${part} ${i}`,
        session_id: id,
      }));
      await client.memories.bulkCreate({ body: { memories } });
    }
    // The job of a session that is there erases nothing, whenever it runs.
    const stopSignal = new AbortController().signal;
    const payload = { session_id: id };
    const job = {
      id: app.ids.uuid(),
      accountId,
      payload,
      spaces: null,
      stopSignal,
      isLastAttempt: false,
    };
    const turnIsOver = () => false;
    await eraseSession(app, {
      ...job,
      shouldYield: turnIsOver,
      saveProgress: async () => undefined,
    });
    expect(await listSessionMemories(client, id)).toHaveLength(200);
    await remove(client, id);
    const crash = async (): Promise<void> => {
      throw new Error('the process ended');
    };
    await eraseSession(app, { ...job, shouldYield: turnIsOver, saveProgress: crash }).catch(
      () => undefined,
    );
    await worker.drain();
    await eventually(
      () => rowsOf(id),
      (rows) => rows === 0,
    );
    expect(await usageOf(client)).toMatchObject({ memories: 0 });
  });

  it('takes one short call for two thousand memories', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    for (let part = 0; part < 20; part += 1) {
      const memories = Array.from({ length: 100 }, (_, i) => ({
        content: `${part} ${i}`,
        session_id: id,
      }));
      await client.memories.bulkCreate({ body: { memories } });
    }
    expect((await getSession(client, id)).memory_count).toBe(2_000);
    const begun = performance.now();
    expect((await remove(client, id)).status).toBe(204);
    const tookMs = performance.now() - begun;
    expect(await usageOf(client)).toMatchObject({ memories: 0 });
    expect((await client.memories.list()).data).toEqual([]);
    expect(await searchIds(client, '7 7')).toEqual([]);
    // Measured 0.2 s; a busy machine may take its time.
    expect(tookMs).toBeLessThan(5_000);
  }, 120_000);

  it('of many at once is done once, and those beside are in or refused', async () => {
    const client = await fresh();
    for (let round = 0; round < 10; round += 1) {
      const { id } = await createSession(client);
      const inside = await addMemory(client, id, `inside ${round}`);
      const outside = await createMemory(client, `outside ${round}`);
      const answers = await Promise.all([
        remove(client, id),
        ...[1, 2, 3].map((n) =>
          client.request({
            method: 'POST',
            path: '/memories',
            body: { content: `new ${round} ${n}`, session_id: id },
          }),
        ),
        client.request({
          method: 'PATCH',
          path: `/memories/${outside.id}`,
          body: { session_id: id },
        }),
        remove(client, id),
        client.request({ method: 'DELETE', path: `/memories/${inside.id}` }),
      ]);
      const [first, , , , , second] = answers;
      expect([first?.status, second?.status].toSorted()).toEqual([204, 404]);
      for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status);
      // Whatever came in has gone with it: one memory is outside for each refused move.
      expect((await client.memories.list({ query: { session_id: id } })).data).toEqual([]);
    }
    const { data } = await client.memories.list({ query: { limit: 100, include_deleted: true } });
    for (const memory of data) expect(memory.session_id).toBeNull();
    expect(await usageOf(client)).toMatchObject({ memories: data.length });
  });

  describe('and its space', () => {
    const removeSpace = (client: Client, id: string) =>
      client.request({ method: 'DELETE', path: `/spaces/${id}` });

    it('which cannot go while a session is in it, whatever its state', async () => {
      const client = await fresh();
      const space = await client.spaces.create({ body: { name: 'busy' } });
      const made = await createSession(client, { space_id: space.id });
      const other = await moveToState(
        client,
        await createSession(client, { space_id: space.id }),
        'archived',
      );
      expect(await removeSpace(client, space.id)).toMatchObject({
        status: 409,
        body: { error: { code: 'space_not_empty', details: { count: 2, sessions: 2 } } },
      });
      await addMemory(client, made.id, 'also there', { space_id: space.id });
      await remove(client, made.id);
      expect(errorCodeOf(await removeSpace(client, space.id))).toBe('space_not_empty');
      await remove(client, other.id);
      expect((await removeSpace(client, space.id)).status).toBe(204);
    });

    it('where a session begins while the space goes: one of the two is refused', async () => {
      const client = await fresh();
      for (let round = 0; round < 15; round += 1) {
        const { id } = await client.spaces.create({ body: { name: `round ${round}` } });
        const body = { name: 'a session', space_id: id };
        const [began, gone] = await Promise.all([
          client.request({ method: 'POST', path: '/cli-sessions', body }),
          removeSpace(client, id),
        ]);
        const outcome = [began.status, errorCodeOf(began), gone.status, errorCodeOf(gone)];
        expect([
          [201, undefined, 409, 'space_not_empty'],
          [404, 'space_not_found', 204, undefined],
        ]).toContainEqual(outcome);
      }
    });
  });
});
