import { execFile } from 'node:child_process';
import type { RequestListener } from 'node:http';
import net, { type Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import {
  createOutboundFetch,
  EgressFailed,
  type OutboundFetchSettings,
  type OutboundRequest,
} from './index.ts';
import { endpointCertificate, startListening, startTestEndpoint } from './testing.ts';

const request: OutboundRequest = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-mneme-event': 'memory.created' },
  body: '{"id":"é"}',
  timeoutMs: 20_000,
  bodyBytesMax: 65_536,
};

const guard = (settings: Partial<OutboundFetchSettings> = {}) =>
  createOutboundFetch({
    allowHttp: true,
    allowPrivate: true,
    clock: systemClock,
    resolve: async () => ['127.0.0.1'],
    ...settings,
  });

/** A guard and a local endpoint with this response. */
async function staged(response: RequestListener) {
  const endpoint = await startTestEndpoint(response);
  const url = `http://hooks.example.com:${endpoint.port}`;
  return { endpoint, url, [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose]() };
}

/** An endpoint that uses the raw connection. */
async function bare(speak: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const endpoint = await startListening(
    net.createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => sockets.delete(socket));
      socket.once('data', () => speak(socket));
    }),
  );
  return {
    url: `http://hooks.example.com:${endpoint.port}/`,
    endpoint,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

/** A clock whose timers fire on demand. */
function manualClock() {
  let nowMs = 0;
  const timers = new Map<() => void, number>();
  const clock: Clock = {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    after(ms, call) {
      timers.set(call, nowMs + ms);
      return { [Symbol.dispose]: () => void timers.delete(call) };
    },
  };
  const advance = (ms: number): void => {
    nowMs += ms;
    for (const [call, dueMs] of [...timers]) if (dueMs <= nowMs) call();
  };
  return { clock, advance, timers };
}

describe('an exchange', () => {
  it('sends method, path, headers and body unchanged, and the name as Host', async () => {
    const seen: Record<string, unknown> = {};
    await using stage = await staged(async (incoming, response) => {
      const body = (await Array.fromAsync(incoming)).join('');
      Object.assign(seen, { method: incoming.method, url: incoming.url, body });
      Object.assign(seen, { headers: incoming.headers });
      response.writeHead(201, { 'X-Answer': 'yes', 'Set-Cookie': ['a=1', 'b=2'] });
      response.end('gut');
    });
    const response = await guard()(`${stage.url}/hook?a=b%20c#part`, request);
    expect(response).toMatchObject({
      status: 201,
      headers: { 'x-answer': 'yes', 'set-cookie': 'a=1, b=2' },
      body: 'gut',
    });
    expect(response.timeMs).toBeGreaterThanOrEqual(0);
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/hook?a=b%20c',
      body: '{"id":"é"}',
      headers: {
        host: `hooks.example.com:${stage.endpoint.port}`,
        'content-length': '11',
        'x-mneme-event': 'memory.created',
        'accept-encoding': 'identity',
      },
    });
  });

  it('returns a redirect without following it', async () => {
    let reached = 0;
    await using other = await startTestEndpoint((_, response) => {
      reached += 1;
      response.end();
    });
    for (const status of [301, 302, 303, 307, 308]) {
      await using stage = await staged((_, response) => {
        response.writeHead(status, { Location: `http://127.0.0.1:${other.port}/` }).end('moved');
      });
      expect(await guard()(stage.url, request)).toMatchObject({ status, body: 'moved' });
    }
    expect(reached).toBe(0);
  });

  it('shares a connection with the previous one', async () => {
    await using stage = await staged((_, response) => response.end('ok'));
    const call = guard();
    for (let turn = 0; turn < 5; turn += 1) await call(stage.url, request);
    expect(stage.endpoint.connections()).toBe(1);
  });

  it('uses a new connection if the kept one was closed', async () => {
    let served = 0;
    await using stage = await bare((socket) => {
      served += 1;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      // The next request finds this connection closed.
      socket.once('data', () => socket.resetAndDestroy());
    });
    const call = guard();
    expect((await call(stage.url, request)).status).toBe(200);
    expect((await call(stage.url, request)).status).toBe(200);
    expect({ served, connections: stage.endpoint.connections() }).toEqual({
      served: 2,
      connections: 2,
    });
  });

  it('ignores proxy settings of the environment and does not keep the process alive', async () => {
    await using stage = await staged((_, response) => response.end('direct'));
    await using proxy = await startTestEndpoint((_, response) => response.end('proxied'));
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
    const proxies = names.map((name) => [name, `http://127.0.0.1:${proxy.port}`]);
    const script = `
      import { systemClock } from '${new URL('../../kernel/clock.ts', import.meta.url)}';
      import { createOutboundFetch } from '${new URL('index.ts', import.meta.url)}';
      const resolve = async () => ['127.0.0.1'];
      const rules = { allowHttp: true, allowPrivate: true };
      const call = createOutboundFetch({ ...rules, clock: systemClock, resolve });
      const response = await call('${stage.url}', ${JSON.stringify(request)});
      console.log(response.body);`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { env: { ...Object.fromEntries(proxies), NODE_USE_ENV_PROXY: '1' } },
    );
    expect(stdout.trim()).toBe('direct');
    expect(proxy.connections()).toBe(0);
  });
});

