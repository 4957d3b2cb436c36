import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../packages/server/src/kernel/clock.ts';
import {
  createOutboundFetch,
  type OutboundFetch,
  type OutboundFetchSettings,
} from '../../../packages/server/src/providers/fetch/index.ts';
import { type Certificate, makeCertificate } from '../../support/certificate.ts';
import { isAvailable } from '../../support/requirements.ts';
import { oneEngine } from '../../support/service.ts';
import {
  createPkce,
  exchangeCode,
  type OAuthService,
  obtainCode,
  redirectUri,
  requestFields,
  startOAuthService,
  TestBrowser,
} from './oauth-service.ts';

/** A web server of clients on this machine, with https. */
async function startClientServer(certificate: Certificate) {
  const calls: string[] = [];
  const answers = new Map<
    string,
    { status?: number; headers?: Record<string, string>; body: string }
  >();
  const server = createServer(certificate, (request, response) => {
    calls.push(request.url ?? '');
    const answer = answers.get(request.url ?? '');
    const headers = { 'content-type': 'application/json', ...answer?.headers };
    response.writeHead(answer?.status ?? (answer ? 200 : 404), headers).end(answer?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const add = (
    path: string,
    metadata: object = {},
    answer: { status?: number; headers?: Record<string, string> } = {},
  ): string => {
    const document = { client_id: `${url}${path}`, redirect_uris: [redirectUri], ...metadata };
    answers.set(path, { ...answer, body: JSON.stringify(document) });
    return `${url}${path}`;
  };
  return {
    url,
    calls,
    answers,
    add,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.runIf(isAvailable('openssl')).each(oneEngine)(
  'Clients with a metadata document on %s',
  (engine) => {
    let certificate: Certificate;
    let clients: Awaited<ReturnType<typeof startClientServer>>;
    let service: OAuthService;
    let key = '';
    /** The egress guard of the service; tests replace its rules. */
    let guard: OutboundFetch;
    const useGuard = (settings: Partial<OutboundFetchSettings>): void => {
      const rules = { allowHttp: false, allowPrivate: true, ca: certificate.cert };
      guard = createOutboundFetch({ clock: systemClock, ...rules, ...settings });
    };
    beforeAll(async () => {
      certificate = await makeCertificate();
      clients = await startClientServer(certificate);
      useGuard({});
      const fetchOutside: OutboundFetch = (url, request) => guard(url, request);
      service = await startOAuthService(engine, { overrides: { fetchOutside } });
      ({ key } = await service.createAccount());
    });
    afterAll(async () => {
      await service.stop();
      await clients[Symbol.asyncDispose]();
      await certificate[Symbol.asyncDispose]();
    });

    const open = async (client_id: string): Promise<[number, string]> => {
      const fields = requestFields(service.url, createPkce(), { client_id });
      const { status, html, location } = await new TestBrowser(service.url).authorize(fields);
      if (location !== null) throw new Error(`sent to ${location}`);
      return [status, /<p role="alert">(.*)<\/p>/.exec(html)?.[1] ?? ''];
    };

    it('are identified by its URL, and the document is fetched once', async () => {
      const client_id = clients.add('/good.json', { client_name: 'Good client' });
      const { exchange } = await obtainCode(service, key, { request: { client_id } });
      expect((await exchangeCode(service, exchange)).status).toBe(200);
      expect(clients.calls.filter((path) => path === '/good.json')).toHaveLength(1);
      const { data } = await service.client(key).grants.list();
      expect(data[0]).toMatchObject({ client_id, client_name: 'Good client' });
    });

    it('may prefer another authentication if they can do without, as ChatGPT can', async () => {
      const client_id = clients.add('/jwt.json', {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
        jwks_uri: `${clients.url}/jwks.json`,
        grant_types: ['authorization_code', 'refresh_token'],
      });
      const { exchange } = await obtainCode(service, key, { request: { client_id } });
      expect((await exchangeCode(service, exchange)).status).toBe(200);
    });

    it('are refused if the document is not theirs or not usable', async () => {
      const { add, url } = clients;
      const unusable = async (path: string, metadata: object, answer = {}) =>
        (await open(add(path, metadata, answer)))[1].replace(/^.*not usable\. /, '');
      expect(await unusable('/1.json', { client_id: `${url}/good.json` })).toBe(
        'Its client_id must be its URL.',
      );
      expect(await unusable('/2.json', { redirect_uris: ['http://example.com/'] })).toBe(
        'A redirect URI must have https, or http to a loopback address.',
      );
      expect(await unusable('/3.json', { redirect_uris: [] })).toMatch(/must have client_id/);
      expect(await unusable('/4.json', { token_endpoint_auth_method: 'private_key_jwt' })).toBe(
        'The client must be able to use the token_endpoint_auth_method none.',
      );
      expect(await unusable('/5.json', { padding: 'x'.repeat(40_000) })).toBe(
        'It must have at most 32768 bytes.',
      );
      expect(await unusable('/6.json', {}, { headers: { 'content-type': 'text/html' } })).toBe(
        'It must have the type application/json.',
      );
      const location = { location: `${url}/good.json` };
      const redirect = { status: 302, headers: location };
      expect(await unusable('/7.json', {}, redirect)).toMatch(/without a redirect/);
      expect(await unusable('/8.json', {}, { status: 500 })).toMatch(/status 200/);
      clients.answers.set('/9.json', { body: '{' });
      expect((await open(`${url}/9.json`))[1]).toMatch(/must have client_id/);
    });

    it('are refused for any URL but plain https with a path', async () => {
      const before = clients.calls.length;
      const { host } = new URL(clients.url);
      for (const client_id of [
        `http://${host}/good.json`,
        `https://${host}`,
        `https://${host}/`,
        `https://${host}/a/../good.json`,
        `https://${host}/./good.json`,
        `https://user:password@${host}/good.json`,
        `https://${host}/good.json#fragment`,
        `HTTPS://${host}/good.json`,
        `https://${host}\\good.json`,
        `https://${host}/${'x'.repeat(1_000)}`,
        `https:${host}/good.json`,
      ]) {
        expect([client_id, await open(client_id)]).toEqual([
          client_id,
          [400, 'client_id must be an https URL in plain notation, with a path.'],
        ]);
      }
      expect(clients.calls).toHaveLength(before);
    });

    it('cannot make the service call private addresses', async () => {
      const { port } = new URL(clients.url);
      const before = clients.calls.length;
      const addresses: Record<string, string> = {
        'private.example.com': '127.0.0.1',
        'network.example.com': '10.0.0.1',
        'metadata.example.com': '169.254.169.254',
      };
      useGuard({ allowPrivate: false, resolve: async (host) => [addresses[host] ?? '127.0.0.1'] });
      try {
        for (const host of [
          '127.0.0.1',
          '[::1]',
          'localhost',
          '10.0.0.1',
          ...Object.keys(addresses),
        ]) {
          const client_id = `https://${host}:${port}/client.json`;
          expect([host, await open(client_id)]).toEqual([
            host,
            [400, expect.stringMatching(/could not be fetched\.$/)],
          ]);
        }
      } finally {
        useGuard({});
      }
      expect(clients.calls).toHaveLength(before);
    });
  },
);

describe.each(oneEngine)('Clients that register themselves on %s', (engine) => {
  let service: OAuthService;
  let key = '';
  beforeAll(async () => {
    service = await startOAuthService(engine);
    ({ key } = await service.createAccount());
  });
  afterAll(() => service.stop());

  const register = async (metadata: unknown, at = service.url) => {
    const response = await fetch(`${at}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };

  it('are public clients, whatever they ask for, and get tokens', async () => {
    const { status, body } = await register({
      client_name: 'Registered',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'client_credentials'],
      scope: 'admin',
    });
    expect([status, body]).toEqual([
      201,
      {
        client_id: expect.stringMatching(/^client_[0-9a-f-]{36}$/),
        client_id_issued_at: expect.any(Number),
        client_name: 'Registered',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    ]);
    const { exchange } = await obtainCode(service, key, { request: { client_id: body.client_id } });
    expect((await exchangeCode(service, exchange)).status).toBe(200);
  });

  it('need redirect URIs with https or to a loopback address', async () => {
    for (const uri of [
      'http://example.com/callback',
      'custom:/callback',
      'javascript:alert(1)',
      'https://example.com/callback#fragment',
      'https://user@example.com/callback',
      '/callback',
      'http://127.0.0.1.example.com/callback',
      'http://0.0.0.0/callback',
    ]) {
      const { status, body } = await register({ redirect_uris: [uri] });
      expect([uri, status, body.error]).toEqual([uri, 400, 'invalid_redirect_uri']);
    }
  });

  it('are checked, and limited in number per network', async () => {
    const other = await startOAuthService(engine);
    try {
      const refused = async (metadata: unknown) => (await register(metadata, other.url)).body.error;
      expect(await refused({ redirect_uris: [] })).toBe('invalid_client_metadata');
      expect(await refused({ redirect_uris: redirectUri })).toBe('invalid_client_metadata');
      expect(await refused([])).toBe('invalid_client_metadata');
      const grant_types = ['implicit'];
      expect(await refused({ redirect_uris: [redirectUri], grant_types })).toBe(
        'invalid_client_metadata',
      );
      const statuses: number[] = [];
      for (let i = 0; i < 22; i += 1) {
        statuses.push((await register({ redirect_uris: [redirectUri] }, other.url)).status);
      }
      expect(statuses[0]).toBe(201);
      expect(statuses).toContain(429);
    } finally {
      await other.stop();
    }
  });

  it('cannot register where it is off, and nothing offers it', async () => {
    const env = { MNEME_OAUTH_REGISTRATION: 'off' };
    const closed = await startOAuthService(engine, { env });
    try {
      const { status } = await register({ redirect_uris: [redirectUri] }, closed.url);
      expect(status).toBe(403);
      const metadata = await fetch(`${closed.url}/.well-known/oauth-authorization-server`);
      expect(await metadata.json()).not.toHaveProperty('registration_endpoint');
    } finally {
      await closed.stop();
    }
  });
});
