import { createHmac } from 'node:crypto';
import { type Client, createClient } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneCounters } from '../../../packages/server/src/domains/accounts/index.ts';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { deriveKey } from '../../../packages/server/src/kernel/encryption.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { serve } from '../../../packages/server/src/serve.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createDataLocation } from '../../support/server-process.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  advanceToNextMinute,
  readLimitHeaders,
  runConcurrently,
} from '../limits/usage-and-windows.ts';

const secret = 'a secret of the test for signing tokens';
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

interface Claims {
  readonly jti: string;
  readonly iss: string;
  readonly sub: string;
  readonly key: string;
  readonly mark: string;
  readonly iat: number;
  readonly exp: number;
}
const claimsOf = (token: string): Claims => decode(token.split('.')[1]) as unknown as Claims;

const hashes = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;

/** A token as its format says (RFC 7519, RFC 7515), for any claims, algorithm and secret. */
function forge(claims: object, alg: keyof typeof hashes = 'HS256', key = secret): string {
  const text = `${encode({ alg })}.${encode(claims)}`;
  const signed = createHmac(hashes[alg], deriveKey(key, 'session tokens')).update(text);
  return `${text}.${signed.digest('base64url')}`;
}

describe.each(engines)('session tokens on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    const env = { MNEME_TOKEN_SECRET: secret };
    service = await startService(engine, { env, overrides: { clock } });
  });
  afterAll(() => service.stop());

  const ask = (token: string) => service.client(token).request({ method: 'GET', path: '/account' });
  const make = (client: Client, body?: unknown) =>
    client.request({ method: 'POST', path: '/auth/tokens', body });

  /** Refused credentials say which code, and how to do better. */
  async function expect401(token: string, code: string) {
    const answer = await ask(token);
    expect(answer).toMatchObject({ status: 401, body: { error: { code } } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  }

  describe('POST /auth/tokens', () => {
    it('answers 201 with a token for an hour unless told otherwise', async () => {
      const { id, client } = await service.createAccount();
      for (const body of [undefined, {}]) {
        const before = Math.floor(clock.now().getTime() / 1_000);
        const answer = await make(client, body);
        const after = Math.floor(clock.now().getTime() / 1_000);
        expect(answer.status).toBe(201);
        const issued = answer.body as { token: string; expires_at: string };
        expect(issued).toEqual({
          token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          token_type: 'Bearer',
          id: claimsOf(issued.token).jti,
          key_id: claimsOf(issued.token).key,
          api_key_id: claimsOf(issued.token).key,
          user_id: null,
          renewable_until: null,
          single_use: false,
          scopes: null,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
        });
        const { exp, sub } = claimsOf(issued.token);
        expect(exp * 1_000).toBe(Date.parse(issued.expires_at));
        expect(sub).toBe(id);
        expect(exp).toBeGreaterThanOrEqual(before + 3_600);
        expect(exp).toBeLessThanOrEqual(after + 3_600);
      }
    });

    it.each([60, 86_400])(
      'takes an expires_in of %i s, and tells when that is',
      async (seconds) => {
        const { client } = await service.createAccount();
        const issued = await client.auth.createToken({ body: { expires_in: seconds } });
        const { iat, exp } = claimsOf(issued.token);
        expect(exp - iat).toBe(seconds);
        expect(Date.parse(issued.expires_at)).toBe(exp * 1_000);
      },
    );

    it.each([
      ['59 s', { expires_in: 59 }, { expires_in: { code: 'invalid_range', min: 60 } }],
      ['86401 s', { expires_in: 86_401 }, { expires_in: { code: 'invalid_range', max: 86_400 } }],
      ['half a second', { expires_in: 60.5 }, { expires_in: { code: 'invalid_type' } }],
      ['words', { expires_in: 'an hour' }, { expires_in: { code: 'invalid_type' } }],
      ['another field', { ttl: 60 }, { ttl: { code: 'unknown_field' } }],
    ])('refuses %s: 422', async (_what, body, fields) => {
      const { client } = await service.createAccount();
      const answer = await make(client, body);
      expect(answer).toMatchObject({ status: 422, body: { error: { details: { fields } } } });
    });

    it('takes any key, and no session token', async () => {
      const { client } = await service.createAccount();
      const body = { name: 'reader', scopes: ['email:read' as const] };
      const { key } = await client.keys.create({ body });
      const { token } = await service.client(key).auth.createToken();
      expect((await ask(token)).status).toBe(200);
      expect(await make(service.client(token))).toMatchObject({
        status: 403,
        body: {
          error: {
            code: 'insufficient_permissions',
            message: 'A session token cannot create tokens: use an API key.',
          },
        },
      });
    });

    it('replays the same token for an Idempotency-Key, and stores none in clear', async () => {
      const { client } = await service.createAccount();
      const other = await client.keys.create({ body: { name: 'other' } });
      const once = (one: Client) =>
        one.request({
          method: 'POST',
          path: '/auth/tokens',
          headers: { 'idempotency-key': 'once' },
        });
      const [first, again] = [await once(client), await once(client)];
      expect(first.status).toBe(201);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
      expect(await once(service.client(other.key))).toMatchObject({
        status: 409,
        body: { error: { code: 'idempotency_key_reused' } },
      });
      const { rows } = await sql<{ text: string }>`
        select idempotency::text as text from idempotency where key = 'once'
      `.execute(service.running.context.app.engine.db);
      expect(rows).toHaveLength(1);
      for (const part of (first.body as { token: string }).token.split('.').slice(1)) {
        expect(rows[0]?.text).not.toContain(part);
      }
    });
  });

  describe('a token', () => {
    it('stands for the account of its key on GET /account', async () => {
      const [one, other] = [await service.createAccount('pro'), await service.createAccount('max')];
      for (const { id, client } of [one, other]) {
        const { token } = await client.auth.createToken();
        expect(await service.client(token).account.get()).toEqual(await client.account.get());
        expect((await ask(token)).body).toMatchObject({ id });
      }
    });

    it('has the rights of its key, no more and no less', async () => {
      const { client } = await service.createAccount();
      const body = { name: 'reader', scopes: ['sessions:read' as const] };
      const reader = service.client((await client.keys.create({ body })).key);
      const [own, readers] = [await client.auth.createToken(), await reader.auth.createToken()];
      const { id } = await service.client(own.token).cliSessions.create({ body: { name: 'Talk' } });
      const reading = service.client(readers.token);
      expect((await reading.cliSessions.get({ params: { id } })).name).toBe('Talk');
      await expect(reading.cliSessions.create({ body: { name: 'Talk' } })).rejects.toMatchObject({
        status: 403,
        code: 'insufficient_permissions',
        details: { required_scope: 'sessions:write' },
      });
    });

    it.each([
      ['GET', '/memories', undefined, 200],
      ['POST', '/memories', { content: 'Stored with a session token.' }, 201],
      ['GET', '/search?q=token', undefined, 200],
      ['PATCH', '/account', { name: 'renamed' }, 200],
      ['GET', '/account/audit', undefined, 200],
      ['GET', '/api-keys', undefined, 200],
      ['POST', '/api-keys', { name: 'made by a token' }, 201],
      ['GET', '/spaces', undefined, 200],
      ['GET', '/events', undefined, 200],
      ['GET', '/admin/accounts', undefined, 403],
    ])('is answered as its key is on %s %s', async (method, path, body, status) => {
      const { client } = await service.createAccount();
      const { token } = await client.auth.createToken();
      const answer = await service.client(token).request({ method, path, body });
      expect(answer.status).toBe(status);
    });

    it('of the operator works on the routes of the operator', async () => {
      const { token } = await service.operator().auth.createToken();
      const { data } = await service.client(token).admin.listAccounts();
      expect(data.length).toBeGreaterThan(0);
    });

    it('works until it expires, then it is 401 expired_token', async () => {
      const { client } = await service.createAccount();
      const short = await client.auth.createToken({ body: { expires_in: 60 } });
      const long = await client.auth.createToken();
      clock.advance(57_000);
      expect((await ask(short.token)).status).toBe(200);
      clock.advance(3_000);
      await expect401(short.token, 'expired_token');
      expect((await ask(long.token)).status).toBe(200);
      clock.advance(3_540_000);
      await expect401(long.token, 'expired_token');
    });

    it('ends with the revocation of its key, and of no other', async () => {
      const { client } = await service.createAccount();
      const { id, key } = await client.keys.create({ body: { name: 'agent' } });
      const { token } = await service.client(key).auth.createToken();
      const kept = await client.auth.createToken();
      expect((await ask(token)).status).toBe(200);
      await client.keys.revoke({ params: { id } });
      await expect401(token, 'revoked_api_key');
      expect((await ask(kept.token)).status).toBe(200);
    });

    it('ends with the secret that it was made with, after the grace of a rotation', async () => {
      const { client } = await service.createAccount();
      const { id, key } = await client.keys.create({ body: { name: 'agent' } });
      const first = await service.client(key).auth.createToken();
      const body = { grace_seconds: 60 };
      const rotated = await client.keys.rotate({ params: { id }, body });
      const former = await service.client(key).auth.createToken();
      const second = await service.client(rotated.key).auth.createToken();
      for (const { token } of [first, former, second]) expect((await ask(token)).status).toBe(200);
      clock.advance(61_000);
      for (const { token } of [first, former]) await expect401(token, 'invalid_api_key');
      expect((await ask(second.token)).status).toBe(200);
      await client.keys.rotate({ params: { id } });
      await expect401(second.token, 'invalid_api_key');
    });

    it('ends with its key, even when it was made for longer', async () => {
      const { client } = await service.createAccount();
      const expires_at = new Date(clock.now().getTime() + 120_000).toISOString();
      const { key } = await client.keys.create({ body: { name: 'agent', expires_at } });
      const { token } = await service.client(key).auth.createToken();
      clock.advance(110_000);
      expect((await ask(token)).status).toBe(200);
      clock.advance(11_000);
      await expect401(token, 'expired_api_key');
    });

    it('is refused while the account is suspended, and when it is deleted', async () => {
      const { id, client } = await service.createAccount();
      const { token } = await client.auth.createToken();
      const operator = service.operator();
      const suspend = (suspended: boolean) =>
        operator.admin.updateAccount({ params: { id }, body: { suspended } });
      await suspend(true);
      expect(await ask(token)).toMatchObject({
        status: 403,
        body: { error: { code: 'insufficient_permissions' } },
      });
      await suspend(false);
      expect((await ask(token)).status).toBe(200);
      await operator.admin.deleteAccount({ params: { id }, query: { confirm: true } });
      await expect401(token, 'invalid_api_key');
    });

    it('is revoked by its key, by a key with the scope admin, and by itself', async () => {
      const { client } = await service.createAccount();
      const agent = service.client(
        (await client.keys.create({ body: { name: 'agent', scopes: ['memories:read'] } })).key,
      );
      const [one, two, three, kept] = [
        await agent.auth.createToken(),
        await agent.auth.createToken(),
        await agent.auth.createToken(),
        await agent.auth.createToken(),
      ];
      for (const { token } of [one, two, three, kept]) expect((await ask(token)).status).toBe(200);
      await agent.auth.revokeToken({ params: { id: one.id } });
      await client.auth.revokeToken({ params: { id: two.id } });
      await service.client(three.token).auth.revokeToken({ params: { id: three.id } });
      for (const { token } of [one, two, three]) {
        const answer = await ask(token);
        const message = 'The session token was revoked.';
        expect(answer).toMatchObject({
          status: 401,
          body: { error: { code: 'expired_token', message } },
        });
      }
      expect((await ask(kept.token)).status).toBe(200);
      // A second time changes nothing.
      await agent.auth.revokeToken({ params: { id: one.id } });
      const { data } = await client.account.audit({ query: { action: 'token.revoked' } });
      expect(data.map(({ target_id }) => target_id)).toEqual([three.id, two.id, one.id]);
      expect(data[0]?.details).toEqual({ key_id: one.key_id });
    });

    it('is revoked by no other key: 404', async () => {
      const { client } = await service.createAccount();
      const issued = await client.auth.createToken();
      const body = { name: 'other', scopes: ['memories:read' as const] };
      const other = service.client((await client.keys.create({ body })).key);
      const space = await client.spaces.create({ body: { name: 'near' } });
      const limited = service.client(
        (await client.keys.create({ body: { name: 'limited', space_ids: [space.id] } })).key,
      );
      const strangers = [other, limited, (await service.createAccount()).client];
      for (const one of strangers) {
        const params = { id: issued.id };
        await expect(one.auth.revokeToken({ params })).rejects.toMatchObject({
          status: 404,
          code: 'not_found',
        });
        expect((await one.auth.listTokens()).data).toEqual([]);
      }
      expect((await ask(issued.token)).status).toBe(200);
    });

    it('is listed while it is valid, newest first, by its key and by the scope admin', async () => {
      const { client } = await service.createAccount();
      const body = { name: 'agent', scopes: ['memories:read' as const] };
      const agent = service.client((await client.keys.create({ body })).key);
      const own = await client.auth.createToken();
      const { token: _, token_type: __, ...listed } = await agent.auth.createToken();
      clock.advance(1_000);
      const revoked = await agent.auth.createToken();
      await agent.auth.revokeToken({ params: { id: revoked.id } });
      const short = await agent.auth.createToken({ body: { expires_in: 60 } });
      expect((await agent.auth.listTokens()).data.map(({ id }) => id)).toEqual([
        short.id,
        listed.id,
      ]);
      clock.advance(60_000);
      expect((await agent.auth.listTokens()).data).toEqual([listed]);
      const all = await client.auth.listTokens({ query: { limit: 1 } });
      expect(all.data).toHaveLength(1);
      expect(all.pagination).toEqual({
        total: 2,
        limit: 1,
        offset: 0,
        has_more: true,
        next_cursor: null,
      });
      const { data } = await client.auth.listTokens();
      expect(new Set(data.map(({ id }) => id))).toEqual(new Set([own.id, listed.id]));
    });

    it('ends an open stream of events when it is revoked', async () => {
      const { client } = await service.createAccount();
      const issued = await client.auth.createToken();
      const response = await fetch(`${service.url}/v1/events/stream`, {
        headers: { authorization: `Bearer ${issued.token}` },
      });
      expect(response.status).toBe(200);
      await client.auth.revokeToken({ params: { id: issued.id } });
      let hasEnded = false;
      const text = response.text().finally(() => {
        hasEnded = true;
      });
      // The stream may be reading: it checks its credentials before and after each wait.
      await eventually(
        async () => clock.advance(5_000),
        () => hasEnded,
      );
      expect(await text).toContain('retry: ');
    });

    it('is forgotten an hour after it expired', async () => {
      const { client } = await service.createAccount();
      const { id } = await client.auth.createToken({ body: { expires_in: 60 } });
      const { app } = service.running.context;
      const rows = () =>
        app.engine.db.selectFrom('session_tokens').select('id').where('id', '=', id).execute();
      clock.advance(60_000);
      await pruneCounters(app);
      expect(await rows()).toHaveLength(1);
      clock.advance(3_601_000);
      await pruneCounters(app);
      expect(await rows()).toEqual([]);
    });

    it('counts toward the limits of its key', async () => {
      const { client } = await service.createAccount('free');
      const { token } = await client.auth.createToken();
      advanceToNextMinute(clock);
      const spaces = () => client.request({ method: 'GET', path: '/spaces' });
      expect(readLimitHeaders(await spaces())).toMatchObject({ limit: 60, remaining: 59 });
      expect(readLimitHeaders(await ask(token))).toMatchObject({ limit: 60, remaining: 58 });
      expect(readLimitHeaders(await spaces())).toMatchObject({ remaining: 57 });
      await runConcurrently(57, 3, () => ask(token));
      expect((await ask(token)).status).toBe(429);
      expect((await spaces()).status).toBe(429);
    });
  });

  describe('a forged token', () => {
    const claims = async (): Promise<Claims> => {
      const { client } = await service.createAccount();
      return claimsOf((await client.auth.createToken()).token);
    };

    it('is good only as the service itself would have signed it', async () => {
      const { client } = await service.createAccount();
      const { token } = await client.auth.createToken();
      expect(forge(claimsOf(token))).toBe(token);
    });

    it.each(['HS384', 'HS512'] as const)('with the algorithm %s is refused', async (algorithm) => {
      await expect401(forge(await claims(), algorithm), 'invalid_api_key');
    });

    it('with another secret is refused, also when it is expired', async () => {
      const good = await claims();
      const other = 'another secret that signs nothing here';
      await expect401(forge(good, 'HS256', other), 'invalid_api_key');
      const past = { ...good, iat: good.iat - 7_200, exp: good.exp - 7_200 };
      await expect401(forge(past, 'HS256', other), 'invalid_api_key');
      await expect401(forge(past), 'expired_token');
    });

    it('with no signature is refused, whatever its header says', async () => {
      const payload = encode(await claims());
      for (const alg of ['none', 'None', 'HS256', '']) {
        const text = `${encode({ alg, typ: 'JWT' })}.${payload}`;
        for (const signature of ['', 'x', 'AAAA']) {
          await expect401(`${text}.${signature}`, 'invalid_api_key');
        }
      }
    });

    it('with the plain secret as the key is refused', async () => {
      const text = `${encode({ alg: 'HS256' })}.${encode(await claims())}`;
      const signature = createHmac('sha256', secret).update(text).digest('base64url');
      await expect401(`${text}.${signature}`, 'invalid_api_key');
    });

    it('with changed claims under a good signature is refused', async () => {
      const { client } = await service.createAccount();
      const { token } = await client.auth.createToken();
      const [head, , signature] = token.split('.');
      const longer = { ...claimsOf(token), exp: claimsOf(token).exp + 1 };
      await expect401(`${head}.${encode(longer)}.${signature}`, 'invalid_api_key');
    });

    it('with any letter of its signature changed is refused', async () => {
      const { client } = await service.createAccount();
      const { token } = await client.auth.createToken();
      const from = token.lastIndexOf('.') + 1;
      for (let at = from; at < token.length; at += 1) {
        const other = token[at] === 'A' ? 'B' : 'A';
        const changed = token.slice(0, at) + other + token.slice(at + 1);
        await expect401(changed, 'invalid_api_key');
      }
      // Two bits of the last letter say nothing: others would decode to the same bytes.
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const last = letters.indexOf(token.at(-1) ?? '');
      for (const more of [1, 2, 3]) {
        await expect401(token.slice(0, -1) + letters.charAt(last + more), 'invalid_api_key');
      }
      await expect401(`${token}A`, 'invalid_api_key');
      await expect401(token.slice(0, -1), 'invalid_api_key');
    });

    it('without a claim, or for what there is not, is refused', async () => {
      const good = await claims();
      const other = await claims();
      const { exp: _exp, ...endless } = good;
      const { sub: _sub, ...nobodys } = good;
      const { jti: _jti, ...nameless } = good;
      const { key: _key, ...keyless } = good;
      const { mark: _mark, ...markless } = good;
      const nothing = '019b8d1c-0000-7000-8000-00000000dead';
      const wrong = [
        endless,
        nobodys,
        nameless,
        { ...good, jti: other.jti },
        { ...good, jti: nothing },
        { ...good, jti: 'nonsense' },
        keyless,
        markless,
        { ...good, iss: 'another' },
        { ...good, key: other.key },
        { ...good, sub: other.sub },
        { ...good, key: nothing },
        { ...good, key: 'nonsense' },
        { ...good, sub: 'nonsense' },
        { ...good, key: 7 },
        { ...good, mark: other.mark },
        { ...good, exp: 'never' },
        { ...good, nbf: good.iat + 3_000 },
      ];
      for (const one of wrong) await expect401(forge(one), 'invalid_api_key');
    });
  });
});

