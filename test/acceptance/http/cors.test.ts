import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataLocation, launchServer } from '../../support/server-process.ts';
import { type Service, startService } from '../../support/service.ts';

const own = 'https://app.example.com';
const other = 'http://localhost:5173';
const strangers = [
  'https://evil.example.com',
  'https://app.example.com.evil.example',
  'https://evil-app.example.com',
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://APP.example.com',
  `${own}/`,
  `${own}, ${other}`,
  'null',
  '*',
  '',
];

const accessHeaders = ({ headers }: Response): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

/** What a page of `origin` asks; a key of no use asks for 401. */
const calls: Record<string, [number, (url: string, origin: string, key: string) => Request]> = {
  'an answer': [200, (url, origin, key) => from(origin, `${url}/v1/memories`, key)],
  'one without a key': [200, (url, origin) => from(origin, `${url}/v1/health`)],
  'no JSON': [400, (url, origin, key) => from(origin, `${url}/v1/memories`, key, '{')],
  'no URL': [400, (url, origin, key) => from(origin, `${url}/v1/memories/%zz`, key)],
  'a refusal': [401, (url, origin) => from(origin, `${url}/v1/memories`, 'mnk_none')],
  'nothing there': [404, (url, origin, key) => from(origin, `${url}/v1/nothing`, key)],
  'too long a URL': [414, (url, origin) => from(origin, `${url}/v1/x?${'y'.repeat(17_000)}`)],
  'faulty fields': [422, (url, origin, key) => from(origin, `${url}/v1/memories`, key, '{}')],
};

function from(origin: string, url: string, key?: string, body?: string): Request {
  const headers = new Headers({ origin, 'content-type': 'application/json' });
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
  return new Request(url, { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
}

const preflight = (service: Service, origin: string, path = '/v1/memories', asked = 'POST') =>
  fetch(`${service.url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': asked,
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });

describe('web pages, with no origins set,', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('embedded');
  });
  afterAll(() => service.stop());

  it.each(Object.keys(calls))('are let read nothing: %s', async (name) => {
    const [status, make] = calls[name] ?? [0, (url) => new Request(url)];
    for (const origin of [own, service.url, 'null']) {
      const response = await fetch(make(service.url, origin, service.adminKey));
      expect(response.status).toBe(status);
      expect(accessHeaders(response)).toEqual([]);
      expect(response.headers.has('vary')).toBe(false);
      expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });

  it('are granted no preflight: OPTIONS tells the methods, as to anybody', async () => {
    for (const path of ['/v1/memories', '/v1/health', '/health']) {
      const response = await preflight(service, own, path);
      expect(response.status).toBe(204);
      expect(response.headers.get('allow')).toContain('GET');
      expect(accessHeaders(response)).toEqual([]);
    }
    expect((await preflight(service, own, '/v1/nothing')).status).toBe(404);
  });
});

describe('web pages, with MNEME_CORS_ORIGINS set,', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('embedded', { env: { MNEME_CORS_ORIGINS: `${own}, ${other}` } });
  });
  afterAll(() => service.stop());

  /** A free account's key whose minute is used up, at least for its bulk route. */
  async function limited(origin: string): Promise<Response> {
    const { key } = await service.createAccount('free');
    for (let i = 0; ; i += 1) {
      const response = await fetch(from(origin, `${service.url}/v1/memories/bulk`, key, '{}'));
      if (response.status === 429 || i === 25) return response;
    }
  }

  function expectReadable({ headers }: Response, origin: string): void {
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('vary')).toBe('Origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    // Keys are sent by the page itself, never by the browser.
    expect(headers.has('access-control-allow-credentials')).toBe(false);
    const exposed = (headers.get('access-control-expose-headers') ?? '').split(', ');
    const ours = ['Content-Disposition', 'ETag', 'Retry-After', 'X-Request-Id'];
    for (const name of [...ours, 'X-RateLimit-Remaining']) expect(exposed).toContain(name);
  }

  it.each(Object.keys(calls))('of these origins may read each answer: %s', async (name) => {
    const [status, make] = calls[name] ?? [0, (url) => new Request(url)];
    for (const origin of [own, other]) {
      const response = await fetch(make(service.url, origin, service.adminKey));
      expect(response.status).toBe(status);
      expectReadable(response, origin);
    }
  });

  it('of these origins may read that they asked too often', async () => {
    const response = await limited(own);
    expect(response.status).toBe(429);
    expectReadable(response, own);
  });

  it.each(strangers)('of any other origin may read nothing: %j', async (origin) => {
    for (const [status, make] of Object.values(calls)) {
      const response = await fetch(make(service.url, origin, service.adminKey));
      expect(response.status).toBe(status);
      expect(accessHeaders(response)).toEqual([]);
      // A cache between must not give this answer to a page that may read it, or the other way.
      expect(response.headers.get('vary')).toBe('Origin');
      expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });

  it('of these origins are granted every preflight, on any path and with no key', async () => {
    for (const path of ['/v1/memories', '/v1/search', '/v1/nothing', '/health']) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await preflight(service, own, path, method);
        expect(response.status).toBe(204);
        expect(await response.text()).toBe('');
        expectReadable(response, own);
        const { headers } = response;
        expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
        const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
        for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-match']) {
          expect(allowed).toContain(name);
        }
        expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
      }
    }
  });

  it.each(strangers)('of any other origin are granted no preflight: %j', async (origin) => {
    const response = await preflight(service, origin);
    expect(response.status).toBe(204);
    expect(accessHeaders(response)).toEqual([]);
    expect(response.headers.get('vary')).toBe('Origin');
  });

  it('get no grant from an OPTIONS that asks for no method', async () => {
    const headers = { origin: own };
    const response = await fetch(`${service.url}/v1/memories`, { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toContain('POST');
    expectReadable(response, own);
    expect(response.headers.has('access-control-allow-methods')).toBe(false);
  });

  it('read nothing more for an origin header on a request that has none', async () => {
    const response = await fetch(`${service.url}/v1/health`);
    expect(accessHeaders(response)).toEqual([]);
    expect(response.headers.get('vary')).toBe('Origin');
  });
});

describe('MNEME_CORS_ORIGINS', () => {
  it('with what is no origin refuses the start, with one plain line that says which', async () => {
    const place = await createDataLocation('embedded');
    const env = { MNEME_CORS_ORIGINS: `${own},https://app.example.org/` };
    await using server = launchServer(place, { env });
    expect((await server.ended).code).toBe(1);
    expect(server.output()).toMatch(/^mneme: .*not valid/m);
    expect(server.output()).toMatch(
      /^ {2}- MNEME_CORS_ORIGINS .*https:\/\/app\.example\.org\/ is/m,
    );
    expect(server.output()).not.toMatch(/^\s+at /m);
    await place.remove();
  });
});
