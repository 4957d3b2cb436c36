import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import {
  openRawConnection,
  type RawHttpConnection,
  type RawHttpResponse,
} from '../../support/raw-http.ts';
import { type Service, startService } from '../../support/service.ts';

const host = 'Host: localhost\r\n';
const errorOf = ({ text }: RawHttpResponse) =>
  (JSON.parse(text) as { error: { code: string; request_id: string } }).error;

/** The head of a POST that would store a memory. */
const post = ({ adminKey }: Service, ...lines: string[]): string =>
  [
    'POST /v1/memories HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${adminKey}`,
    'Content-Type: application/json',
    ...lines,
    '\r\n',
  ].join('\r\n');

/** Sends one text on a connection of its own: the answer, and what came behind it until the end. */
async function exchange(url: string, text: string): Promise<RawHttpResponse & { behind: string }> {
  using wire = await openRawConnection(url);
  wire.send(text);
  const answer = await wire.readResponse();
  return { ...answer, behind: await wire.ended };
}

describe('a client that takes its time', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('embedded', { env: { MNEME_REQUEST_TIMEOUT_SECONDS: '1' } });
  });
  afterAll(() => service.stop());

  /** The setting, and how late it may be noticed, on a slow machine. */
  const timeMs = 1_000 + 1_000 + 3_000;

  it('is told 408 in time and let go, while others are served', async () => {
    const half = post(service, 'Content-Length: 40');
    const slow: Record<string, (wire: RawHttpConnection) => unknown> = {
      'nothing at all': () => undefined,
      'half a request line': (wire) => wire.send('GET /v1/hea'),
      'half a header': (wire) => wire.send(`GET /v1/health HTTP/1.1\r\n${host}X-Half: a`),
      'half a body': (wire) => wire.send(`${half}{"content": "half`),
      'no body at all': (wire) => wire.send(half),
      'a chunk that does not end': (wire) =>
        wire.send(`${post(service, 'Transfer-Encoding: chunked')}28\r\n{"content": "half`),
      'chunks without a last one': (wire) =>
        wire.send(`${post(service, 'Transfer-Encoding: chunked')}1\r\n{\r\n`),
      'a header byte by byte': (wire) => trickle(wire, `GET /v1/health HTTP/1.1\r\n${host}X: `),
      'a body byte by byte': (wire) => trickle(wire, half),
    };
    using idle = await openRawConnection(service.url);
    const get = `GET /v1/health HTTP/1.1\r\n${host}\r\n`;
    idle.send(get);
    expect((await idle.readResponse()).status).toBe(200);
    const begun = performance.now();
    let waiting = Object.keys(slow).length;
    const asked = Object.entries(slow).map(async ([name, begin]) => {
      using wire = await openRawConnection(service.url);
      begin(wire);
      const answer = await wire.readResponse();
      const rest = await wire.ended;
      waiting -= 1;
      return [name, answer.status, errorOf(answer).code, rest];
    });
    let served = 0;
    while (waiting > 0) {
      await service.client().memories.list();
      served += 1;
    }
    const told = await Promise.all(asked);
    expect(told).toEqual(Object.keys(slow).map((name) => [name, 408, 'invalid_request', '']));
    expect(performance.now() - begun).toBeLessThan(timeMs);
    expect(served).toBeGreaterThan(20);
    expect((await service.client().memories.list()).data).toEqual([]);
    // Between two requests a connection may rest for longer.
    idle.send(get);
    expect((await idle.readResponse()).status).toBe(200);
  });

  it('that never reads its answers holds up neither others nor its own key', async () => {
    const { id, key, client } = await service.createAccount();
    const memories = Array.from({ length: 100 }, (_, i) => ({ content: `Note ${i}` }));
    await client.memories.bulkCreate({ body: { memories } });
    // To store texts of this length takes much longer than to read them.
    await sql`update memories set content = repeat('x', 100000)
      where account_id = ${id}::uuid`.execute(service.running.context.app.engine.db);
    await service.operator().admin.updateAccount({ params: { id }, body: { plan: 'free' } });
    const head = `GET /v1/memories?limit=100 HTTP/1.1\r\n${host}Authorization: Bearer ${key}`;
    await using ending = new AsyncDisposableStack();
    // More than the plan's five at once, each more than the system's buffers take.
    for (let i = 0; i < 8; i += 1) {
      const wire = ending.use(await openRawConnection(service.url));
      wire.send(`${head}\r\n\r\n`);
      await wire.waitForFirstBytes();
    }
    const isOver = (line: string) => /"url":"\/v1\/memories","status":200/.test(line);
    const over = service.logLines.filter(isOver).length;
    expect((await client.memories.list({ query: { limit: 1 } })).data).toHaveLength(1);
    expect((await service.client().memories.list()).data).toEqual([]);
    await eventually(
      async () => service.logLines.filter(isOver).length - over,
      (more) => more >= 2,
    );
    expect(service.logLines.filter(isOver)).toHaveLength(over + 2);
  });
});

