import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  clearExchanges,
  registerRecordedService,
  startRecordingExchanges,
} from './http-exchanges.ts';
import { openRawConnection } from './raw-http.ts';
import { renderLastExchanges } from './render-last-exchanges.ts';

const key = 'mnk_0123456789AB_THESECRETPART';
const logged: string[] = [];
let server: Server;
let url: string;

function log(level: string, msg: string, fields: object = {}, timeMs = 2_000): void {
  const time = new Date(timeMs).toISOString();
  logged.push(JSON.stringify({ level, time, msg, ...fields }));
}

beforeAll(async () => {
  let requests = 0;
  server = createServer(async (request, response) => {
    requests += 1;
    const body = (await request.toArray()).join('');
    const reqId = String(request.headers['x-request-id'] ?? `request-${requests}`);
    log('info', 'request completed', { reqId, path: request.url });
    response.writeHead(404, { 'x-request-id': reqId, 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify({ error: 'not found', path: request.url, body })));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  startRecordingExchanges();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  logged.length = 0;
  registerRecordedService(url, logged);
  clearExchanges();
});

const send = async (path: string, body = '{"content":"tea"}'): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  await (await fetch(url + path, { method: 'POST', headers, body })).text();
};

describe('the report of a failed test', () => {
  it('is empty without a request and without warnings', () => {
    expect(renderLastExchanges(0)).toBe('');
  });

  it('has the request, the response and the log lines of that request', async () => {
    log('info', 'of another request', { reqId: 'other' });
    await send('/v1/memories?x=1');
    const report = renderLastExchanges(0).split('\n');
    expect(report).toEqual([
      '--- request 1 of 1: POST /v1/memories?x=1',
      'authorization: [hidden]',
      'content-type: application/json',
      '{"content":"tea"}',
      '<<< status 404',
      expect.stringMatching(/^x-request-id: request-\d+$/),
      'content-encoding: gzip',
      expect.stringContaining('{"error":"not found","path":"/v1/memories?x=1"'),
      'log 00:00:02.000 info: request completed {"path":"/v1/memories?x=1"}',
    ]);
  });

  it('has the last five of many requests', async () => {
    for (let i = 1; i <= 30; i += 1) await send(`/v1/${i}`);
    const headings = renderLastExchanges(0).match(/^--- .*$/gm);
    expect(headings).toHaveLength(5);
    expect(headings?.[0]).toBe('--- request 26 of 30: POST /v1/26');
  });

  it('cuts long bodies and hides keys wherever they are', async () => {
    await send('/v1/keys', JSON.stringify({ key, secret: 'whatever', text: 'x'.repeat(100_000) }));
    const report = renderLastExchanges(0);
    expect(report).toMatch(/\(the beginning of 100\d\d\d bytes\)/);
    expect(report).not.toContain('THESECRETPART');
    expect(report).not.toContain('whatever');
    expect(report.length).toBeLessThan(12_000);
  });

  it('has the bytes of a raw connection', async () => {
    using wire = await openRawConnection(url);
    wire.send(
      'GET /v1/raw HTTP/1.1\r\nHost: a\r\nX-Request-Id: raw-1\r\nConnection: close\r\n\r\n',
    );
    await wire.ended;
    const report = renderLastExchanges(0);
    expect(report).toContain('GET /v1/raw HTTP/1.1');
    expect(report).toContain('log 00:00:02.000 info: request completed {"path":"/v1/raw"}');
  });

  it('has warnings since the test began, and none of before', () => {
    log('warn', 'delivery failed', { attempt: 2 }, 5_000);
    log('warn', 'earlier', {}, 1_000);
    log('info', 'harmless', {}, 6_000);
    expect(renderLastExchanges(4_000)).toBe(
      '--- other warnings and errors of the log\n' +
        'log 00:00:05.000 warn: delivery failed {"attempt":2}',
    );
  });

  it('has nothing of a server that is not under test', async () => {
    registerRecordedService('http://127.0.0.1:9', logged);
    await send('/v1/one');
    const other = createServer((_request, response) => response.end('x'));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    await (await fetch(`http://127.0.0.1:${(other.address() as AddressInfo).port}/v1/two`)).text();
    other.close();
    expect(renderLastExchanges(0)).toContain('/v1/one');
    expect(renderLastExchanges(0)).not.toContain('/v1/two');
  });
});
