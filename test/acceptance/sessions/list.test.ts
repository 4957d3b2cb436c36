import type { CliSession } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, expectError } from '../memories/memory-requests.ts';
import {
  addMemory,
  createFrozenClock,
  createSession,
  minuteMs,
  moveToState,
  states,
} from './session-requests.ts';

const sorts = ['created_at', 'updated_at', 'last_active_at', 'name'] as const;
const types = ['conversation', 'project', 'task', 'temporary'] as const;

describe.each(engines)('lists of CLI sessions on %s', (engine) => {
  let service: Service;
  const clock = createFrozenClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;
  const names = (sessions: readonly CliSession[]): string[] => sessions.map(({ name }) => name);
  const listed = async (client: Client, query: Record<string, unknown> = {}) =>
    names((await client.cliSessions.list({ query: { order: 'asc', ...query } })).data);

  it('show every field, newest first, twenty of them unless told', async () => {
    const client = await fresh();
    const made: CliSession[] = [];
    for (let i = 0; i < 22; i += 1)
      made.unshift(await createSession(client, { name: `number ${i}` }));
    const { data, pagination } = await client.cliSessions.list();
    expect(data).toEqual(made.slice(0, 20));
    expect(pagination).toEqual({
      total: 22,
      limit: 20,
      offset: 0,
      has_more: true,
      next_cursor: null,
    });
    const last = await client.cliSessions.list({ query: { limit: 7, offset: 21 } });
    expect(last).toEqual({
      data: made.slice(21),
      pagination: { total: 22, limit: 7, offset: 21, has_more: false, next_cursor: null },
    });
    const beyond = await client.cliSessions.list({ query: { offset: 22 } });
    expect(beyond).toMatchObject({ data: [], pagination: { total: 22, has_more: false } });
  });

  it('hide archived sessions unless they are asked for', async () => {
    const client = await fresh();
    for (const state of states)
      await moveToState(client, await createSession(client, { name: state }), state);
    expect(await listed(client)).toEqual(['active', 'paused', 'completed']);
    expect(await listed(client, { include_archived: false })).toHaveLength(3);
    expect(await listed(client, { include_archived: true })).toEqual(states);
    for (const status of states) expect(await listed(client, { status })).toEqual([status]);
    expect(await listed(client, { status: 'paused', include_archived: true })).toEqual(['paused']);
  });

  it('filter by type, origin and any of the tags, together too', async () => {
    const client = await fresh();
    for (const type of types)
      await createSession(client, { name: type, type, origin_type: `of ${type}` });
    await createSession(client, {
      name: 'a b',
      tags: ['a', 'b'],
      type: 'task',
      origin_type: 'cli',
    });
    await createSession(client, { name: 'b c', tags: ['b', 'c'], origin_type: 'cli' });
    await createSession(client, { name: 'C', tags: ['C', 'a%'], origin_type: 'CLI' });
    expect(await listed(client, { type: 'project' })).toEqual(['project']);
    expect(await listed(client, { type: 'task' })).toEqual(['task', 'a b']);
    expect(await listed(client, { origin_type: 'cli' })).toEqual(['a b', 'b c']);
    expect(await listed(client, { origin_type: 'of task' })).toEqual(['task']);
    expect(await listed(client, { tags: ['a'] })).toEqual(['a b']);
    expect(await listed(client, { tags: ['a', 'c'] })).toEqual(['a b', 'b c']);
    expect(await listed(client, { tags: ['c', 'none'], type: 'task' })).toEqual([]);
    expect(await listed(client, { tags: ['b'], type: 'task', origin_type: 'cli' })).toEqual([
      'a b',
    ]);
    expect(await listed(client, { tags: ['%'] })).toEqual([]);
  });

  it('filter by space: one, none, or all that there are', async () => {
    const client = await fresh();
    const space = await client.spaces.create({ body: { name: 'one' } });
    const empty = await client.spaces.create({ body: { name: 'empty' } });
    await createSession(client, { name: 'inside', space_id: space.id });
    await createSession(client, { name: 'outside' });
    expect(await listed(client)).toEqual(['inside', 'outside']);
    expect(await listed(client, { space_id: space.id })).toEqual(['inside']);
    for (const none of ['null', 'default']) {
      expect(await listed(client, { space_id: none })).toEqual(['outside']);
    }
    expect(await listed(client, { space_id: empty.id })).toEqual([]);
    const { status, code } = await expectError(listed(client, { space_id: absentId }));
    expect([status, code]).toEqual([404, 'space_not_found']);
  });

  it('search name and description for the words as they stand, in any letter case', async () => {
    const client = await fresh();
    await createSession(client, { name: '100% sure', description: 'a_b' });
    await createSession(client, { name: '100 sure', description: 'axb' });
    await createSession(client, { name: 'Back\\slash', description: "it's" });
    await createSession(client, { name: 'ÄRGER im Büro', description: 'Пётр' });
    await createSession(client, { name: 'other' });
    const found: readonly (readonly [string, readonly string[]])[] = [
      ['sure', ['100% sure', '100 sure']],
      ['SURE', ['100% sure', '100 sure']],
      ['100%', ['100% sure']],
      ['%', ['100% sure']],
      ['_', ['100% sure']],
      ['A_B', ['100% sure']],
      ['back\\S', ['Back\\slash']],
      ['\\', ['Back\\slash']],
      ["IT'S", ['Back\\slash']],
      ['ärger', ['ÄRGER im Büro']],
      ['BÜRO', ['ÄRGER im Büro']],
      ['ПЁТР', ['ÄRGER im Büro']],
      ['sure other', []],
      ['sur', ['100% sure', '100 sure']],
    ];
    for (const [search, expected] of found) {
      expect(await listed(client, { search }), search).toEqual(expected);
    }
  });

  it.each(sorts)('are sorted by %s, both ways, through pages', async (sort) => {
    const client = await fresh();
    const made: CliSession[] = [];
    for (const name of ['delta', 'Alpha', 'charlie', 'éclair', 'Bravo', 'alpha']) {
      made.push(await createSession(client, { name }));
      clock.advance(minuteMs);
    }
    // Each order differs from that of creation.
    for (const i of [3, 1, 4, 0]) {
      const { id = '' } = made[i] ?? {};
      await client.cliSessions.update({ params: { id }, body: { summary: 'x' } });
      clock.advance(minuteMs);
    }
    for (const i of [2, 5, 1]) {
      await addMemory(client, made[i]?.id ?? '', `makes number ${i} active`);
      clock.advance(minuteMs);
    }
    const all = (await client.cliSessions.list({ query: { sort, order: 'asc' } })).data;
    const keys = all.map((session) => session[sort]);
    expect(keys).toEqual(keys.toSorted());
    expect(all).toHaveLength(6);
    const paged: string[] = [];
    for (const offset of [0, 2, 4]) {
      const query = { sort, order: 'desc' as const, limit: 2, offset };
      paged.push(...names((await client.cliSessions.list({ query })).data));
    }
    expect(paged).toEqual(names(all).toReversed());
    const usual = await client.cliSessions.list({ query: { sort } });
    expect(names(usual.data)).toEqual(paged);
  });

  it('refuse what is out of range, unknown or no value of a filter', async () => {
    const client = await fresh();
    const query = {
      limit: 0,
      offset: -1,
      sort: 'size',
      order: 'up',
      status: 'open',
      type: 'chat',
      include_archived: 'yes',
      search: '',
      space_id: 'x',
      state: 'active',
    };
    const answer = await client.request({ method: 'GET', path: '/cli-sessions', query });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        error: {
          details: {
            fields: {
              limit: { code: 'invalid_range', min: 1 },
              offset: { code: 'invalid_range', min: 0 },
              sort: { code: 'invalid_enum_value' },
              order: { code: 'invalid_enum_value' },
              status: { code: 'invalid_enum_value' },
              type: { code: 'invalid_enum_value' },
              include_archived: { code: 'invalid_type' },
              search: { code: 'invalid_range' },
              space_id: { code: 'invalid_format' },
              state: { code: 'unknown_field' },
            },
          },
        },
      },
    });
    const over = await expectError(client.cliSessions.list({ query: { limit: 101 } }));
    expect(over.fields).toMatchObject({ limit: { code: 'invalid_range', max: 100 } });
  });

  describe('GET /cli-sessions/active', () => {
    it('shows the active ones, the most recently used first, as many as are wanted', async () => {
      const client = await fresh();
      const made: CliSession[] = [];
      for (const state of [...states, ...states]) {
        const session = await createSession(client, { name: `${state} ${made.length}` });
        made.push(await moveToState(client, session, state));
        clock.advance(minuteMs);
      }
      await addMemory(client, made[0]?.id ?? '', 'used again');
      clock.advance(minuteMs);
      await client.cliSessions.resume({ params: { id: made[1]?.id ?? '' } });
      const { data, count } = await client.cliSessions.active();
      expect(names(data)).toEqual(['paused 1', 'active 0', 'active 4']);
      expect(count).toBe(3);
      expect(data[0]).toEqual(await client.cliSessions.get({ params: { id: made[1]?.id ?? '' } }));
      const two = await client.cliSessions.active({ query: { limit: 2 } });
      expect([names(two.data), two.count]).toEqual([['paused 1', 'active 0'], 2]);
    });

    it('shows twenty unless told, and a hundred at most', async () => {
      const client = await fresh();
      for (let i = 0; i < 21; i += 1) await createSession(client);
      expect((await client.cliSessions.active()).count).toBe(20);
      expect((await client.cliSessions.active({ query: { limit: 100 } })).count).toBe(21);
      for (const limit of [0, 101]) {
        expect((await expectError(client.cliSessions.active({ query: { limit } }))).status).toBe(
          422,
        );
      }
      const query = { offset: 1 };
      const answer = await client.request({ method: 'GET', path: '/cli-sessions/active', query });
      expect(answer.status).toBe(422);
    });
  });

  describe('GET /cli-sessions/stats', () => {
    it('counts every session by status and by type, archived ones too', async () => {
      const client = await fresh();
      expect(await client.cliSessions.stats()).toEqual({
        total: 0,
        by_status: { active: 0, paused: 0, completed: 0, archived: 0 },
        by_type: { conversation: 0, project: 0, task: 0, temporary: 0 },
      });
      const many = { active: 4, paused: 3, completed: 2, archived: 1 } as const;
      for (const [i, state] of states.entries()) {
        for (let n = 0; n < many[state]; n += 1) {
          const session = await createSession(client, { type: types[(i + n) % types.length] });
          await moveToState(client, session, state);
        }
      }
      const by_type = { conversation: 1, project: 2, task: 3, temporary: 4 };
      expect(await client.cliSessions.stats()).toEqual({ total: 10, by_status: many, by_type });
      const [one] = (await client.cliSessions.list({ query: { status: 'archived' } })).data;
      await client.cliSessions.remove({ params: { id: one?.id ?? '' } });
      expect(await client.cliSessions.stats()).toMatchObject({
        total: 9,
        by_status: { archived: 0 },
      });
    });
  });
});