describe('a secure exchange', () => {
  it('goes to the checked address and proves the name', async () => {
    let host: unknown;
    await using endpoint = await startTestEndpoint(
      (incoming, response) => {
        host = incoming.headers.host;
        response.end('secret');
      },
      { secure: true },
    );
    const call = guard({ ca: endpointCertificate, allowHttp: false });
    const url = (name: string): string => `https://${name}:${endpoint.port}/`;
    expect(await call(url('hooks.example.com'), request)).toMatchObject({ body: 'secret' });
    expect(host).toBe(`hooks.example.com:${endpoint.port}`);
    await expect(call(url('other.example.com'), request)).rejects.toThrow(
      new EgressFailed('No secure connection: ERR_TLS_CERT_ALTNAME_INVALID'),
    );
    await expect(call(url('127.0.0.1'), request)).rejects.toThrow(EgressFailed);
  });

  it('fails with an untrusted certificate', async () => {
    let reached = false;
    await using endpoint = await startTestEndpoint(
      (_, response) => {
        reached = true;
        response.end();
      },
      { secure: true },
    );
    await expect(guard()(`https://hooks.example.com:${endpoint.port}/`, request)).rejects.toThrow(
      new EgressFailed('No secure connection: DEPTH_ZERO_SELF_SIGNED_CERT'),
    );
    expect(reached).toBe(false);
  });

  it('fails with an endpoint without TLS', async () => {
    await using stage = await bare((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    await expect(guard()(stage.url.replace('http:', 'https:'), request)).rejects.toThrow(
      EgressFailed,
    );
  });
});

describe('the response', () => {
  it('is read up to its limit, and then the connection is closed', async () => {
    await using stage = await bare((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const block = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const flood = (): void => {
        while (socket.writable && socket.write(block));
      };
      socket.on('drain', flood);
      flood();
    });
    const response = await guard()(stage.url, { ...request, bodyBytesMax: 1_000 });
    expect(response).toMatchObject({ status: 200, body: 'x'.repeat(1_000) });
    const [socket] = stage.sockets;
    if (socket && !socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  });

  it('may be exactly as long as the limit, and the connection is kept', async () => {
    await using stage = await staged((_, response) => response.end('x'.repeat(1_000)));
    const call = guard();
    const asked = { ...request, bodyBytesMax: 1_000 };
    expect((await call(stage.url, asked)).body).toHaveLength(1_000);
    expect((await call(stage.url, asked)).body).toHaveLength(1_000);
    expect(stage.endpoint.connections()).toBe(1);
  });

  it('that is cut within a character ends before that character', async () => {
    await using stage = await staged((_, response) => response.end('aé€'));
    const bodies = [1, 2, 3, 4, 5, 6].map(async (bodyBytesMax) => {
      const response = await guard()(stage.url, { ...request, bodyBytesMax });
      return response.body;
    });
    expect(await Promise.all(bodies)).toEqual(['a', 'a', 'aé', 'aé', 'aé', 'aé€']);
  });

  it('is never decompressed: a small bomb stays small', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    await using stage = await staged((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    });
    const { body } = await guard()(stage.url, request);
    expect(body.length).toBeLessThanOrEqual(bomb.length);
  });

  it('with endless headers fails', async () => {
    await using stage = await bare((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    });
    await expect(guard()(stage.url, request)).rejects.toThrow(
      new EgressFailed('The response headers are larger than 16384 bytes'),
    );
  });

  it('after endless interim responses fails', async () => {
    await using stage = await bare((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50));
    });
    await expect(guard()(stage.url, request)).rejects.toThrow('too many interim responses');
  });

  it.each([
    ['nothing at all', ''],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['half of the headers', 'HTTP/1.1 200 OK\r\nContent-'],
    ['half of the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
    ['half a switch to another protocol', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n'],
    [
      'a switch to another protocol',
      'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhello',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ])('that is %s is a failure', async (_, text) => {
    await using stage = await bare((socket) => socket.end(text));
    await expect(guard()(stage.url, request)).rejects.toThrow(EgressFailed);
  });

  it('that breaks off is not retried, not even on a kept connection', async () => {
    let asked = 0;
    await using stage = await staged((_, response) => {
      asked += 1;
      if (asked === 1) return response.end('whole');
      response.writeHead(200, { 'Content-Length': '100' }).write('half', () => {
        response.socket?.resetAndDestroy();
      });
      return response;
    });
    const call = guard();
    await call(stage.url, request);
    await expect(call(stage.url, request)).rejects.toThrow(EgressFailed);
    expect(asked).toBe(2);
  });

  it('of an unreachable endpoint is an error that says so', async () => {
    const gone = await startTestEndpoint(() => {});
    await gone[Symbol.asyncDispose]();
    await expect(guard()(`http://hooks.example.com:${gone.port}/`, request)).rejects.toThrow(
      new EgressFailed('The connection was refused'),
    );
  });
});

describe('the time', () => {
  const hanging: readonly [string, (socket: Socket) => void][] = [
    ['before the answer', () => {}],
    ['within the headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nX-A: ')],
    [
      'within the body',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    ],
  ];

  it.each(hanging)('ends an exchange that hangs %s, and its connection', async (_, speak) => {
    const { clock, advance, timers } = manualClock();
    const { promise: spoken, resolve: tell } = Promise.withResolvers<void>();
    await using stage = await bare((socket) => {
      speak(socket);
      tell();
    });
    const outcome = guard({ clock })(stage.url, request).catch((error: unknown) => error);
    await spoken;
    advance(20_000);
    expect(await outcome).toEqual(new EgressFailed('No complete response within 20000 ms'));
    expect(timers.size).toBe(0);
    const [socket] = stage.sockets;
    if (socket && !socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  });

  it('ends an exchange whose name is never resolved', async () => {
    const { clock, advance } = manualClock();
    const call = guard({ clock, resolve: () => new Promise(() => {}) });
    const outcome = call('http://hooks.example.com/', request).catch((error: unknown) => error);
    advance(20_000);
    expect(await outcome).toEqual(new EgressFailed('No complete response within 20000 ms'));
  });

  it('uses the clock that was passed in', async () => {
    const { clock, advance, timers } = manualClock();
    await using stage = await staged((_, response) => {
      advance(1_234);
      response.end();
    });
    expect((await guard({ clock })(stage.url, request)).timeMs).toBe(1_234);
    expect(timers.size).toBe(0);
  });

  it('can be ended by the caller, before and during the exchange', async () => {
    const giving = new AbortController();
    await using stage = await staged(() => giving.abort());
    const asked = { ...request, signal: giving.signal };
    const gaveUp = new EgressFailed('The request was canceled');
    await expect(guard()(stage.url, asked)).rejects.toThrow(gaveUp);
    await expect(guard()(stage.url, asked)).rejects.toThrow(gaveUp);
    expect(stage.endpoint.connections()).toBe(1);
  });
});

describe('the system', () => {
  it('resolves localhost if private addresses are allowed', async () => {
    await using endpoint = await startTestEndpoint((_, response) => response.end('here'));
    const call = createOutboundFetch({ allowHttp: true, allowPrivate: true, clock: systemClock });
    expect((await call(`http://localhost:${endpoint.port}/`, request)).body).toBe('here');
  });
});
