import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createMemory } from '../memories/memory-requests.ts';
import {
  minuteMs,
  onlySessionOfKey,
  searchWithSession,
  sessionReadPaths,
  withoutTimers,
} from './session-requests.ts';

describe.each(engines)('Reads of activation sessions on %s', (engine) => {
  let service: Service;
  const clock = withoutTimers(createFakeClock());
  /** Begun as a, b, c, d; b is closed, and a was used last. */
  let client: Client;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
    ({ client } = await service.createAccount());
    const use = async (key: string, laterMs: number): Promise<void> => {
      await searchWithSession(client, key, 'nothing');
      clock.advance(laterMs);
    };
    await use('b', 20 * minuteMs);
    await use('a', 15 * minuteMs);
    await client.sessions.list();
    await use('c', minuteMs);
    await use('d', minuteMs);
    await use('a', minuteMs);
  });
  afterAll(() => service.stop());

  type Query = NonNullable<NonNullable<Parameters<Client['sessions']['list']>[0]>['query']>;
  const keys = async (query: Query = {}): Promise<string> => {
    const { data } = await client.sessions.list({ query });
    return data.map(({ session_key }) => session_key).join('');
  };

  it.each<[string, Query, string]>([
    ['the newest first, unless told', {}, 'dcab'],
    ['by start', { sort: 'started_at' }, 'dcab'],
    ['by start, the oldest first', { order: 'asc' }, 'bacd'],
    ['by last activity', { sort: 'last_activity_at' }, 'adcb'],
    ['by last activity, the oldest first', { sort: 'last_activity_at', order: 'asc' }, 'bcda'],
    ['the closed ones', { is_closed: true }, 'b'],
    ['the open ones', { is_closed: false }, 'dca'],
    ['a part', { limit: 2 }, 'dc'],
    ['a later part', { limit: 2, offset: 1 }, 'ca'],
    ['nothing behind the end', { offset: 4 }, ''],
    ['a part of a part', { is_closed: false, order: 'asc', limit: 1, offset: 1 }, 'c'],
  ])('lists %s', async (_what, query, expected) => {
    expect(await keys(query)).toBe(expected);
  });

  it('lists what began at a time or later, in any ISO form', async () => {
    const { data } = await client.sessions.list();
    const since = data.find(({ session_key }) => session_key === 'c')?.started_at ?? '';
    expect(await keys({ since })).toBe('dc');
    const justAfter = new Date(Date.parse(since) + 1).toISOString();
    expect(await keys({ since: justAfter })).toBe('d');
    const elsewhere = `${new Date(Date.parse(since) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
    expect(await keys({ since: elsewhere })).toBe('dc');
    expect(await keys({ since: '2020-01-01' })).toBe('dcab');
    expect(await keys({ since, is_closed: true })).toBe('');
  });

  it('tells the whole number, and whether there is more', async () => {
    const of = async (query: Query = {}) => (await client.sessions.list({ query })).pagination;
    expect(await of()).toEqual({
      total: 4,
      limit: 20,
      offset: 0,
      has_more: false,
      next_cursor: null,
    });
    expect(await of({ limit: 3 })).toEqual({
      total: 4,
      limit: 3,
      offset: 0,
      has_more: true,
      next_cursor: null,
    });
    expect(await of({ limit: 3, offset: 1 })).toMatchObject({ total: 4, has_more: false });
    expect(await of({ is_closed: true })).toMatchObject({ total: 1, has_more: false });
    expect(await of({ offset: 9 })).toMatchObject({ total: 4, offset: 9, has_more: false });
  });

  it('lists the open ones, the most recently used first', async () => {
    const { data, pagination } = await client.sessions.active();
    expect(data.map(({ session_key }) => session_key)).toEqual(['a', 'd', 'c']);
    expect(pagination).toEqual({
      total: 3,
      limit: 20,
      offset: 0,
      has_more: false,
      next_cursor: null,
    });
    const second = await client.sessions.active({ query: { limit: 1, offset: 1 } });
    expect(second.data.map(({ session_key }) => session_key)).toEqual(['d']);
    expect(second.pagination).toEqual({
      total: 3,
      limit: 1,
      offset: 1,
      has_more: true,
      next_cursor: null,
    });
  });

  it('shows 20 unless told, and 100 at most', async () => {
    const { client: many } = await service.createAccount();
    await Promise.all(
      Array.from({ length: 101 }, (_, i) => searchWithSession(many, `k${i}`, 'nothing')),
    );
    expect((await many.sessions.list()).data).toHaveLength(20);
    expect((await many.sessions.active()).data).toHaveLength(20);
    const { data, pagination } = await many.sessions.list({ query: { limit: 100 } });
    expect(data).toHaveLength(100);
    expect(pagination).toEqual({
      total: 101,
      limit: 100,
      offset: 0,
      has_more: true,
      next_cursor: null,
    });
    const rest = await many.sessions.list({ query: { limit: 100, offset: 100 } });
    const seen = [...data, ...rest.data].map(({ id }) => id);
    expect(new Set(seen).size).toBe(101);
  });

  it('pages through the memories of a session in the order of first access', async () => {
    const { client: own } = await service.createAccount();
    const made: string[] = [];
    for (let i = 0; i < 25; i += 1) {
      made.push((await createMemory(own, `Note ${i} on word${i}`)).id);
      await searchWithSession(own, 'k', `"on word${i}"`);
    }
    const { id } = await onlySessionOfKey(own, 'k');
    const page = async (query: { limit?: number; offset?: number } = {}) => {
      const answer = await own.sessions.memories({ params: { id }, query });
      return { ids: answer.data.map((memory) => memory.id), pagination: answer.pagination };
    };
    expect(await page()).toEqual({
      ids: made.slice(0, 20),
      pagination: { total: 25, limit: 20, offset: 0, has_more: true, next_cursor: null },
    });
    expect(await page({ limit: 10, offset: 20 })).toEqual({
      ids: made.slice(20),
      pagination: { total: 25, limit: 10, offset: 20, has_more: false, next_cursor: null },
    });
    const whole = await own.memories.get({ params: { id: made[3] ?? '' } });
    const [third] = (
      await own.sessions.memories({ params: { id }, query: { limit: 1, offset: 3 } })
    ).data;
    expect({ ...third, salience: null }).toEqual({ ...whole, salience: null });
  });

  it.each([
    ['/sessions?limit=0', { limit: 'invalid_range' }],
    ['/sessions?limit=101', { limit: 'invalid_range' }],
    ['/sessions?offset=-1', { offset: 'invalid_range' }],
    ['/sessions?is_closed=yes', { is_closed: 'invalid_type' }],
    ['/sessions?since=yesterday', { since: 'invalid_format' }],
    ['/sessions?sort=name&order=up', { sort: 'invalid_enum_value', order: 'invalid_enum_value' }],
    ['/sessions?key=k', { key: 'unknown_field' }],
    ['/sessions/active?limit=101', { limit: 'invalid_range' }],
    ['/sessions/active?is_closed=true', { is_closed: 'unknown_field' }],
    [`/sessions/${absentId}?limit=1`, { limit: 'unknown_field' }],
    [`/sessions/${absentId}/memories?limit=x`, { limit: 'invalid_type' }],
    [`/sessions/${absentId}/export?format=pdf`, { format: 'invalid_enum_value' }],
    [
      `/sessions/${absentId}/report?include_relationships=1`,
      { include_relationships: 'invalid_type' },
    ],
  ])('refuses %s by its field', async (path, expected) => {
    const { status, body } = await client.request({ method: 'GET', path });
    expect(status).toBe(422);
    const fields = Object.fromEntries(
      Object.entries(expected).map(([name, code]) => [name, { code }]),
    );
    expect(body).toMatchObject({ error: { code: 'validation_error', details: { fields } } });
  });

  it('knows neither unknown ids, nor malformed ones, nor those of another account', async () => {
    const other = await service.createAccount();
    await searchWithSession(other.client, 'k', 'nothing');
    const foreign = await onlySessionOfKey(other.client, 'k');
    for (const id of [absentId, foreign.id, 'k', 'mem_x', `mem_${foreign.id}`]) {
      for (const path of sessionReadPaths(id)) {
        const { status, body } = await client.request({ method: 'GET', path });
        expect(status, path).toBe(404);
        expect(body, path).toMatchObject({ error: { code: 'not_found' } });
      }
    }
    expect(await keys()).toBe('dcab');
  });
});
