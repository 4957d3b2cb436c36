import type { Client } from '@mneme/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, expectError, idsOf, listEvents } from '../memories/memory-requests.ts';
import {
  addMemory,
  createFrozenClock,
  createSession,
  getSession,
  listSessionContents,
  listSessionMemories,
  minuteMs,
} from './session-requests.ts';

const kinds = ['add', 'bulk', 'message', 'move', 'soft', 'restore', 'remove', 'erase'] as const;
const act = fc.record({
  kind: fc.constantFrom(...kinds),
  session: fc.nat(2),
  memory: fc.nat(40),
});

describe.each(engines)('memories of a CLI session on %s', (engine) => {
  let service: Service;
  const clock = createFrozenClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;
  const moveTo = (client: Client, id: string, session: string | null) =>
    client.memories.update({ params: { id }, body: { session_id: session } });

  it('are listed in the order of storing, in pages that neither repeat nor lose one', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    const contents = Array.from({ length: 25 }, (_, i) => `number ${i}`);
    for (const content of contents.slice(0, 5)) await addMemory(client, id, content);
    await client.memories.bulkCreate({
      body: { memories: contents.slice(5).map((content) => ({ content, session_id: id })) },
    });
    expect(await listSessionContents(client, id)).toEqual(contents);
    for (const limit of [1, 7, 25]) {
      expect((await listSessionMemories(client, id, limit)).map(({ content }) => content)).toEqual(
        contents,
      );
    }
    const { data, pagination } = await client.cliSessions.memories({ params: { id } });
    expect(data).toHaveLength(20);
    expect(pagination).toEqual({
      total: 25,
      limit: 20,
      offset: 0,
      has_more: true,
      next_cursor: null,
    });
    const [first] = data;
    expect(first).toEqual(await client.memories.get({ params: { id: first?.id ?? '' } }));
    expect(first).toMatchObject({ session_id: id });
  });

  it('refuses a page out of range, and unknown filters', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    const path = `/cli-sessions/${id}/memories`;
    const query = { limit: 101, offset: -1, order: 'asc' };
    expect(await client.request({ method: 'GET', path, query })).toMatchObject({
      status: 422,
      body: {
        error: {
          details: {
            fields: {
              limit: { code: 'invalid_range', max: 100 },
              offset: { code: 'invalid_range', min: 0 },
              order: { code: 'unknown_field' },
            },
          },
        },
      },
    });
  });

  it('keep their places when others leave; who comes back comes last', async () => {
    const client = await fresh();
    const [one, two] = [await createSession(client), await createSession(client)];
    const made = new Map<string, string>();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      made.set(name, (await addMemory(client, one.id, name)).id);
    }
    const id = (name: string): string => made.get(name) ?? '';
    await moveTo(client, id('b'), two.id);
    expect(await listSessionContents(client, one.id)).toEqual(['a', 'c', 'd', 'e']);
    expect(await listSessionContents(client, two.id)).toEqual(['b']);
    await client.memories.remove({ params: { id: id('c') }, query: { soft: true } });
    expect(await listSessionContents(client, one.id)).toEqual(['a', 'd', 'e']);
    await client.memories.remove({ params: { id: id('e') } });
    await addMemory(client, one.id, 'f');
    expect(await listSessionContents(client, one.id)).toEqual(['a', 'd', 'f']);
    await client.memories.restore({ params: { id: id('c') } });
    expect(await listSessionContents(client, one.id)).toEqual(['a', 'c', 'd', 'f']);
    await moveTo(client, id('b'), one.id);
    await moveTo(client, id('a'), null);
    await moveTo(client, id('a'), one.id);
    await moveTo(client, id('d'), one.id);
    expect(await listSessionContents(client, one.id)).toEqual(['c', 'd', 'f', 'b', 'a']);
    expect((await client.memories.get({ params: { id: id('a') } })).session_id).toBe(one.id);
    expect(await listSessionContents(client, two.id)).toEqual([]);
    expect([
      (await getSession(client, one.id)).memory_count,
      (await getSession(client, two.id)).memory_count,
    ]).toEqual([5, 0]);
  });

  it('have places in order of commit, however many clients store at once', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    await Promise.all(
      Array.from({ length: 6 }, async (_lane, lane) => {
        for (let i = 0; i < 8; i += 1) {
          if (i === 4) {
            const memories = ['x', 'y'].map((n) => ({ content: `${lane} ${n}`, session_id: id }));
            await client.memories.bulkCreate({ body: { memories } });
          } else await addMemory(client, id, `${lane} ${i}`);
        }
      }),
    );
    const created = (await listEvents(client, 'memory.created')).map(({ data }) => data.id);
    expect(created).toHaveLength(54);
    expect(idsOf(await listSessionMemories(client, id, 10))).toEqual(created);
    const { db } = service.running.context.app.engine;
    const rows = await db
      .selectFrom('memories')
      .select('session_ordinal')
      .where('session_id', '=', id)
      .execute();
    expect(new Set(rows.map((row) => row.session_ordinal)).size).toBe(54);
  });

  it('have places of their own where a duplicate leaves its room to a later one', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    await addMemory(client, id, 'known');
    await client.account.update({ body: { settings: { daily_memory_limit: 3 } } });
    const memories = ['first', 'known', 'second'].map((content) => ({ content, session_id: id }));
    const { created } = await client.memories.bulkCreate({ body: { memories } });
    expect(created).toBe(2);
    expect(await listSessionContents(client, id)).toEqual(['known', 'first', 'second']);
    expect((await getSession(client, id)).memory_count).toBe(3);
    const { db } = service.running.context.app.engine;
    const rows = await db
      .selectFrom('memories')
      .select('session_ordinal')
      .where('session_id', '=', id)
      .orderBy('session_ordinal')
      .execute();
    expect(new Set(rows.map((row) => row.session_ordinal)).size).toBe(3);
  });

  it('make a session active when they come, and not when they change or leave', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    const other = await createSession(client);
    const active = async () => (await getSession(client, id)).last_active_at;
    const outside = await createMemory(client, 'outside');
    const later = (): string => {
      clock.advance(minuteMs);
      return clock.now().toISOString();
    };
    const coming = [
      () => addMemory(client, id, 'one'),
      () => client.memories.bulkCreate({ body: { memories: [{ content: '2', session_id: id }] } }),
      () => moveTo(client, outside.id, id),
      () =>
        client.cliSessions.postMessages({
          params: { id },
          body: { messages: [{ role: 'user', content: 'hello' }] },
        }),
    ];
    for (const come of coming) {
      const now = later();
      await come();
      expect(await active()).toBe(now);
    }
    const params = { id: outside.id };
    const leaving = [
      () => client.memories.update({ params, body: { priority: 4 } }),
      () => client.memories.remove({ params, query: { soft: true } }),
      () => client.memories.restore({ params }),
      () => moveTo(client, outside.id, other.id),
      () => client.cliSessions.update({ params: { id }, body: { name: 'new' } }),
      () => expectError(addMemory(client, id, 'one')),
      () => listSessionMemories(client, id),
    ];
    const before = await active();
    for (const leave of leaving) {
      later();
      await leave();
      expect(await active()).toBe(before);
    }
    expect((await getSession(client, other.id)).last_active_at > before).toBe(true);
  });

  it('may swap their sessions in many requests at once', async () => {
    const client = await fresh();
    const [one, two] = [await createSession(client), await createSession(client)];
    const pairs = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => ({
        left: (await addMemory(client, one.id, `left ${i}`)).id,
        right: (await addMemory(client, two.id, `right ${i}`)).id,
      })),
    );
    await Promise.all(
      pairs.flatMap(({ left, right }) => [
        moveTo(client, left, two.id),
        moveTo(client, right, one.id),
      ]),
    );
    const names = async (id: string) =>
      new Set((await listSessionContents(client, id)).map((content) => content.split(' ')[0]));
    expect([await names(one.id), await names(two.id)]).toEqual([
      new Set(['right']),
      new Set(['left']),
    ]);
    expect((await getSession(client, one.id)).memory_count).toBe(8);
    expect((await getSession(client, two.id)).memory_count).toBe(8);
  });

  it('are counted exactly, whatever happens to them', async () => {
    const run = async (acts: readonly { kind: string; session: number; memory: number }[]) => {
      const client = await fresh();
      const sessions = [await createSession(client), await createSession(client)];
      const ids: string[] = [];
      let said = 0;
      for (const [n, { kind, session, memory }] of acts.entries()) {
        const into = sessions[session]?.id ?? null;
        const id = ids[memory % Math.max(1, ids.length)];
        const params = { id: id ?? '' };
        const raw = (method: string, path: string, body?: unknown, query = {}) =>
          client.request({ method, path: `/memories/${path}`, body, query });
        if (kind === 'add') {
          const fields = into === null ? {} : { session_id: into };
          ids.push((await createMemory(client, `memory ${n}`, fields)).id);
        } else if (kind === 'bulk' && into !== null) {
          // The second may be a duplicate.
          const names = [`bulk ${n}`, `bulk ${memory}`, `more ${n}`];
          const { memories } = await client.memories.bulkCreate({
            body: { memories: names.map((content) => ({ content, session_id: into })) },
          });
          ids.push(...idsOf(memories));
        } else if (kind === 'message' && into !== null) {
          const messages = [1, 2].map(() => ({ role: 'user', content: 'the same words' }));
          const { memories } = await client.cliSessions.postMessages({
            params: { id: into },
            body: { messages },
          });
          said += 2;
          ids.push(...idsOf(memories));
        } else if (id === undefined) continue;
        else if (kind === 'move') await raw('PATCH', id, { session_id: into });
        else if (kind === 'soft') await raw('DELETE', id, undefined, { soft: true });
        else if (kind === 'restore') await raw('POST', `${id}/restore`);
        else if (kind === 'remove') await client.memories.remove({ params }).catch(() => undefined);
        else if (kind === 'erase') {
          const some = ids.slice(memory % ids.length).slice(0, 3);
          await client.memories.bulkDelete({ body: { ids: some, soft: session === 0 } });
        }
      }
      let messages = 0;
      for (const { id } of sessions) {
        const { memory_count: counted, message_count: posted } = await getSession(client, id);
        const { pagination } = await client.cliSessions.memories({ params: { id } });
        const { data } = await client.memories.list({ query: { session_id: id, limit: 100 } });
        expect([counted, data.length]).toEqual([pagination.total, pagination.total]);
        messages += posted;
      }
      expect(messages).toBe(said);
    };
    await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 30, maxLength: 50 }), run), {
      numRuns: runCount(4, 100),
      endOnFailure: true,
    });
  });
});
