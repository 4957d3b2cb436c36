import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { postMessage } from '../mcp/mcp-clients.ts';
import {
  createPkce,
  exchangeCode,
  type Fields,
  type OAuthService,
  obtainCode,
  obtainTokens,
  postForm,
  refreshTokens,
  startOAuthService,
} from './oauth-service.ts';

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe.each(engines)('OAuth tokens on %s', (engine) => {
  let service: OAuthService;
  let key = '';
  beforeAll(async () => {
    service = await startOAuthService(engine);
    ({ key } = await service.createAccount());
  });
  afterAll(() => service.stop());

  const statusAt = async (token: string, path = '/mcp'): Promise<number> =>
    (await postMessage({ url: `${service.url}${path}`, key: token }, list)).status;

  it('are exchanged for a code with its verifier, and work at /mcp', async () => {
    const { exchange, location } = await obtainCode(service, key);
    expect(location.searchParams.get('state')).toBe('state of the client');
    expect(location.searchParams.get('iss')).toBe(service.url);
    const { status, headers, body } = await exchangeCode(service, exchange);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^mno_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^mnr_[\w-]{43}$/),
      scope: 'memories:read memories:write search:read knowledge:read relationships:read',
    });
    expect(await statusAt(body.access_token)).toBe(200);
    expect(await statusAt(body.refresh_token)).toBe(401);
  });

  it('are refused with a wrong verifier, redirect URI, client or resource', async () => {
    const { exchange } = await obtainCode(service, key);
    const refused = async (changes: Fields) => {
      const { status, body } = await exchangeCode(service, { ...exchange, ...changes });
      return [status, body.error];
    };
    const grant = [400, 'invalid_grant'];
    expect(await refused({ code_verifier: createPkce().verifier })).toEqual(grant);
    expect(await refused({ redirect_uri: `${exchange.redirect_uri}/` })).toEqual(grant);
    expect(await refused({ redirect_uri: undefined })).toEqual(grant);
    expect(await refused({ client_id: 'https://other.example.com/client.json' })).toEqual(grant);
    expect(await refused({ code: 'x'.repeat(43) })).toEqual(grant);
    const target = [400, 'invalid_target'];
    expect(await refused({ resource: `${service.url}/mcp/work` })).toEqual(target);
    expect(await refused({ resource: 'https://other.example.com/mcp' })).toEqual(target);
    const request = [400, 'invalid_request'];
    expect(await refused({ code_verifier: undefined })).toEqual(request);
    expect(await refused({ client_id: undefined })).toEqual(request);
    expect(await refused({ client_id: Array(2).fill(exchange.client_id) })).toEqual(request);
    expect(await refused({ grant_type: 'password' })).toEqual([400, 'unsupported_grant_type']);
    expect((await exchangeCode(service, exchange)).status).toBe(200);
  });

  it('end when their code is used again', async () => {
    const { exchange } = await obtainCode(service, key);
    const { body } = await exchangeCode(service, exchange);
    expect(await statusAt(body.access_token)).toBe(200);
    const again = await exchangeCode(service, exchange);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    expect(await statusAt(body.access_token)).toBe(401);
    expect((await refreshTokens(service, body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('are issued once when a code is used several times at once', async () => {
    const { exchange } = await obtainCode(service, key);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => exchangeCode(service, exchange)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400]);
  });

  it('are refreshed by a token that is used once: its reuse ends all of them', async () => {
    const first = await obtainTokens(service, key);
    const second = await refreshTokens(service, first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect(await statusAt(second.body.access_token)).toBe(200);
    const reused = await refreshTokens(service, first.refresh_token);
    expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant']);
    expect(await statusAt(second.body.access_token)).toBe(401);
    const last = await refreshTokens(service, second.body.refresh_token);
    expect(last.body.error).toBe('invalid_grant');
  });

  it('are refreshed once when a token is used several times at once', async () => {
    const { refresh_token } = await obtainTokens(service, key);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => refreshTokens(service, refresh_token)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400]);
  });

  it('are refreshed for their own client, with the same scopes or fewer', async () => {
    const { refresh_token } = await obtainTokens(service, key, {
      choice: { scope: ['search:read', 'memories:read'] },
    });
    const refused = async (changes: Fields) =>
      (await refreshTokens(service, refresh_token, changes)).body.error;
    expect(await refused({ client_id: 'https://other.example.com/client.json' })).toBe(
      'invalid_grant',
    );
    expect(await refused({ scope: 'search:read memories:write' })).toBe('invalid_scope');
    expect(await refused({ resource: `${service.url}/mcp/work` })).toBe('invalid_target');
    const fewer = await refreshTokens(service, refresh_token, { scope: 'search:read' });
    expect(fewer.body.scope).toBe('search:read');
    const all = await refreshTokens(service, fewer.body.refresh_token);
    expect(all.body.scope).toBe('memories:read search:read');
  });

  it('can be revoked by their client', async () => {
    const revoke = (fields: Record<string, string>) =>
      postForm(`${service.url}/oauth/revoke`, fields);
    const tokens = await obtainTokens(service, key);
    const client_id = 'https://client.example.com/oauth/client.json';
    const other = { client_id: 'https://other.example.com/client.json' };
    const foreign = await revoke({ token: tokens.access_token, ...other });
    expect([foreign.status, foreign.body.error]).toEqual([400, 'invalid_client']);
    expect((await revoke({ token: tokens.access_token })).status).toBe(401);
    expect(await statusAt(tokens.access_token)).toBe(200);
    expect((await revoke({ token: tokens.access_token, client_id })).status).toBe(200);
    expect(await statusAt(tokens.access_token)).toBe(401);
    const { body } = await refreshTokens(service, tokens.refresh_token);
    expect(await statusAt(body.access_token)).toBe(200);
    expect((await revoke({ token: body.refresh_token, client_id })).status).toBe(200);
    expect(await statusAt(body.access_token)).toBe(401);
    expect((await refreshTokens(service, body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await revoke({ token: 'unknown', client_id })).status).toBe(200);
  });

  it('are for their own URL alone, and not for the API', async () => {
    const client = service.client(key);
    const work = await client.spaces.create({ body: { name: `work of ${engine}` } });
    const path = `/mcp/${encodeURIComponent(work.name)}`;
    const all = await obtainTokens(service, key);
    const ofWork = await obtainTokens(service, key, {
      request: { resource: `${service.url}${path}` },
    });
    expect(await statusAt(all.access_token, path)).toBe(401);
    expect(await statusAt(ofWork.access_token, path)).toBe(200);
    expect(await statusAt(ofWork.access_token)).toBe(401);
    expect(await statusAt(ofWork.access_token, '/mcp/default')).toBe(401);
    expect(await statusAt(ofWork.access_token, `/mcp/${work.id}`)).toBe(401);
    for (const path of ['/memories', '/oauth/grants', '/account']) {
      const headers = { authorization: `Bearer ${all.access_token}` };
      const { status } = await fetch(`${service.url}/v1${path}`, { headers });
      expect([path, status]).toEqual([path, 401]);
    }
    const hook = await fetch(`${service.url}/hooks/claude-code`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${all.access_token}`,
        'content-type': 'application/json',
      },
      body: '{}',
    });
    expect(hook.status).toBe(401);
  });
});
