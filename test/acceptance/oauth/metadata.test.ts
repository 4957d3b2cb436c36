import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { postMessage, postToolCall } from '../mcp/mcp-clients.ts';
import { type OAuthService, obtainTokens, startOAuthService } from './oauth-service.ts';

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const scopes = [
  'memories:read',
  'memories:write',
  'search:read',
  'knowledge:read',
  'relationships:read',
];
const resourcePath = '/.well-known/oauth-protected-resource';
const serverPath = '/.well-known/oauth-authorization-server';

const getJson = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

describe.each(oneEngine)('OAuth metadata on %s', (engine) => {
  let service: OAuthService;
  beforeAll(async () => {
    service = await startOAuthService(engine);
  });
  afterAll(() => service.stop());

  it.each([
    ['', '/mcp'],
    ['/mcp', '/mcp'],
    ['/mcp/work', '/mcp/work'],
    ['/mcp/a%20b%22%3E', '/mcp/a%20b%22%3E'],
  ])('of the resource is at %s for %s', async (path, resource) => {
    const { status, headers, body } = await getJson(`${service.url}${resourcePath}${path}`);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(body).toEqual({
      resource: `${service.url}${resource}`,
      authorization_servers: [service.url],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Mneme',
    });
  });

  it('of the authorization server lists what it supports', async () => {
    const { status, headers, body } = await getJson(`${service.url}${serverPath}`);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(body).toEqual({
      issuer: service.url,
      authorization_endpoint: `${service.url}/oauth/authorize`,
      token_endpoint: `${service.url}/oauth/token`,
      revocation_endpoint: `${service.url}/oauth/revoke`,
      registration_endpoint: `${service.url}/oauth/register`,
      scopes_supported: scopes,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('is found from a 401 of the MCP server', async () => {
    const challenge = async (path: string, key?: string) => {
      const response = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(list),
      });
      return [response.status, response.headers.get('www-authenticate')];
    };
    const scope = `scope="${scopes.join(' ')}"`;
    const at = `resource_metadata="${service.url}${resourcePath}`;
    expect(await challenge('/mcp')).toEqual([401, `Bearer ${scope}, ${at}/mcp"`]);
    expect(await challenge('/mcp/work')).toEqual([401, `Bearer ${scope}, ${at}/mcp/work"`]);
    const error = 'error="invalid_token"';
    expect(await challenge('/mcp', 'mno_x')).toEqual([
      401,
      `Bearer ${error}, ${scope}, ${at}/mcp"`,
    ]);
    expect(await challenge('/mcp/a%22b', 'mnk_x')).toEqual([
      401,
      `Bearer ${error}, ${scope}, ${at}/mcp/a%22b"`,
    ]);
    const rest = await fetch(`${service.url}/v1/memories`);
    expect(rest.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('and the missing scope are in the 403 of a tool that was not allowed', async () => {
    const { key } = await service.createAccount();
    const choice = { scope: ['search:read', 'memories:read'] };
    const { access_token } = await obtainTokens(service, key, { choice });
    const connection = { url: `${service.url}/mcp`, key: access_token };
    const params = { name: 'remember', arguments: { content: 'Not allowed.' } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const { status, headers, body } = await postMessage(connection, call);
    expect([status, body]).toMatchObject([403, { error: { code: 'insufficient_permissions' } }]);
    expect(headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="memories:read search:read memories:write", ' +
        `resource_metadata="${service.url}${resourcePath}/mcp"`,
    );
    expect((await postToolCall(connection, 'recall', { query: 'anything' })).isError).toBe(false);
  });

  it('can be read by pages of any origin, which can exchange and register, too', async () => {
    const origin = 'https://page.example.com';
    for (const [path, method] of [
      [resourcePath, 'GET'],
      [serverPath, 'GET'],
      ['/oauth/token', 'POST'],
      ['/oauth/revoke', 'POST'],
      ['/oauth/register', 'POST'],
    ] as const) {
      const preflight = await fetch(`${service.url}${path}`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': method },
      });
      expect([path, preflight.status]).toEqual([path, 204]);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-methods')).toBe(method);
      expect(preflight.headers.get('access-control-allow-headers')).toMatch(/MCP-Protocol-Version/);
      const response = await fetch(`${service.url}${path}`, { method, headers: { origin } });
      expect(response.status).not.toBe(403);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
    const pages = await fetch(`${service.url}/oauth/authorize`, { headers: { origin } });
    expect(pages.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe.each(oneEngine)('Without a suitable MNEME_PUBLIC_URL on %s', (engine) => {
  const services: Service[] = [];
  afterAll(() => Promise.all(services.map((service) => service.stop())));

  it.each([[undefined], ['http://mneme.example.org'], ['https://mneme.example.org/path']])(
    'there is no OAuth: %s',
    async (publicUrl) => {
      const env = publicUrl === undefined ? {} : { MNEME_PUBLIC_URL: publicUrl };
      const service = await startService(engine, { env });
      services.push(service);
      for (const path of [resourcePath, `${resourcePath}/mcp`, serverPath]) {
        const { status, body } = await getJson(`${service.url}${path}`);
        expect([path, status]).toEqual([path, 404]);
        expect(body).toMatchObject({
          error: { code: 'not_found', message: expect.stringMatching(/MNEME_PUBLIC_URL/) },
        });
      }
      const page = await fetch(`${service.url}/oauth/authorize`);
      expect([page.status, await page.text()]).toEqual([
        404,
        expect.stringMatching(/OAuth is off/),
      ]);
      for (const path of ['/oauth/token', '/oauth/register', '/oauth/sign-in']) {
        expect((await fetch(`${service.url}${path}`, { method: 'POST' })).status).toBe(404);
      }
      const { status, headers } = await postMessage({ url: `${service.url}/mcp`, key: 'x' }, list);
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    },
  );
});
