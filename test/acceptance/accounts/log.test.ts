import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRawConnection } from '../../support/raw-http.ts';
import { createDataLocation, launchServer } from '../../support/server-process.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { GatedEmbedder } from '../memories/controlled-dependencies.ts';

/** Every service of these tests refuses to stop when its log holds a key or a token. */
describe.each(engines)('the log on %s', (engine) => {
  let service: Service;
  let embedder: GatedEmbedder;
  const secrets: Record<string, string> = {};
  beforeAll(async () => {
    embedder = await GatedEmbedder.open();
    service = await startService(engine, { overrides: { embedder } });
    secrets.key = (await service.createAccount()).key;
    secrets.token = (await service.client().auth.createToken({ body: {} })).token;
  });
  afterAll(() => service.stop());

  /** The lines that a request left, found by its id. */
  async function linesOf(path: string, init: RequestInit = {}): Promise<[number, string[]]> {
    const response = await fetch(`${service.url}${path}`, init);
    await response.arrayBuffer();
    const id = response.headers.get('x-request-id') ?? 'none';
    return [response.status, service.logLines.filter((line) => line.includes(id))];
  }
  const authorized = () => ({ authorization: `Bearer ${service.adminKey}` });
  const json = { 'content-type': 'application/json' };

  it('has one line for each request, with its path and outcome, and no query', async () => {
    const headers = authorized();
    for (const [path, status] of [
      ['/v1/memories', 200],
      ['/v1/search?q=whereabouts', 200],
      ['/v1/memories/none', 404],
      ['/v1/nothing', 404],
      ['/v1/memories?limit=x', 422],
    ] as const) {
      const [answered, lines] = await linesOf(path, { headers });
      expect(answered).toBe(status);
      expect(lines).toHaveLength(1);
      const { url, method, status: told } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
      expect({ url, method, told }).toEqual({
        url: path.split('?')[0],
        method: 'GET',
        told: status,
      });
    }
  });

  const places: Record<string, (secret: string) => [path: string, init?: RequestInit]> = {
    'the Authorization header': (secret) => [
      '/v1/account',
      { headers: { authorization: `Bearer ${secret}` } },
    ],
    'another scheme': (secret) => [
      '/v1/account',
      { headers: { authorization: `Basic ${secret}` } },
    ],
    'a typing error beside it': (secret) => [
      '/v1/account',
      { headers: { authorization: `Bearer ${secret} ${secret}x` } },
    ],
    'the query': (secret) => [`/v1/memories?api_key=${secret}`, { headers: authorized() }],
    'a search': (secret) => [`/v1/search?q=${secret}`, { headers: authorized() }],
    'the path': (secret) => [`/v1/memories/${secret}`, { headers: authorized() }],
    'the path of nothing': (secret) => [`/${secret}/${secret}`],
    'a path that cannot be decoded': (secret) => [`/v1/memories/${secret}%zz`],
    'an encoded path': (secret) => [`/v1/memories/${secret.replaceAll('_', '%5F')}`],
    'a body': (secret) => ['/v1/memories', posted({ content: secret })],
    'the name of a field': (secret) => ['/v1/memories', posted({ [secret]: 1 })],
    'a faulty field': (secret) => ['/v1/memories', posted({ content: 'x', space_id: secret })],
    'a body that is no JSON': (secret) => ['/v1/memories', { ...posted({}), body: secret }],
    'a content that fails within': (secret) => ['/v1/memories', posted({ content: `!${secret}` })],
    'the Idempotency-Key': (secret) => [
      '/v1/spaces',
      posted({ name: secret }, { 'idempotency-key': secret.slice(0, 255) }),
    ],
    ...Object.fromEntries(
      ['X-Api-Key', 'Cookie', 'User-Agent', 'Referer', 'Origin', 'If-Match', 'Last-Event-ID'].map(
        (name) => [
          `the header ${name}`,
          (secret: string) => ['/v1/health', { headers: { [name]: secret } }] as const,
        ],
      ),
    ),
  };
  const posted = (body: unknown, headers: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { ...authorized(), ...json, ...headers },
    body: JSON.stringify(body),
  });

  describe.each(['key', 'token'])('shows no %s', (kind) => {
    it.each(Object.keys(places))('that came in %s', async (name) => {
      const secret = secrets[kind] ?? '';
      embedder.beforeEmbed = ([text = '']) => {
        if (text.startsWith('!')) throw new Error(`no vector for ${text}`);
      };
      const [path, init] = places[name]?.(secret) ?? [''];
      const [, lines] = await linesOf(path, init);
      expect(lines.length).toBeGreaterThan(0);
      const parts = secret.split(/[_.]/).filter((part) => part.length >= 30);
      expect(parts.length).toBeGreaterThan(0);
      for (const part of parts) expect(lines.join('')).not.toContain(part);
    });

    it('that came as the X-Request-Id', async () => {
      const secret = (secrets[kind] ?? '').slice(0, 128);
      const before = service.logLines.length;
      await fetch(`${service.url}/v1/health`, { headers: { 'x-request-id': secret } });
      const lines = service.logLines.slice(before).join('');
      expect(lines).toContain('"msg":"request"');
      expect(lines).not.toContain(secret.slice(20, 50));
    });

    it('that came in what is no HTTP', async () => {
      const secret = secrets[kind] ?? '';
      const before = service.logLines.length;
      for (const text of [
        `${secret}\r\n\r\n`,
        `GET / HTTP/1.1\r\nAuthorization ${secret}\r\n\r\n`,
      ]) {
        using wire = await openRawConnection(service.url);
        wire.send(text);
        expect((await wire.readResponse()).status).toBe(400);
      }
      const lines = service.logLines.slice(before).join('');
      expect(lines).toContain('malformed request');
      expect(lines).not.toContain(secret.slice(20, 50));
    });
  });
});

