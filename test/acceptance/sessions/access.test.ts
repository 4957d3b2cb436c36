import { allRoutes, type CliSession } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, expectError, failedItem } from '../memories/memory-requests.ts';
import {
  addMemory,
  createClientWithKey,
  createFrozenClock,
  createSession,
  errorCodeOf,
  getSession,
  listSessionMemories,
  plainScopes,
} from './session-requests.ts';

const message = { messages: [{ role: 'user', content: 'hello' }] };
const areaRoutes = allRoutes.filter(({ path }) => path.startsWith('/cli-sessions'));

/** Every way to one session, by its id. */
const waysTo = (id: string) => [
  { method: 'GET', path: `/cli-sessions/${id}` },
  { method: 'PATCH', path: `/cli-sessions/${id}`, body: { name: 'x' } },
  { method: 'GET', path: `/cli-sessions/${id}/memories` },
  { method: 'POST', path: `/cli-sessions/${id}/messages`, body: message },
  { method: 'POST', path: `/cli-sessions/${id}/pause` },
  { method: 'POST', path: `/cli-sessions/${id}/resume` },
  { method: 'POST', path: `/cli-sessions/${id}/complete`, body: { summary: 'x' } },
  { method: 'POST', path: `/cli-sessions/${id}/archive` },
  { method: 'DELETE', path: `/cli-sessions/${id}` },
  { method: 'DELETE', path: `/cli-sessions/${id}?confirm=true` },
];