/** Sends a text, then one more byte ten times a second for as long as there is somebody. */
function trickle(wire: RawHttpConnection, text: string): void {
  wire.send(text);
  const timer = setInterval(() => wire.send('a'), 100);
  void wire.ended.then(() => clearInterval(timer));
}

describe('what is no request, or too much of one,', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('embedded');
  });
  afterAll(() => service.stop());

  const get = (target: string, ...lines: string[]): string =>
    [`GET ${target} HTTP/1.1`, 'Host: localhost', ...lines, 'Connection: close', '\r\n'].join(
      '\r\n',
    );
  const path = (length: number): string => '/v1/nothing?x='.padEnd(length, 'x');
  const header = (length: number): string => 'X-Long: '.padEnd(length, 'x');

  it('is 414 for a URL of more than 16,384 characters', async () => {
    expect((await exchange(service.url, get(path(16_384)))).status).toBe(404);
    for (const length of [16_385, 32_000]) {
      const answer = await exchange(service.url, get(path(length)));
      expect(answer.status).toBe(414);
      expect(errorOf(answer).code).toBe('invalid_request');
    }
  });

  it('is 431 for a request line and headers of more than 32 KB, few or many', async () => {
    expect((await exchange(service.url, get('/v1/health', header(32_000)))).status).toBe(200);
    for (const long of [
      get('/v1/health', header(33_000)),
      get('/v1/health', header(500_000)),
      get('/v1/health', header(20_000), header(20_000)),
      get('/v1/health', ...Array.from({ length: 5_000 }, (_, i) => `X-${i}: y`)),
      get(path(40_000)),
    ]) {
      const answer = await exchange(service.url, long);
      expect(answer.status).toBe(431);
      expect(errorOf(answer).code).toBe('invalid_request');
    }
  });

  it.each([
    ['words', 'hello there\r\n\r\n'],
    ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a line end of one character', `GET /v1/health HTTP/1.1\nHost: localhost\n\n`],
    ['an unknown version', `GET /v1/health HTTP/9.9\r\n${host}\r\n`],
    ['a method that there is not', `FETCH /v1/health HTTP/1.1\r\n${host}\r\n`],
    ['no host', 'GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two hosts', get('/v1/health', 'Host: other')],
    ['a null character in a header', get('/v1/health', 'X-Odd: a\0b')],
    ['a bare CR in a header', get('/v1/health', 'X-Odd: a\rb')],
    ['a header with a space before its colon', get('/v1/health', 'X-Odd : a')],
    ['a header over two lines', get('/v1/health', 'X-Odd: a\r\n b')],
    ['a header with no name', get('/v1/health', ': a')],
    ['a URL that cannot be decoded', get('/v1/memories/%zz')],
    ['a URL of half a character', get('/v1/memories/%e4%b8')],
  ])('is 400 for %s, with an id that the log has', async (_what, text) => {
    const answer = await exchange(service.url, text);
    const { code, request_id } = errorOf(answer);
    expect({ status: answer.status, code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(answer.behind).toBe('');
    expect(answer.headers.get('x-request-id')).toBe(request_id);
    const told = service.logLines.filter((line) => line.includes(request_id));
    const answered = told.filter((line) => line.includes('"status":'));
    expect(answered).toEqual([expect.stringContaining('"status":400')]);
  });

  it('of an expectation that nobody knows is answered as if it were not there', async () => {
    const answer = await exchange(service.url, get('/v1/health', 'Expect: tea'));
    expect(answer.status).toBe(200);
  });

  const inner = '{"content": "smuggled"}';
  const smuggled = () => `${post(service, `Content-Length: ${inner.length}`)}${inner}`;
  it.each([
    [
      'a length and a transfer coding',
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      '0\r\n\r\n',
    ],
    [
      'a transfer coding and a length',
      ['Transfer-Encoding: chunked', 'Content-Length: 5'],
      '0\r\n\r\n',
    ],
    ['two different lengths', ['Content-Length: 2', 'Content-Length: 0'], '{}'],
    ['two lengths in one line', ['Content-Length: 2, 0'], '{}'],
    ['the same length twice', ['Content-Length: 2', 'Content-Length: 2'], '{}'],
    ['a length with a sign', ['Content-Length: +2'], '{}'],
    ['a negative length', ['Content-Length: -1'], ''],
    ['a length in another base', ['Content-Length: 0x2'], '{}'],
    ['a length over two lines', ['Content-Length:\r\n 2'], '{}'],
    ['a coding over two lines', ['Transfer-Encoding:\r\n chunked'], '0\r\n\r\n'],
    ['a coding with a space before its colon', ['Transfer-Encoding : chunked'], '0\r\n\r\n'],
    ['an unknown coding', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
    ['chunked not as the last coding', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
    ['chunked twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['a chunk of no size', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than its size', ['Transfer-Encoding: chunked'], '1\r\n{}\r\n0\r\n\r\n'],
  ])('is 400 for %s, and what stands behind it never counts', async (_what, lines, body) => {
    const { behind, ...answer } = await exchange(
      service.url,
      `${post(service, ...lines)}${body}${smuggled()}`,
    );
    expect({ status: answer.status, ...errorOf(answer) }).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
    expect(behind).toBe('');
    expect((await service.client().memories.list()).data).toEqual([]);
  });

  it('is never answered in the place of the request before it', async () => {
    const good = get('/v1/health').replace('Connection: close\r\n', '');
    using wire = await openRawConnection(service.url);
    wire.send(`${good}nonsense\r\n\r\n`);
    expect(await wire.ended).not.toContain('400 Bad Request');
    using other = await openRawConnection(service.url);
    other.send(good);
    expect((await other.readResponse()).status).toBe(200);
    other.send('nonsense\r\n\r\n');
    expect((await other.readResponse()).status).toBe(400);
  });
});

describe('a service that stops', () => {
  // Time stands still: nothing is cut off because its time is up.
  const start = () =>
    startService('embedded', { overrides: { clock: createFakeClock() }, isExclusive: true });
  const isClosed = (url: string) => async () =>
    openRawConnection(url).then(
      (wire) => {
        wire[Symbol.dispose]();
        return false;
      },
      () => true,
    );

  it('ends kept connections with the answer to what runs, and waits for no client', async () => {
    const service = await start();
    using wire = await openRawConnection(service.url);
    const body = '{"content": "on the way"}';
    wire.send(post(service, `Content-Length: ${body.length}`, 'Expect: 100-continue'));
    expect((await wire.readResponse()).status).toBe(100);
    const stopping = service.stop();
    await eventually(isClosed(service.url), (closed) => closed);
    wire.send(body);
    const answer = await wire.readResponse();
    expect(answer.status).toBe(201);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await wire.ended).toBe('');
    await stopping;
  });

  it('refuses what comes late with 503 in the published form', async () => {
    const service = await start();
    using wire = await openRawConnection(service.url);
    wire.send('GET /v1/memories HTTP/1.1\r\n');
    await service.client().memories.list();
    const stopping = service.stop();
    await eventually(isClosed(service.url), (closed) => closed);
    wire.send(`${host}\r\n`);
    const answer = await wire.readResponse();
    expect(answer.status).toBe(503);
    expect(errorOf(answer).code).toBe('service_unavailable');
    expect(answer.headers.get('x-request-id')).toBe(errorOf(answer).request_id);
    expect(answer.headers.get('connection')).toBe('close');
    await stopping;
  });
});