describe('the log of a service with an embedding provider', () => {
  const apiKey = 'sk-embedding-0123456789abcdefghij';
  let status = 200;
  const provider = http.createServer((request, response) => {
    const told = `${request.headers.authorization} is refused`;
    response.writeHead(status, { 'retry-after': '0' }).end(told);
  });
  let service: Service;
  beforeAll(async () => {
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const { port } = provider.address() as AddressInfo;
    service = await startService('embedded', {
      env: {
        MNEME_EMBEDDING_PROVIDER: 'openai',
        MNEME_EMBEDDING_URL: `http://127.0.0.1:${port}/v1`,
        MNEME_EMBEDDING_MODEL: 'm',
        MNEME_EMBEDDING_DIMENSIONS: '8',
        MNEME_EMBEDDING_API_KEY: apiKey,
      },
    });
  });
  afterAll(async () => {
    await service.stop();
    provider.close();
  });

  it.each([
    [401, 'as an error'],
    [500, 'again and again'],
    [200, 'in the place of vectors'],
  ])('shows no API key that the provider sends back with %i %s', async (given, content) => {
    status = given;
    const before = service.logLines.length;
    const refused = service.client().memories.create({ body: { content } });
    await expect(refused).rejects.toMatchObject({ status: 500, code: 'embedding_failed' });
    const logged = service.logLines.slice(before);
    const failed = logged.filter((line) => line.includes('"request failed"'));
    expect(failed).toHaveLength(1);
    expect(failed.join('')).not.toContain(apiKey.slice(0, 12));
  });
});

describe('a test that has a secret in its log', () => {
  it('fails when its service stops', async () => {
    const service = await startService('embedded', { isExclusive: true });
    const { log, secretKey } = service.running.context.app;
    log.trace(`sealed with ${secretKey}`);
    await expect(service.stop()).rejects.toThrow('A secret was logged');
  });

  const key = `mnk_${'A'.repeat(12)}_${'b'.repeat(43)}_cccccc`;
  const token = `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(50)}.${'c'.repeat(43)}`;
  it.each([
    ['a key in a line', `console.log('the key ' + '${key}')`],
    ['a token', `console.error('{"t":"${token}"}')`],
    ['a secret of a setting', 'console.log(process.env.MNEME_SECRET_KEY)'],
  ])('fails when its process has ended: %s', async (_what, script) => {
    const place = await createDataLocation('embedded', { migrated: false });
    const env = { MNEME_SECRET_KEY: 'a secret for sealing, of many words' };
    const child = launchServer(place, { env, command: [process.execPath, '-e', script] });
    await expect(child.ended).rejects.toThrow('A secret was logged');
    await place.remove();
  });
});
