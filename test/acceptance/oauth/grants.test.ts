import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHousekeeping } from '../../../packages/server/src/domains/operations/index.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines } from '../../support/service.ts';
import { idsIn, postMessage, postToolCall } from '../mcp/mcp-clients.ts';
import {
  allowAll,
  createPkce,
  exchangeCode,
  type OAuthService,
  obtainCode,
  obtainTokens,
  redirectUri,
  refreshTokens,
  requestFields,
  startOAuthService,
  TestBrowser,
} from './oauth-service.ts';

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe.each(engines)('OAuth grants on %s', (engine) => {
  let service: OAuthService;
  beforeAll(async () => {
    service = await startOAuthService(engine);
  });
  afterAll(() => service.stop());

  const statusOf = async (token: string): Promise<number> =>
    (await postMessage({ url: `${service.url}/mcp`, key: token }, list)).status;
  const toolsOf = async (token: string): Promise<string[]> => {
    const { body } = await postMessage({ url: `${service.url}/mcp`, key: token }, list);
    return (body.result as { tools: { name: string }[] }).tools.map(({ name }) => name);
  };

  it('are limited to the chosen scopes', async () => {
    const { key } = await service.createAccount();
    const tokens = await obtainTokens(service, key, {
      choice: { scope: ['memories:read', 'search:read'] },
    });
    expect(tokens.scope).toBe('memories:read search:read');
    expect(await toolsOf(tokens.access_token)).toEqual(['recall', 'read']);
  });

  it('are limited to the scopes of the request, and to those of the key', async () => {
    const { client, key } = await service.createAccount();
    const requested = await obtainTokens(service, key, {
      request: { scope: 'search:read admin offline_access' },
      choice: { scope: ['search:read'] },
    });
    expect(requested.scope).toBe('search:read');
    const weak = await client.keys.create({ body: { name: 'weak', scopes: ['search:read'] } });
    const browser = new TestBrowser(service.url);
    const fields = requestFields(service.url, createPkce());
    const page = await browser.signIn(fields, weak.key);
    expect(page.html).toContain('value="search:read"');
    expect(page.html).not.toContain('value="memories:write"');
    for (const scope of [['search:read', 'memories:write'], ['admin'], ['search:read admin'], []]) {
      const { status, location } = await browser.submit(page, { ...allowAll, scope });
      expect([scope, status, location]).toEqual([scope, 422, null]);
    }
    const useless = await client.keys.create({ body: { name: 'none', scopes: ['email:read'] } });
    const refused = await new TestBrowser(service.url).signIn(fields, useless.key);
    expect([refused.status, refused.html]).toEqual([
      400,
      expect.stringMatching(/none of the scopes/),
    ]);
  });

  it('are limited to the chosen spaces, and to those of the key', async () => {
    const { client, key } = await service.createAccount();
    const [a, b, c] = await Promise.all(
      ['a', 'b', 'c'].map((name) => client.spaces.create({ body: { name: `space ${name}` } })),
    );
    if (!a || !b || !c) throw new Error('no spaces');
    const ids: Record<string, string> = {};
    for (const { id, name } of [a, b, c]) {
      const body = { content: `The fox of ${name} sleeps.`, space_id: id };
      ids[id] = (await client.memories.create({ body })).id;
    }
    const { id: inNone } = await client.memories.create({ body: { content: 'The fox runs.' } });
    const recall = async (token: string) => {
      const connection = { url: `${service.url}/mcp`, key: token };
      return idsIn((await postToolCall(connection, 'recall', { query: 'fox' })).text).toSorted();
    };
    const some = { spaces: 'some', space: [a.id, 'default'] };
    const ofSome = await obtainTokens(service, key, { choice: some });
    expect(await recall(ofSome.access_token)).toEqual([ids[a.id], inNone].toSorted());
    const limited = await client.keys.create({ body: { name: 'k', space_ids: [a.id, b.id] } });
    const ofKey = await obtainTokens(service, limited.key);
    expect(await recall(ofKey.access_token)).toEqual([ids[a.id], ids[b.id]].toSorted());
    const browser = new TestBrowser(service.url);
    const fields = requestFields(service.url, createPkce());
    const page = await browser.signIn(fields, limited.key);
    expect(page.html).toContain(b.id);
    expect(page.html).not.toContain(c.id);
    for (const space of [[c.id], [a.id, 'default'], ['*'], []]) {
      const choice = { ...allowAll, spaces: 'some', space };
      const { status, location } = await browser.submit(page, choice);
      expect([space, status, location]).toEqual([space, 422, null]);
    }
    const ofSpace = { ...fields, resource: `${service.url}/mcp/${encodeURIComponent(c.name)}` };
    const unreachable = await browser.authorize(ofSpace);
    expect([unreachable.status, unreachable.html]).toEqual([
      400,
      expect.stringMatching(/no space of this name/),
    ]);
  });

  it('can be limited to a user', async () => {
    const { client, key } = await service.createAccount();
    const content = (who: string) => `The password hint of ${who} is a bird.`;
    await client.memories.create({ body: { content: content('Ben'), user_id: 'ben' } });
    const { access_token } = await obtainTokens(service, key, { choice: { user_id: ' ana ' } });
    const connection = { url: `${service.url}/mcp`, key: access_token };
    const stored = await postToolCall(connection, 'remember', { content: content('Ana') });
    const [id = ''] = idsIn(stored.text);
    expect((await client.memories.get({ params: { id } })).user_id).toBe('ana');
    const { text } = await postToolCall(connection, 'recall', { query: 'password hint' });
    expect(idsIn(text)).toEqual([id]);
  });

  it('end with their key, and when its secret is replaced', async () => {
    const { client } = await service.createAccount();
    const revoked = await client.keys.create({ body: { name: 'revoked' } });
    const rotated = await client.keys.create({ body: { name: 'rotated' } });
    const kept = await client.keys.create({ body: { name: 'rotated with a grace period' } });
    const [ofRevoked, ofRotated, ofKept] = [
      await obtainTokens(service, revoked.key),
      await obtainTokens(service, rotated.key),
      await obtainTokens(service, kept.key),
    ];
    await client.keys.revoke({ params: { id: revoked.id } });
    await client.keys.rotate({ params: { id: rotated.id } });
    await client.keys.rotate({ params: { id: kept.id }, body: { grace_seconds: 3_600 } });
    expect(await statusOf(ofRevoked.access_token)).toBe(401);
    expect(await statusOf(ofRotated.access_token)).toBe(401);
    expect(await statusOf(ofKept.access_token)).toBe(200);
    for (const { refresh_token } of [ofRevoked, ofRotated]) {
      expect((await refreshTokens(service, refresh_token)).body.error).toBe('invalid_grant');
    }
    expect((await refreshTokens(service, ofKept.refresh_token)).status).toBe(200);
  });

  it('end with the account, and pause while it is suspended', async () => {
    const { id, key } = await service.createAccount();
    const operator = service.operator();
    const { access_token } = await obtainTokens(service, key);
    await operator.admin.updateAccount({ params: { id }, body: { suspended: true } });
    expect(await statusOf(access_token)).toBe(403);
    await operator.admin.updateAccount({ params: { id }, body: { suspended: false } });
    expect(await statusOf(access_token)).toBe(200);
    await operator.admin.deleteAccount({ params: { id }, query: { confirm: true } });
    expect(await statusOf(access_token)).toBe(401);
    await service.running.context.worker.drain();
    const { db } = service.running.context.app.engine;
    for (const table of ['browser_sessions', 'oauth_grants', 'oauth_tokens']) {
      const { rows } = await sql`
        select from ${sql.table(table)} where account_id = ${id}::uuid`.execute(db);
      expect([table, rows]).toEqual([table, []]);
    }
  });

  it('are listed and revoked at once, by keys that reach as far', async () => {
    const { client, key } = await service.createAccount();
    const other = (await service.createAccount()).client;
    const tokens = await obtainTokens(service, key, { choice: { user_id: 'ana' } });
    const { data } = await client.grants.list();
    expect(data).toMatchObject([
      {
        client_id: 'https://client.example.com/oauth/client.json',
        client_name: 'Test client',
        resource: `${service.url}/mcp`,
        scopes: allowAll.scope,
        space_ids: null,
        user_id: 'ana',
      },
    ]);
    const params = { id: data[0]?.id ?? '' };
    expect((await other.grants.list()).data).toEqual([]);
    await expect(other.grants.revoke({ params })).rejects.toMatchObject({ status: 404 });
    const space = await client.spaces.create({ body: { name: 'limited' } });
    const body = { name: 'k', space_ids: [space.id], scopes: ['admin' as const] };
    const limited = service.client((await client.keys.create({ body })).key);
    expect((await limited.grants.list()).data).toEqual([]);
    await expect(limited.grants.revoke({ params })).rejects.toMatchObject({ status: 404 });
    expect(await statusOf(tokens.access_token)).toBe(200);
    await client.grants.revoke({ params });
    await client.grants.revoke({ params });
    expect(await statusOf(tokens.access_token)).toBe(401);
    expect((await client.grants.list()).data).toEqual([]);
    const { body: refused } = await refreshTokens(service, tokens.refresh_token);
    expect(refused.error).toBe('invalid_grant');
  });

  it('and their ends are in the audit log', async () => {
    const { client, key } = await service.createAccount();
    const first = await obtainTokens(service, key);
    await refreshTokens(service, first.refresh_token);
    await refreshTokens(service, first.refresh_token);
    const { data } = await client.account.audit({ query: { limit: 2 } });
    const [revoked, created] = data;
    expect(created).toMatchObject({
      action: 'grant.created',
      actor: { key_id: expect.any(String) },
      details: { client_name: 'Test client', scopes: allowAll.scope, space_ids: null },
    });
    expect(revoked).toMatchObject({
      action: 'grant.revoked',
      target_id: created?.target_id,
      actor: null,
      details: { reason: 'refresh_token_reused' },
    });
    expect(JSON.stringify(data)).not.toMatch(/mn[ors]_/);
  });
});