describe.each(engines)('the secret that signs tokens on %s', (engine) => {
  it('outlives a restart; another MNEME_TOKEN_SECRET ends every token', async () => {
    const place = await createDataLocation(engine);
    const start = (env: Record<string, string> = {}) => {
      const database = place.databaseUrl === null ? {} : { MNEME_DATABASE_URL: place.databaseUrl };
      const own = { MNEME_PORT: '0', MNEME_SHUTDOWN_SECONDS: '1', MNEME_DATA_DIR: place.dataDir };
      const { config } = readConfig({ ...own, ...database, ...env });
      return serve(config, '0.0.0-test', { log: createLog('silent') });
    };
    const statusOf = async (url: string, apiKey: string) => {
      const client = createClient({ url, apiKey, retries: 0 });
      return (await client.request({ method: 'GET', path: '/account' })).status;
    };
    const first = await start();
    const apiKey = first.context.firstKey?.key ?? '';
    const { token } = await createClient({ url: first.url, apiKey }).auth.createToken();
    expect(await statusOf(first.url, token)).toBe(200);
    await first.stop();
    const second = await start();
    expect(await statusOf(second.url, token)).toBe(200);
    await second.stop();
    const third = await start({ MNEME_TOKEN_SECRET: secret });
    expect(await statusOf(third.url, token)).toBe(401);
    expect(await statusOf(third.url, apiKey)).toBe(200);
    await third.stop();
    await place.remove();
  });
});
