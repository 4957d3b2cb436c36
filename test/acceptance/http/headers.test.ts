import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRawConnection } from '../../support/raw-http.ts';
import { type Service, startService } from '../../support/service.ts';
import { GatedEmbedder } from '../memories/controlled-dependencies.ts';

const safe = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const absent = '019b8d1c-0000-7000-8000-00000000dead';

describe('the headers of an answer', () => {
  let service: Service;
  let embedder: GatedEmbedder;
  let memory: string;
  let free: string;
  beforeAll(async () => {
    embedder = await GatedEmbedder.open();
    service = await startService('embedded', {
      overrides: { embedder },
      env: { MNEME_REQUEST_TIMEOUT_SECONDS: '1' },
    });
    ({ id: memory } = await service.client().memories.create({ body: { content: 'A red kite.' } }));
    ({ key: free } = await service.createAccount('free'));
  });
  afterAll(() => service.stop());

  const ask = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.adminKey}`, ...headers },
      ...(body === '' ? {} : { body }),
      redirect: 'manual',
    });
  const store = (body: string, headers: Record<string, string> = {}) =>
    ask('POST', '/v1/memories', { 'content-type': 'application/json', ...headers }, body);
  const byHand = async (text: string) => {
    using wire = await openRawConnection(service.url);
    wire.send(text);
    return await wire.readResponse();
  };
  const content = (text: string): string => JSON.stringify({ content: text });
  const head = 'HTTP/1.1\r\nHost: localhost\r\n';

  const answers: Record<string, [number, () => Promise<{ status: number; headers: Headers }>]> = {
    'what was asked for': [200, () => ask('GET', `/v1/memories/${memory}`)],
    'the health, with no key': [200, () => ask('GET', '/health', { authorization: '' })],
    'the OpenAPI document': [200, () => ask('GET', '/v1/openapi.json')],
    'the head alone': [200, () => ask('HEAD', '/v1/memories')],
    'something made': [201, () => store(content('one'))],
    'something removed': [204, async () => ask('DELETE', `/v1/memories/${await made('two')}`)],
    'the methods of a path': [204, () => ask('OPTIONS', '/v1/memories')],
    'the same as before': [304, () => ask('GET', `/v1/memories/${memory}`, unchanged)],
    'no JSON': [400, () => store('{')],
    'no URL': [400, () => ask('GET', '/v1/memories/%zz')],
    'no HTTP': [400, () => byHand('nonsense\r\n\r\n')],
    'no host': [400, () => byHand('GET /health HTTP/1.1\r\n\r\n')],
    'no key': [401, () => ask('GET', '/v1/memories', { authorization: '' })],
    'not allowed': [403, () => ask('GET', '/v1/admin/accounts', asFree())],
    'not there': [404, () => ask('GET', `/v1/memories/${absent}`)],
    'no such path': [404, () => ask('GET', '/v1/nothing')],
    'no such path at all': [404, () => ask('GET', '/nothing')],
    'no such method': [405, () => ask('PUT', '/v1/memories')],
    'too slow': [408, () => byHand(`GET /v1/health ${head}X: `)],
    'there already': [409, () => store(content('A red kite.'))],
    'too large': [413, () => byHand(`POST /v1/memories ${head}${authorized()}${tooLong}\r\n`)],
    'too long a URL': [414, () => ask('GET', `/v1/memories?cursor=${'x'.repeat(17_000)}`)],
    'no such type': [415, () => store('a=b', { 'content-type': 'text/plain' })],
    'faulty fields': [422, () => store('{}')],
    'too often': [429, tooOften],
    'too many headers': [431, () => byHand(`GET /health ${head}X: ${'x'.repeat(40_000)}\r\n\r\n`)],
    'failed within': [500, () => embedder.whileDown(() => store(content('three')))],
  };
  const unchanged = { 'if-none-match': '"1"' };
  const tooLong = 'Content-Type: application/json\r\nContent-Length: 999999999\r\n';
  const asFree = () => ({ authorization: `Bearer ${free}` });
  const authorized = () => `Authorization: Bearer ${service.adminKey}\r\n`;
  const made = async (text: string): Promise<string> =>
    ((await (await store(content(text))).json()) as { id: string }).id;
  /** The bulk route's limit of ten a minute; one more than twice that, should a minute turn. */
  async function tooOften(): Promise<Response> {
    const json = { ...asFree(), 'content-type': 'application/json' };
    for (let i = 0; i < 20; i += 1) {
      const answer = await ask('POST', '/v1/memories/bulk', json, '{}');
      if (answer.status === 429) return answer;
    }
    return ask('POST', '/v1/memories/bulk', json, '{}');
  }

  /** What has an ETag is for its caller's own cache, and nothing else is for any. */
  const kept = ['what was asked for', 'the same as before'];

  it.each(Object.keys(answers))('keep browsers and caches from mischief: %s', async (name) => {
    const [status, asked] = answers[name] ?? [0, () => Promise.reject(new Error(name))];
    const answer = await asked();
    const { headers } = answer;
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(headers)).toMatchObject({
      ...safe,
      'cache-control': kept.includes(name) ? 'private, no-cache' : 'no-store',
      'x-request-id': expect.stringMatching(/^[\w.-]{1,128}$/),
    });
    expect(headers.get('etag')).toBe(
      /^(?:what was|the same|something made)/.test(name) ? '"1"' : null,
    );
    for (const talkative of ['server', 'x-powered-by', 'vary', 'set-cookie']) {
      expect(headers.has(talkative)).toBe(false);
    }
  });
});

describe('the reference page', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('embedded');
  });
  afterAll(() => service.stop());

  const sha256 = (script: string): string =>
    `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  const policyOf = ({ headers }: Response): Map<string, string> => {
    const parts = (headers.get('content-security-policy') ?? '').split(';');
    return new Map(parts.map((part) => part.trim().split(/ (.*)/s, 2) as [string, string]));
  };

  it('may run its own script and styles, and load nothing from elsewhere', async () => {
    for (const path of ['/docs', '/docs/', '/docs/js/scalar.js']) {
      const response = await fetch(`${service.url}${path}`, { redirect: 'manual' });
      const text = await response.text();
      const policy = policyOf(response);
      expect(policy.get('default-src')).toBe("'self'");
      // Of the scripts in the page only its own, so that what gets into it by a fault does not run.
      const inline = [...text.matchAll(/<script[^>]*>([^<]*)<\/script>/g)].map(
        ([, script]) => script,
      );
      const hashes = inline.filter((script) => script !== '').map((script = '') => sha256(script));
      expect(policy.get('script-src')).toBe(["'self'", ...hashes].join(' '));
      if (path === '/docs/') expect(hashes).toHaveLength(1);
      expect(policy.get('style-src')).toBe("'self' 'unsafe-inline'");
      expect(policy.get('frame-ancestors')).toBe("'none'");
      // These two have no part in default-src.
      expect(policy.get('base-uri')).toBe("'none'");
      expect(policy.get('form-action')).toBe("'none'");
      const sources = new Set([...policy.values()].flatMap((value) => value.split(' ')));
      const own = ["'self'", "'none'", "'unsafe-inline'", 'data:', 'blob:', ...hashes];
      expect([...sources].filter((source) => !own.includes(source))).toEqual([]);
      const { 'content-security-policy': _, ...others } = safe;
      expect(Object.fromEntries(response.headers)).toMatchObject(others);
    }
  });

  it('names no other host, and every script it names is there', async () => {
    const page = await (await fetch(`${service.url}/docs/`)).text();
    expect(page).not.toMatch(/https?:|["'(]\/\//);
    const scripts = [...page.matchAll(/<(?:script|link|img)[^>]*?(?:src|href)="([^"]+)"/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, source = ''] of scripts) {
      const response = await fetch(new URL(source, `${service.url}/docs/`));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain('javascript');
      await response.arrayBuffer();
    }
    const [, document = ''] = /"url": "([^"]+)"/.exec(page) ?? [];
    expect((await fetch(new URL(document, `${service.url}/docs/`))).status).toBe(200);
  });

  it.each([
    ['gzip', 'gzip'],
    ['br;q=1.0, gzip;q=0.5', 'gzip'],
    ['gzip;q=0', null],
    ['identity', null],
  ])('is compressed where the client accepts it: %s', async (accepted, encoding) => {
    for (const path of ['/docs/', '/docs/js/scalar.js']) {
      const url = `${service.url}${path}`;
      const [asked, plain] = await Promise.all(
        [accepted, 'identity'].map((value) =>
          fetch(url, { headers: { 'accept-encoding': value } }),
        ),
      );
      expect(asked?.headers.get('content-encoding')).toBe(encoding);
      expect(asked?.headers.get('vary')).toBe('Accept-Encoding');
      const lengths = [asked, plain].map((one) => Number(one?.headers.get('content-length')));
      expect((lengths[0] ?? 0) < (lengths[1] ?? 0)).toBe(encoding === 'gzip');
      expect((await asked?.text()) === (await plain?.text())).toBe(true);
    }
  });

  it('has the stricter policy of everything else where it ends', async () => {
    const response = await fetch(`${service.url}/docs/nothing`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-security-policy')).toBe(safe['content-security-policy']);
  });
});
