import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { openRawConnection, type RawHttpResponse } from '../../support/raw-http.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';

/** A request by hand: a client would set the Host header itself. */
async function ask(
  { url }: Service,
  line: string,
  headers: Readonly<Record<string, string>>,
): Promise<RawHttpResponse> {
  using wire = await openRawConnection(url);
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  wire.send(`${line} HTTP/1.1\r\n${fields.join('')}Connection: close\r\n\r\n`);
  return await wire.readResponse();
}

const allowed = {
  'an address': ['127.0.0.1', '127.0.0.1:7077', '10.1.2.3:80', '[::1]:7077', '[fe80::1]'],
  localhost: ['localhost', 'localhost:1', 'LOCALHOST:7077', 'console.localhost', 'localhost.'],
  'the host of MNEME_PUBLIC_URL': ['memory.example.com', 'Memory.Example.com:443'],
  'a name of MNEME_ALLOWED_HOSTS': ['mneme', 'mneme:7077', 'other.internal'],
};
const refused = [
  'attacker.example',
  'attacker.example:7077',
  'memory.example.com.attacker.example',
  'notlocalhost',
  'localhost.attacker.example',
  '127.0.0.1.attacker.example',
  'sub.mneme',
  'user@localhost',
  'localhost/x',
  '',
];

describe.each(oneEngine)('the Host of a request on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    const env = {
      MNEME_PUBLIC_URL: 'https://memory.example.com/mneme',
      MNEME_ALLOWED_HOSTS: 'Mneme, other.internal',
    };
    service = await startService(engine, { env });
  });
  afterAll(() => service.stop());

  it.each(Object.entries(allowed))('may be %s', async (_what, hosts) => {
    for (const host of hosts) {
      const { status } = await ask(service, 'GET /v1/health', { host });
      expect([host, status]).toEqual([host, 200]);
    }
  });

  it.each(refused)('is refused with 421 for another name: %j', async (host) => {
    for (const path of ['/v1/health', '/health', '/docs', '/v1/openapi.json', '/', '/nothing']) {
      const { status, text } = await ask(service, `GET ${path}`, { host });
      expect([path, status]).toEqual([path, 421]);
      expect(text).not.toContain('version');
    }
  });

  it('is checked with a key as well, and the answer says what to set', async () => {
    const authorization = `Bearer ${service.adminKey}`;
    const host = 'attacker.example:7077';
    const answer = await ask(service, 'GET /v1/memories', { host, authorization });
    expect(answer.status).toBe(421);
    expect(JSON.parse(answer.text)).toMatchObject({
      error: {
        code: 'invalid_request',
        message: expect.stringMatching(/MNEME_PUBLIC_URL.*MNEME_ALLOWED_HOSTS/),
        details: { host: 'attacker.example' },
      },
    });
  });

  it('may be missing in HTTP/1.0, which no browser sends', async () => {
    using wire = await openRawConnection(service.url);
    wire.send('GET /v1/health HTTP/1.0\r\n\r\n');
    expect((await wire.readResponse()).status).toBe(200);
  });

  const unsubscribe = (headers: Readonly<Record<string, string>>) =>
    ask(service, 'POST /v1/email/unsubscribe?token=none', {
      host: 'memory.example.com',
      'content-length': '0',
      ...headers,
    });

  it.each([
    'https://attacker.example',
    'http://attacker.example',
    'null',
    'https://memory.example.com.attacker.example',
    'https://memory.example.com:8443',
  ])('a change without a key from a page of %s is refused: 403', async (origin) => {
    const { status, text } = await unsubscribe({ origin });
    expect(status).toBe(403);
    expect(JSON.parse(text)).toMatchObject({ error: 'invalid_request' });
  });

  it('a change without a key is taken from its own pages, and from what is no page', async () => {
    const own = [
      {},
      { origin: 'https://memory.example.com' },
      { origin: 'http://memory.example.com' },
    ];
    for (const headers of own) expect((await unsubscribe(headers)).status).not.toBe(403);
  });
});

describe('MNEME_ALLOWED_HOSTS', () => {
  it('allows any name with *', async () => {
    const service = await startService('embedded', { env: { MNEME_ALLOWED_HOSTS: '*' } });
    await using _stop = { [Symbol.asyncDispose]: () => service.stop() };
    const { status } = await ask(service, 'GET /v1/health', { host: 'any.example' });
    expect(status).toBe(200);
  });

  it.each(['https://mneme.example', 'mneme:7077', 'a b', '*.example.com'])(
    'refuses %j at the start',
    (MNEME_ALLOWED_HOSTS) => {
      expect(() => readConfig({ MNEME_ALLOWED_HOSTS })).toThrow(
        /MNEME_ALLOWED_HOSTS must be host names/,
      );
    },
  );
});
