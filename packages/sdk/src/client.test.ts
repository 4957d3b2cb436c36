import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient, MnemeError, paginate } from './index.ts';
import { urlOf } from './transport.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Script = (
  seen: Seen,
  index: number,
) => { status: number; headers?: object; body?: unknown } | null;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A real server that answers by script; null drops the connection. */
async function scripted(script: Script) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body };
      seen.push(one);
      const answer = script(one, seen.length - 1);
      if (!answer) return void request.socket.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const waits: number[] = [];
  const client = createClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'mnk_test',
    random: () => 0.5,
    sleep: async (ms) => {
      waits.push(ms);
    },
  });
  return { client, seen, waits };
}

const memory = { id: '1', content: 'x' };

describe('client', () => {
  it('sends the credentials, the JSON and the path of the contract', async () => {
    const { client, seen } = await scripted(() => ({ status: 200, body: memory }));
    await client.memories.update({
      params: { id: 'a/b' },
      query: { confirm: true },
      body: { tags: ['x'] },
    });
    expect(seen[0]).toMatchObject({
      method: 'PATCH',
      url: '/v1/memories/a%2Fb?confirm=true',
      body: '{"tags":["x"]}',
    });
    expect(seen[0]?.headers.authorization).toBe('Bearer mnk_test');
  });

  it('retries a create under one Idempotency-Key after a lost connection', async () => {
    const { client, seen } = await scripted((_, i) =>
      i < 2 ? null : { status: 201, body: memory },
    );
    await client.memories.create({ body: { content: 'x' } });
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
    expect(seen.length).toBeGreaterThanOrEqual(3);
    expect(keys.size).toBe(1);
    expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('does not repeat a POST that takes no Idempotency-Key after a 500', async () => {
    const { client, seen } = await scripted(() => ({ status: 500, body: {} }));
    await expect(client.memories.verify({ params: { id: '1' } })).rejects.toThrow(MnemeError);
    expect(seen).toHaveLength(1);
  });

  it('waits as Retry-After says, then gives up with the error after the last retry', async () => {
    const { client, seen, waits } = await scripted(() => ({
      status: 429,
      headers: { 'retry-after': '7' },
      body: { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } },
    }));
    const error = await client.search.get({ query: { q: 'x' } }).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 7, status: 429 });
    expect(waits).toEqual([7_000, 7_000, 7_000]);
    expect(seen).toHaveLength(4);
  });

  it('doubles its waits, with jitter', async () => {
    const { client, waits } = await scripted(() => ({ status: 503, body: {} }));
    await expect(client.memories.list()).rejects.toThrow();
    expect(waits).toEqual([100, 200, 400]);
  });

  it('gives up on an answer that does not come in time', async () => {
    const slow = createServer(() => undefined);
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      slow.closeAllConnections();
      slow.close();
    });
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const client = createClient({ url, timeoutMs: 50, retries: 0 });
    await expect(client.operations.health()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it.each([
    ['nested', { error: { code: 'conflict', message: 'm', details: { a: 1 } } }, 'conflict'],
    ['flat', { error: 'conflict', message: 'm' }, 'conflict'],
    ['status', { statusCode: 409, error: 'Conflict', message: 'm' }, 'http_409'],
    ['problem', { type: 'about:blank', status: 409, detail: 'm', code: 'conflict' }, 'conflict'],
  ])('reads the %s form of an error', async (_form, body, code) => {
    const { client } = await scripted(() => ({ status: 409, body }));
    await expect(client.memories.list()).rejects.toMatchObject({ code, message: 'm', status: 409 });
  });
});

describe('paginate', () => {
  it('follows cursors to the end', async () => {
    const { client, seen } = await scripted((_, i) => ({
      status: 200,
      body: { data: [i], has_more: i < 2, next_cursor: i < 2 ? `c${i}` : null },
    }));
    const all: unknown[] = [];
    for await (const one of paginate((place) => client.memories.list({ query: { ...place } }))) {
      all.push(one);
    }
    expect(all).toEqual([0, 1, 2]);
    expect(seen.map(({ url }) => url)).toEqual([
      '/v1/memories',
      '/v1/memories?cursor=c0',
      '/v1/memories?cursor=c1',
    ]);
  });

  it('follows offsets to the end', async () => {
    const { client } = await scripted((_, i) => ({
      status: 200,
      body: { data: [i], pagination: { total: 2, limit: 1, offset: i, has_more: i < 1 } },
    }));
    const all: unknown[] = [];
    for await (const one of paginate((place) => client.spaces.list({ query: { ...place } }))) {
      all.push(one);
    }
    expect(all).toEqual([0, 1]);
  });
});

describe('urlOf', () => {
  it('carries any text through a query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const url = new URL(
          urlOf('http://h', { path: '/search', query: { q: text, n: undefined } }),
        );
        expect(url.searchParams.get('q')).toBe(text);
        expect(url.searchParams.has('n')).toBe(false);
      }),
    );
  });
});