describe.each(engines)('who may see a CLI session on %s', (engine) => {
  let service: Service;
  const clock = createFrozenClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const scopes = [...plainScopes];
  const idsListed = async (client: Client) => {
    const listed = await client.cliSessions.list({ query: { include_archived: true } });
    const active = await client.cliSessions.active();
    const stats = await client.cliSessions.stats();
    expect(active.data.map(({ id }) => id)).toEqual(listed.data.map(({ id }) => id));
    expect([listed.pagination.total, active.count, stats.total]).toEqual(
      Array(3).fill(listed.data.length),
    );
    return listed.data.map(({ id }) => id);
  };
  /** Every way is refused alike, and the session is as it was for who may see it. */
  const expectRefused = async (
    client: Client,
    owner: Client,
    session: CliSession,
    [status, code]: readonly [number, string],
  ) => {
    const outside = await createMemory(client, `by ${code} of ${session.id}`, {
      ...(status === 403 ? { space_id: 'default' } : {}),
    });
    const body = { content: 'intrusion', session_id: session.id };
    const joining = [
      { method: 'POST', path: '/memories', body },
      { method: 'POST', path: '/memories/bulk?atomic=true', body: { memories: [body] } },
      { method: 'PATCH', path: `/memories/${outside.id}`, body: { session_id: session.id } },
    ];
    for (const way of [...waysTo(session.id), ...joining]) {
      const answer = await client.request(way);
      const say = `${way.method} ${way.path}`;
      expect([answer.status, errorCodeOf(answer)], say).toEqual([status, code]);
    }
    const { failed } = await client.memories.bulkCreate({ body: { memories: [body] } });
    expect(failed).toEqual([failedItem(0, code)]);
    expect(await getSession(owner, session.id)).toEqual(session);
    expect(await listSessionMemories(owner, session.id)).toHaveLength(session.memory_count);
  };

  describe('a private one', () => {
    it('is there for its creator and for admin keys; any other key finds nothing', async () => {
      const { client: admin } = await service.createAccount();
      const creator = await createClientWithKey(service, admin, { scopes });
      const other = await createClientWithKey(service, admin, { scopes });
      const made = await createSession(creator, { name: 'secret', is_private: true });
      await addMemory(creator, made.id, 'said in secret');
      const session = await getSession(creator, made.id);
      await expectRefused(other, admin, session, [404, 'not_found']);
      const mine = await createSession(other, { name: 'mine', is_private: true });
      const open = await createSession(admin, { name: 'open' });
      expect(await idsListed(creator)).toEqual([open.id, session.id]);
      expect(await idsListed(other)).toEqual([open.id, mine.id]);
      expect(await idsListed(admin)).toEqual([open.id, mine.id, session.id]);
      expect((await other.cliSessions.list({ query: { search: 'secret' } })).data).toEqual([]);
      expect(await other.cliSessions.stats()).toMatchObject({ total: 2 });
      await addMemory(admin, session.id, 'said by the admin');
      expect((await getSession(creator, session.id)).memory_count).toBe(2);
      await creator.cliSessions.remove({ params: { id: session.id } });
      expect(await idsListed(admin)).toEqual([open.id, mine.id]);
    });

    it('becomes so, and open again, by PATCH', async () => {
      const { client: admin } = await service.createAccount();
      const creator = await createClientWithKey(service, admin, { scopes });
      const other = await createClientWithKey(service, admin, { scopes });
      const { id } = await createSession(creator);
      const change = (client: Client, is_private: boolean) =>
        client.cliSessions.update({ params: { id }, body: { is_private } });
      expect(await idsListed(other)).toEqual([id]);
      // Whoever is not its creator shuts itself out by that.
      expect(await change(other, true)).toMatchObject({ id, is_private: true });
      expect((await expectError(change(other, false))).status).toBe(404);
      expect(await idsListed(other)).toEqual([]);
      await change(creator, false);
      expect(await idsListed(other)).toEqual([id]);
    });

    it("stays its creator's when the key is rotated, and admins' when it is revoked", async () => {
      const { client: admin } = await service.createAccount();
      const made = await admin.keys.create({ body: { name: 'creator', scopes } });
      const { id } = await createSession(service.client(made.key), { is_private: true });
      const { key } = await admin.keys.rotate({ params: { id: made.id } });
      expect((await getSession(service.client(key), id)).created_by).toBe(made.id);
      await admin.keys.revoke({ params: { id: made.id } });
      expect((await getSession(admin, id)).is_private).toBe(true);
    });

    it('keeps its memories where their space is: they are found like any other', async () => {
      const { client: admin } = await service.createAccount();
      const other = await createClientWithKey(service, admin, { scopes });
      const { id } = await createSession(admin, { is_private: true });
      const memory = await addMemory(admin, id, 'the quokka is shy');
      expect((await other.memories.get({ params: { id: memory.id } })).session_id).toBe(id);
    });
  });

  it('a key that may not use its space is refused with 403; lists leave it out', async () => {
    const { client } = await service.createAccount();
    const [own, other] = [
      await client.spaces.create({ body: { name: 'own' } }),
      await client.spaces.create({ body: { name: 'other' } }),
    ];
    const limited = await createClientWithKey(service, client, { space_ids: [own.id, 'default'] });
    const strict = await createClientWithKey(service, client, { space_ids: [own.id] });
    const inside = await createSession(client, { space_id: own.id });
    const level = await createSession(client);
    const made = await createSession(client, { space_id: other.id });
    await addMemory(client, made.id, 'hidden', { space_id: other.id });
    const session = await getSession(client, made.id);
    await expectRefused(limited, client, session, [403, 'space_access_denied']);
    expect(await idsListed(limited)).toEqual([level.id, inside.id]);
    expect(await idsListed(strict)).toEqual([inside.id]);
    for (const call of [
      () => createSession(limited, { space_id: other.id }),
      () => limited.cliSessions.list({ query: { space_id: other.id } }),
      () => createSession(strict),
      () => strict.cliSessions.list({ query: { space_id: 'null' } }),
      () => getSession(strict, level.id),
    ]) {
      const { status, code } = await expectError(call());
      expect([status, code]).toEqual([403, 'space_access_denied']);
    }
    expect(await createSession(strict, { space_id: own.id })).toMatchObject({ space_id: own.id });
  });

  it('shows a limited key the memories of its spaces alone, and deletes none', async () => {
    const { client } = await service.createAccount();
    const other = await client.spaces.create({ body: { name: 'other' } });
    const limited = await createClientWithKey(service, client, { space_ids: ['default'] });
    const { id } = await createSession(client);
    const seen = await addMemory(client, id, 'seen');
    await addMemory(client, id, 'unseen', { space_id: other.id });
    const { data, pagination } = await limited.cliSessions.memories({ params: { id } });
    expect([data.map((one) => one.id), pagination.total]).toEqual([[seen.id], 1]);
    const call = limited.cliSessions.remove({ params: { id }, query: { confirm: true } });
    expect((await expectError(call)).code).toBe('space_access_denied');
    expect(await listSessionMemories(client, id)).toHaveLength(2);
  });

  it('another account finds nothing of it', async () => {
    const [{ client: mine }, { client: theirs }] = [
      await service.createAccount(),
      await service.createAccount(),
    ];
    const made = await createSession(theirs);
    await addMemory(theirs, made.id, 'theirs');
    await expectRefused(mine, theirs, await getSession(theirs, made.id), [404, 'not_found']);
    expect(await idsListed(mine)).toEqual([]);
  });

  describe('with a session token', () => {
    const tokenOf = async (client: Client, seconds = 3_600) => {
      const { token } = await client.auth.createToken({ body: { expires_in: seconds } });
      return { token, client: service.client(token) };
    };

    it('every route serves, in the name of the key that made it', async () => {
      const { client: admin } = await service.createAccount();
      const creator = await createClientWithKey(service, admin, { scopes });
      const { client } = await tokenOf(creator);
      const before = await createSession(creator, { is_private: true });
      expect(await getSession(client, before.id)).toEqual(before);
      const session = await createSession(client, { is_private: true });
      expect(session.created_by).toBe(before.created_by);
      expect(await getSession(creator, session.id)).toEqual(session);
      const { id } = session;
      const served = new Set(['POST /cli-sessions']);
      const serve = async (method: string, rest = '', body?: unknown) => {
        const path = `/cli-sessions${rest}`;
        const { status } = await client.request({ method, path, body });
        expect(status, `${method} ${path}`).toBeLessThan(300);
        served.add(`${method} ${path.replace(id, ':id')}`);
      };
      await serve('GET');
      await serve('GET', '/active');
      await serve('GET', '/stats');
      await serve('GET', `/${id}`);
      await serve('PATCH', `/${id}`, { name: 'new' });
      await serve('POST', `/${id}/messages`, message);
      await serve('GET', `/${id}/memories`);
      for (const name of ['pause', 'resume', 'complete', 'archive']) {
        await serve('POST', `/${id}/${name}`);
      }
      await serve('DELETE', `/${id}`);
      expect(served).toEqual(new Set(areaRoutes.map(({ method, path }) => `${method} ${path}`)));
    });

    it('a token of a limited key is limited alike', async () => {
      const { client: admin } = await service.createAccount();
      const own = await admin.spaces.create({ body: { name: 'own' } });
      const reader = await createClientWithKey(service, admin, {
        scopes: ['sessions:read'],
        space_ids: [own.id],
      });
      const { client } = await tokenOf(reader);
      const hidden = await createSession(admin);
      const secret = await createSession(admin, { space_id: own.id, is_private: true });
      const open = await createSession(admin, { space_id: own.id });
      expect(await idsListed(client)).toEqual([open.id]);
      expect((await expectError(getSession(client, hidden.id))).code).toBe('space_access_denied');
      expect((await expectError(getSession(client, secret.id))).code).toBe('not_found');
      const lacking = await expectError(createSession(client, { space_id: own.id }));
      expect([lacking.status, lacking.code]).toEqual([403, 'insufficient_permissions']);
    });

    it.each(areaRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
      '%s is 401 missing_auth without credentials, expired_token after its time',
      async (_name, { method, path, example }) => {
        const { client: admin } = await service.createAccount();
        const { token } = await tokenOf(admin, 60);
        clock.advance(61_000);
        const [url, { body }] = [
          path.replace(':id', '019b8d1c-0000-7000-8000-00000000dead'),
          example,
        ];
        const ask = (authorization?: string) =>
          fetch(`${service.url}/v1${url}`, {
            method,
            headers: {
              ...(authorization === undefined ? {} : { authorization }),
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
        for (const [authorization, code] of [
          [undefined, 'missing_auth'],
          [`Bearer ${token}`, 'expired_token'],
        ] as const) {
          const answer = await ask(authorization);
          expect(answer.headers.get('www-authenticate')).toBe('Bearer');
          expect([answer.status, await answer.json()]).toMatchObject([401, { error: { code } }]);
        }
      },
    );
  });
});
