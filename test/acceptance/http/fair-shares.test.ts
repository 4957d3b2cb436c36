import net from 'node:net';
import { limits } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import {
  openRawConnection,
  type RawHttpConnection,
  type RawHttpResponse,
} from '../../support/raw-http.ts';
import { type Service, startService } from '../../support/service.ts';

const codeOf = ({ text }: RawHttpResponse): string =>
  (JSON.parse(text) as { error: { code: string } }).error.code;

interface Head {
  readonly method?: string;
  readonly path: string;
  readonly key?: string;
  readonly lines?: readonly string[];
}
const headOf = ({ method = 'GET', path, key, lines = [] }: Head): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...lines,
    '\r\n',
  ].join('\r\n');

const unsubscribe = '/v1/email/unsubscribe?account=a&email=a%40b.c&signature=x';
const formType = 'Content-Type: application/x-www-form-urlencoded';

/** Sends a head, and perhaps a part of a body, on a connection of its own. */
async function ask(service: Service, head: Head, body = ''): Promise<RawHttpResponse> {
  using wire = await openRawConnection(service.url);
  wire.send(`${headOf(head)}${body}`);
  return await wire.readResponse();
}

describe('a body that a route does not take', () => {
  let service: Service;
  let clock: FakeClock;
  beforeAll(async () => {
    clock = createFakeClock();
    service = await startService('embedded', { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const large = 'Content-Length: 8000000';
  it.each<[what: string, status: number, head: Head]>([
    [
      'bytes to a public route',
      415,
      {
        method: 'POST',
        path: unsubscribe,
        lines: ['Content-Type: application/octet-stream', large],
      },
    ],
    [
      'JSON to a public route',
      415,
      { method: 'POST', path: unsubscribe, lines: ['Content-Type: application/json', large] },
    ],
    ['of no type to a public route', 415, { method: 'POST', path: unsubscribe, lines: [large] }],
    [
      'more than a public route takes',
      413,
      {
        method: 'POST',
        path: unsubscribe,
        lines: [formType, `Content-Length: ${limits.publicBodyBytesMax + 1}`],
      },
    ],
    [
      'text without a key',
      401,
      { method: 'POST', path: '/v1/memories', lines: ['Content-Type: text/plain', large] },
    ],
    ['to no route', 404, { method: 'POST', path: '/v1/nothing', lines: [large] }],
    ['to another method', 405, { method: 'PUT', path: '/v1/memories', lines: [large] }],
    ['to a probe', 200, { path: '/v1/health', lines: [large] }],
    ['to a page', 200, { path: '/docs/', lines: [large] }],
  ])('is refused by its head, and its connection ends: %s', async (_what, status, head) => {
    using wire = await openRawConnection(service.url);
    wire.send(headOf(head));
    const answer = await wire.readResponse();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await wire.ended).toBe('');
  });

  it('is 415 with a key as well, by its head, or by its first byte without a length', async () => {
    const head = { method: 'POST', path: '/v1/memories', key: service.adminKey };
    const text = 'Content-Type: text/plain';
    const byLength = await ask(service, { ...head, lines: [text, large] });
    expect(byLength.status).toBe(415);
    const chunked = { ...head, lines: [text, 'Transfer-Encoding: chunked'] };
    const byByte = await ask(service, chunked, '1\r\na\r\n');
    expect([byByte.status, byByte.headers.get('connection')]).toEqual([415, 'close']);
    const none = { ...chunked, method: 'DELETE', path: '/v1/memories/x' };
    expect((await ask(service, none, '0\r\n\r\n')).status).toBe(404);
  });

  it('is not read, however much of it is sent', async () => {
    const { port } = new URL(service.url);
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    const lines = ['Content-Length: 100000000'];
    socket.write(headOf({ method: 'POST', path: '/v1/nothing', lines }));
    await new Promise((resolve) => socket.once('data', resolve));
    // More than the system takes on the way.
    const sent = new Promise<unknown>((resolve) => {
      socket.write(Buffer.alloc(64_000_000), (error) => resolve(error ?? null));
    });
    let isOver = false;
    void sent.then(() => {
      isOver = true;
    });
    await eventually(
      async () => clock.advance(1_000),
      () => isOver,
    );
    expect(await sent).toBeInstanceOf(Error);
  });

  it('is no request of its own, whatever stands in it', async () => {
    const inner = headOf({ path: '/v1/nothing', lines: ['X-Request-Id: smuggled-in'] });
    using wire = await openRawConnection(service.url);
    const lines = ['Content-Type: text/plain', `Content-Length: ${inner.length * 2}`];
    wire.send(headOf({ method: 'POST', path: unsubscribe, lines }));
    expect((await wire.readResponse()).status).toBe(415);
    wire.send(`${inner}${inner}${inner}`);
    expect(await wire.ended).toBe('');
    expect(service.logLines.filter((line) => line.includes('smuggled-in'))).toEqual([]);
  });

  const begun = (length: number): Head => ({
    method: 'POST',
    path: '/v1/memories',
    key: service.adminKey,
    lines: ['Content-Type: application/json', `Content-Length: ${length}`],
  });

  it('is 408 ten seconds after the last of it came', async () => {
    using wire = await openRawConnection(service.url);
    wire.send(`${headOf(begun(50_000))}{"content": "`);
    await service.client().memories.list();
    clock.advance(9_000);
    wire.send('a'.repeat(10_240));
    await service.client().memories.list();
    clock.advance(2_000);
    wire.send('still there');
    await service.client().memories.list();
    const answer = wire.readResponse();
    clock.advance(10_500);
    expect((await answer).status).toBe(408);
    expect(await wire.ended).toBe('');
  });
});

describe('the slots of requests', () => {
  let service: Service;
  beforeAll(async () => {
    const env = { MNEME_REQUESTS_MAX: '20', MNEME_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' };
    service = await startService('embedded', { env });
  });
  afterAll(() => service.stop());

  const slow = (key: string): Head => ({
    method: 'POST',
    path: '/v1/memories',
    key,
    lines: ['Content-Type: application/json', 'Content-Length: 100', 'Expect: 100-continue'],
  });
  const from = (...addresses: string[]): Head => ({
    path: '/v1/openapi.json',
    lines: [`X-Forwarded-For: ${addresses.join(', ')}`],
  });

  /**
   * Large answers that nobody reads, to more requests than there are slots. The buffers of the
   * connection take one answer whole: a slow request takes its slot.
   */
  async function unread(head: Head): Promise<DisposableStack> {
    const wires = new DisposableStack();
    const reader = wires.use(await openRawConnection(service.url));
    reader.send(headOf({ ...head, path: '/docs/js/scalar.js' }).repeat(40));
    await reader.waitForFirstBytes();
    const { key: _key, lines, ...rest } = slow('');
    const waiting = {
      ...rest,
      path: '/v1/auth/tokens/renew',
      lines: [...(lines ?? []), ...(head.lines ?? [])],
    };
    const tryToWait = async (): Promise<number> => {
      const wire = wires.use(await openRawConnection(service.url));
      wire.send(headOf(waiting));
      return (await wire.readResponse()).status;
    };
    await eventually(tryToWait, (status) => status === 100);
    return wires;
  }

  it('are half for one account with slow bodies: others, strangers and probes go on', async () => {
    const [one, other] = [
      await service.createAccount('enterprise'),
      await service.createAccount('free'),
    ];
    {
      using wires = new DisposableStack();
      for (let i = 0; i < 10; i += 1) {
        const wire = wires.use(await openRawConnection(service.url));
        wire.send(headOf(slow(one.key)));
        expect((await wire.readResponse()).status).toBe(100);
      }
      const refused = await ask(service, slow(one.key));
      expect([refused.status, codeOf(refused)]).toEqual([503, 'service_unavailable']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await other.client.memories.list()).data).toEqual([]);
      expect((await ask(service, { path: '/v1/openapi.json' })).status).toBe(200);
    }
    await eventually(
      () => ask(service, slow(one.key)),
      ({ status }) => status === 100,
    );
  });

  it('are half for an address that does not read its answers, while it stays', async () => {
    {
      using _wires = await unread(from('192.0.2.1'));
      const refused = await ask(service, from('192.0.2.1'));
      expect([refused.status, codeOf(refused)]).toEqual([503, 'service_unavailable']);
      expect((await ask(service, from('192.0.2.2'))).status).toBe(200);
      // What the client itself wrote stands before what the proxies added.
      expect((await ask(service, from('192.0.2.2', '192.0.2.1'))).status).toBe(503);
      expect((await ask(service, from('192.0.2.1', '10.1.2.3'))).status).toBe(503);
      const lines = ['X-Forwarded-For: 192.0.2.1'];
      expect((await ask(service, { path: '/ready', lines })).status).toBe(200);
      const keyed = { path: '/v1/memories', key: service.adminKey, lines };
      expect((await ask(service, keyed)).status).toBe(200);
    }
    await eventually(
      () => ask(service, from('192.0.2.1')),
      ({ status }) => status === 200,
    );
  });

  it('count by /64 for IPv6', async () => {
    using _wires = await unread(from('2001:db8::1'));
    expect((await ask(service, from('2001:db8::2'))).status).toBe(503);
    expect((await ask(service, from('2001:db8:0:1::1'))).status).toBe(200);
  });

  it('are logged with the client that the proxy names', async () => {
    await ask(service, { path: '/v1/nothing', lines: ['X-Forwarded-For: 192.0.2.77'] });
    await eventually(
      async () => service.logLines.filter((line) => line.includes('"client":"192.0.2.77"')),
      (lines) => lines.length > 0,
    );
  });
});

describe('without trusted proxies', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('embedded', { env: { MNEME_REQUESTS_MAX: '1' } });
  });
  afterAll(() => service.stop());

  it('an address in X-Forwarded-For is not believed', async () => {
    await ask(service, { path: '/v1/nothing', lines: ['X-Forwarded-For: 192.0.2.77'] });
    await eventually(
      async () => service.logLines.filter((line) => line.includes('"url":"/v1/nothing"')),
      (lines) => lines.length > 0,
    );
    expect(service.logLines.join('')).not.toContain('192.0.2.77');
  });

  it('requests sent ahead of their answers are refused from the hundredth on', async () => {
    using wire = await openRawConnection(service.url);
    wire.send(headOf({ path: '/v1/health' }).repeat(150));
    const statuses: number[] = [];
    for (let i = 0; i < 150; i += 1) statuses.push((await wire.readResponse()).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 503)).toHaveLength(50);
  });

  it('one network has at most 256 connections, or as many as there may be requests', async () => {
    using wires = new DisposableStack();
    const opened: RawHttpConnection[] = [];
    for (let i = 0; i < 256; i += 1) opened.push(wires.use(await openRawConnection(service.url)));
    using tooMany = await openRawConnection(service.url);
    await tooMany.ended;
    expect(service.logLines.join('')).toContain('too many from one network');
    opened[0]?.[Symbol.dispose]();
    await eventually(
      () => ask(service, { path: '/v1/health' }).catch(() => null),
      (answer) => answer?.status === 200,
    );
  });
});