describe.each(engines)('The time of OAuth grants on %s', (engine) => {
  const clock = createFakeClock(() => 0);
  let service: OAuthService;
  beforeAll(async () => {
    service = await startOAuthService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  it('counts requests of a grant toward the rate limit of its key', async () => {
    const { key } = await service.createAccount('free');
    const { access_token } = await obtainTokens(service, key);
    const remaining = ({ headers }: { headers: Headers }) =>
      Number(headers.get('x-ratelimit-remaining'));
    const authorization = `Bearer ${key}`;
    const read = () => fetch(`${service.url}/v1/account`, { headers: { authorization } });
    const before = remaining(await read());
    const connection = { url: `${service.url}/mcp`, key: access_token };
    expect(remaining(await postMessage(connection, list))).toBe(before - 1);
    expect(remaining(await read())).toBe(before - 2);
  });

  it('is an hour for access and 30 days for a refresh', async () => {
    const { key } = await service.createAccount();
    const first = await obtainTokens(service, key);
    const statusOf = async (token: string): Promise<number> =>
      (await postMessage({ url: `${service.url}/mcp`, key: token }, list)).status;
    clock.advance(3_599_000);
    expect(await statusOf(first.access_token)).toBe(200);
    clock.advance(1_000);
    expect(await statusOf(first.access_token)).toBe(401);
    const second = await refreshTokens(service, first.refresh_token);
    expect(await statusOf(second.body.access_token)).toBe(200);
    clock.advance(30 * 86_400_000);
    const late = await refreshTokens(service, second.body.refresh_token);
    expect(late.body.error).toBe('invalid_grant');
  });

  it('is a minute for a code, and 15 minutes for a sign-in', async () => {
    const { key } = await service.createAccount();
    const { exchange } = await obtainCode(service, key);
    const browser = new TestBrowser(service.url);
    const fields = requestFields(service.url, createPkce());
    await browser.signIn(fields, key);
    clock.advance(60_000);
    expect((await exchangeCode(service, exchange)).body.error).toBe('invalid_grant');
    expect((await browser.authorize(fields)).html).toContain('It may');
    clock.advance(14 * 60_000);
    expect((await browser.authorize(fields)).html).toContain('Sign in to Mneme');
  });

  it('ends in the database as well: housekeeping deletes what has ended', async () => {
    const { app } = service.running.context;
    const { key, id: accountId } = await service.createAccount();
    const register = async (): Promise<string> => {
      const response = await fetch(`${service.url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [redirectUri] }),
      });
      return ((await response.json()) as { client_id: string }).client_id;
    };
    const [used, unused] = [await register(), await register()];
    const { refresh_token } = await obtainTokens(service, key, { request: { client_id: used } });
    await obtainCode(service, key);
    const counts = async (): Promise<unknown> => {
      const { rows } = await sql`select
        (select count(*) from browser_sessions where account_id = ${accountId}::uuid) as sessions,
        (select count(*) from oauth_grants where account_id = ${accountId}::uuid) as grants,
        (select count(*) from oauth_tokens where account_id = ${accountId}::uuid) as tokens,
        (select count(*) from oauth_clients where id in (${used}, ${unused})) as clients
      `.execute(app.engine.db);
      return rows[0];
    };
    const housekeep = () =>
      runHousekeeping(app, {
        id: app.ids.uuid(),
        accountId: null,
        payload: {},
        spaces: null,
        saveProgress: async () => undefined,
        stopSignal: new AbortController().signal,
        isLastAttempt: false,
        shouldYield: () => false,
      });
    await housekeep();
    expect(await counts()).toEqual({ sessions: 2, grants: 2, tokens: 2, clients: 2 });
    clock.advance(25 * 3_600_000);
    await housekeep();
    expect(await counts()).toEqual({ sessions: 0, grants: 1, tokens: 1, clients: 1 });
    const request = { client_id: used };
    expect((await refreshTokens(service, refresh_token, request)).status).toBe(200);
    clock.advance(32 * 86_400_000);
    await housekeep();
    expect(await counts()).toEqual({ sessions: 0, grants: 0, tokens: 0, clients: 0 });
  });
});
