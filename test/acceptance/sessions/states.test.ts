import type { CliSession } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createMemory, failedItem, listEvents } from '../memories/memory-requests.ts';
import {
  addMemory,
  callSessionAction,
  createFrozenClock,
  createSession,
  errorCodeOf,
  getSession,
  listSessionContents,
  listSessionMemories,
  minuteMs,
  moveToState,
  type State,
  states,
  transitionError,
} from './session-requests.ts';

/** What a move makes of a session, by the state that it is in; `now` stands for the time. */
const table: Readonly<Record<string, Partial<Record<State, Partial<CliSession>>>>> = {
  pause: { active: { status: 'paused', paused_at: 'now' } },
  resume: { paused: { status: 'active', paused_at: null, last_active_at: 'now' } },
  complete: {
    active: { status: 'completed', completed_at: 'now' },
    paused: { status: 'completed', completed_at: 'now' },
  },
  archive: { completed: { status: 'archived', archived_at: 'now' } },
};
const pairs = Object.keys(table).flatMap((action) =>
  states.map((state) => [action, state] as const),
);

describe.each(engines)('states of a CLI session on %s', (engine) => {
  let service: Service;
  let client: Client;
  const clock = createFrozenClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
    client = (await service.createAccount()).client;
  });
  afterAll(() => service.stop());

  /** A session of that state with one memory, a minute old. */
  const inState = async (state: State): Promise<CliSession> => {
    const session = await createSession(client);
    await addMemory(client, session.id, `in ${session.id}`);
    const brought = await moveToState(client, session, state);
    clock.advance(minuteMs);
    return brought;
  };
  const atNow = (fields: object) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        value === 'now' ? clock.now().toISOString() : value,
      ]),
    );
  const patch = (id: string, body: object) =>
    client.request({ method: 'PATCH', path: `/cli-sessions/${id}`, body });

  describe.each(states)('one that is %s', (state) => {
    it('is read like any other, with its memories', async () => {
      const session = await inState(state);
      expect(session.status).toBe(state);
      expect(await getSession(client, session.id)).toEqual(session);
      expect(await listSessionContents(client, session.id)).toEqual([`in ${session.id}`]);
    });

    it('may be renamed while it is active or paused', async () => {
      const session = await inState(state);
      const answer = await patch(session.id, { name: 'new', metadata: { a: 1 } });
      if (state === 'active' || state === 'paused') {
        const expected = atNow({ ...session, name: 'new', metadata: { a: 1 }, updated_at: 'now' });
        expect(answer).toMatchObject({ status: 200, body: expected });
      } else {
        expect(answer).toMatchObject(transitionError(state, 'update'));
        expect(await getSession(client, session.id)).toEqual(session);
      }
    });

    it('takes a summary until it is archived', async () => {
      const session = await inState(state);
      const answer = await patch(session.id, { summary: 'all told' });
      if (state !== 'archived') {
        const expected = atNow({ ...session, summary: 'all told', updated_at: 'now' });
        expect(answer).toMatchObject({ status: 200, body: expected });
      } else {
        expect(answer).toMatchObject(transitionError(state, 'update'));
        expect(await getSession(client, session.id)).toEqual(session);
      }
    });

    it('takes a summary beside other fields only while those may change', async () => {
      const session = await inState(state);
      const answer = await patch(session.id, { summary: 'all told', tags: ['x'] });
      if (state === 'active' || state === 'paused') expect(answer.status).toBe(200);
      else {
        expect(answer).toMatchObject(transitionError(state, 'update'));
        expect(await getSession(client, session.id)).toEqual(session);
      }
    });

    it('takes new memories while it is active, whichever way they come', async () => {
      const session = await inState(state);
      const { id } = session;
      const outside = await createMemory(client, `outside of ${id}`);
      const messages = { messages: [{ role: 'user', content: 'hello' }] };
      const bulk = { memories: [{ content: `bulk ${id}`, session_id: id }] };
      const ways = [
        { method: 'POST', path: '/memories', body: { content: `new ${id}`, session_id: id } },
        { method: 'POST', path: '/memories/bulk?atomic=true', body: bulk },
        { method: 'PATCH', path: `/memories/${outside.id}`, body: { session_id: id } },
        { method: 'POST', path: `/cli-sessions/${id}/messages`, body: messages },
      ];
      const before = (await listEvents(client)).length;
      for (const way of ways) {
        const answer = await client.request(way);
        if (state === 'active') expect(answer.status).toBeLessThan(300);
        else expect(answer).toMatchObject(transitionError(state, 'add_memory'));
      }
      const { failed } = await client.memories.bulkCreate({
        body: { memories: [{ content: `each ${id}`, session_id: id }] },
      });
      if (state === 'active') {
        const now = clock.now().toISOString();
        const counted = { memory_count: 6, message_count: 1, last_active_at: now };
        expect(await getSession(client, id)).toEqual({ ...session, ...counted });
        expect(await listSessionMemories(client, id)).toHaveLength(6);
        return;
      }
      expect(failed).toEqual([failedItem(0, 'invalid_state_transition')]);
      expect(failed[0]?.error.details).toEqual(
        transitionError(state, 'add_memory').body.error.details,
      );
      expect(await getSession(client, id)).toEqual(session);
      expect(await listSessionMemories(client, id)).toHaveLength(1);
      expect((await listEvents(client)).length).toBe(before);
      const after = await client.memories.get({ params: { id: outside.id } });
      expect(after).toMatchObject({ session_id: null, updated_at: outside.updated_at });
    });

    it('lets its memories change, leave and be deleted', async () => {
      const session = await inState(state);
      const [memory] = await listSessionMemories(client, session.id);
      const params = { id: memory?.id ?? '' };
      await client.memories.update({ params, body: { priority: 3, session_id: session.id } });
      expect((await getSession(client, session.id)).memory_count).toBe(1);
      await client.memories.remove({ params, query: { soft: true } });
      await client.memories.restore({ params });
      await client.memories.update({ params, body: { session_id: null } });
      expect(await getSession(client, session.id)).toEqual({ ...session, memory_count: 0 });
    });

    it('is deleted with its memories', async () => {
      const session = await inState(state);
      const [memory] = await listSessionMemories(client, session.id);
      const path = `/cli-sessions/${session.id}`;
      expect((await client.request({ method: 'DELETE', path })).status).toBe(204);
      expect(errorCodeOf(await client.request({ method: 'GET', path }))).toBe('not_found');
      const gone = { method: 'GET', path: `/memories/${memory?.id}` };
      expect(errorCodeOf(await client.request(gone))).toBe('memory_not_found');
    });
  });

  it.each(pairs)('%s from %s does what the table says, or is refused', async (action, state) => {
    const session = await inState(state);
    const answer = await callSessionAction(client, session.id, action);
    const change = table[action]?.[state];
    if (change === undefined) {
      expect(answer).toMatchObject(transitionError(state, action));
      expect(await getSession(client, session.id)).toEqual(session);
      return;
    }
    const expected = { ...session, ...atNow({ ...change, updated_at: 'now' }) };
    expect(answer).toMatchObject({ status: 200, body: expected });
    expect(await getSession(client, session.id)).toEqual(expected);
  });

  it('a refused complete stores no summary', async () => {
    const session = await inState('completed');
    expect(
      await callSessionAction(client, session.id, 'complete', { summary: 'late' }),
    ).toMatchObject(transitionError('completed', 'complete'));
    expect(await getSession(client, session.id)).toEqual(session);
  });

  it.each(['pause', 'resume', 'complete', 'archive', 'messages'])(
    '%s of no session is 404 not_found',
    async (action) => {
      const body = action === 'messages' ? { messages: [{ role: 'a', content: 'x' }] } : undefined;
      for (const id of [absentId, 'nonsense', `mem_${absentId}`]) {
        const answer = await callSessionAction(client, id, action, body);
        expect([answer.status, errorCodeOf(answer)]).toEqual([404, 'not_found']);
      }
    },
  );

  describe('at the same time', () => {
    const rounds = 15;
    /** Statuses in order of size, after both were sent at once. */
    const both = async (id: string, moves: readonly string[]): Promise<number[]> => {
      const answers = await Promise.all(moves.map((name) => callSessionAction(client, id, name)));
      for (const answer of answers) {
        if (answer.status !== 200) expect(errorCodeOf(answer)).toBe('invalid_state_transition');
      }
      return answers.map(({ status }) => status);
    };

    it('of many equal moves one is done and all others are refused', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { id } = await createSession(client);
        for (const name of ['pause', 'resume', 'complete', 'archive']) {
          const answers = await both(id, [name, name, name]);
          expect(answers.toSorted()).toEqual([200, 409, 409]);
        }
      }
    });

    it('complete and pause end completed, whoever was first', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { id } = await createSession(client);
        const [completed, paused] = await both(id, ['complete', 'pause']);
        expect(completed).toBe(200);
        const after = await getSession(client, id);
        expect(after.status).toBe('completed');
        expect(after.paused_at !== null).toBe(paused === 200);
      }
    });

    it('changes of unlike fields all stay', async () => {
      const { id } = await createSession(client);
      const fields = Array.from({ length: 10 }, (_, i) => ({ metadata: { [`field ${i}`]: i } }));
      const answers = await Promise.all(fields.map((body) => patch(id, body)));
      expect(answers.map(({ status }) => status)).toEqual(fields.map(() => 200));
      expect(Object.keys((await getSession(client, id)).metadata)).toHaveLength(10);
    });

    it.each(['complete', 'pause'])(
      'what comes beside %s is in and counted, or refused and nowhere',
      async (name) => {
        for (let round = 0; round < rounds; round += 1) {
          const { id } = await createSession(client);
          const outside = await createMemory(client, `outside ${id}`);
          const add = (content: string) =>
            client.request({
              method: 'POST',
              path: '/memories',
              body: { content, session_id: id },
            });
          const messages = [
            { role: 'user', content: 'm 1' },
            { role: 'user', content: 'm 2' },
          ];
          const [a, b, moved, joined, said, c] = await Promise.all([
            add(`a ${id}`),
            add(`b ${id}`),
            callSessionAction(client, id, name),
            client.request({
              method: 'PATCH',
              path: `/memories/${outside.id}`,
              body: { session_id: id },
            }),
            callSessionAction(client, id, 'messages', { messages }),
            add(`c ${id}`),
          ]);
          expect(moved?.status).toBe(200);
          const all = [
            { answer: a, brings: [`a ${id}`] },
            { answer: b, brings: [`b ${id}`] },
            { answer: c, brings: [`c ${id}`] },
            { answer: joined, brings: [`outside ${id}`] },
            { answer: said, brings: ['m 1', 'm 2'] },
          ];
          const expected = all.flatMap(({ answer, brings }) => {
            if (answer.status < 300) return brings;
            expect(errorCodeOf(answer)).toBe('invalid_state_transition');
            return [];
          });
          const listed = await listSessionContents(client, id);
          expect(listed.toSorted()).toEqual(expected.toSorted());
          expect(await getSession(client, id)).toMatchObject({
            memory_count: listed.length,
            message_count: said.status === 201 ? 2 : 0,
          });
        }
      },
    );
  });
});
