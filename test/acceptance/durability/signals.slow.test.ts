import { readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createDataLocation,
  launchServer,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines, oneEngine } from '../../support/service.ts';

/** A request whose head the server has taken and whose body is still to come. */
interface Running {
  /** Sends the body; resolves with the whole answer as text. */
  finish(): Promise<string>;
}

async function begin(server: { url: string; adminKey: string }, content: string): Promise<Running> {
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify({ content });
  const socket = net.connect(Number(port), hostname);
  socket.setEncoding('utf8');
  let answer = '';
  const continued = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  socket.on('data', (text) => {
    answer += text;
    if (answer.includes('100 Continue\r\n\r\n')) continued.resolve();
  });
  socket.on('error', ended.reject).on('close', () => ended.resolve(answer));
  socket.write(
    'POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n' +
      `Authorization: Bearer ${server.adminKey}\r\nContent-Type: application/json\r\n` +
      `Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  // The server has seen the head once it says so.
  await Promise.race([continued.promise, ended.promise]);
  return {
    finish: () => {
      socket.write(body);
      return ended.promise;
    },
  };
}

async function isRefused(server: ServerProcess): Promise<boolean> {
  const { hostname, port } = new URL(server.url);
  const socket = net.connect(Number(port), hostname);
  const refused = await new Promise<boolean>((resolve) => {
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
  });
  socket.destroy();
  return refused;
}

describe.each(engines)('SIGTERM on %s', (engine) => {
  it('refuses the new, finishes what runs, and exits with 0', async () => {
    const place = await createDataLocation(engine);
    await using server = await startServerProcess(place, { env: { MNEME_LOG_LEVEL: 'info' } });
    const request = await begin(server, 'Sent before SIGTERM.');
    const exit = server.kill('SIGTERM');
    await server.waitForOutput(/"stopping"/);
    while (!(await isRefused(server))) {
      // Closing is under way: soon nobody listens.
    }
    expect(await request.finish()).toMatch(/HTTP\/1\.1 201 /);
    expect(await exit).toEqual({ code: 0, signal: null });
    await using again = await startServerProcess(place);
    const { data } = await again.client().memories.list();
    expect(data.map(({ content }) => content)).toEqual(['Sent before SIGTERM.']);
    await again[Symbol.asyncDispose]();
    await place.remove();
  });
});

// The database has no part in these; npm passes SIGINT on below.
describe.each(oneEngine)('SIGINT on %s', (engine) => {
  it('ends a request that never comes to an end when its time is up', async () => {
    const place = await createDataLocation(engine);
    const env = { MNEME_SHUTDOWN_SECONDS: '1' };
    await using server = await startServerProcess(place, { env });
    const stuck = await begin(server, 'Never sent.');
    expect(await server.kill('SIGINT')).toEqual({ code: 0, signal: null });
    await stuck.finish().catch(() => 'reset');
    await place.remove();
  });
});

describe('Ctrl-C at npm start', () => {
  it('finishes what runs, with every process of the terminal signalled', async () => {
    const place = await createDataLocation('embedded');
    const env = { MNEME_LOG_LEVEL: 'info' };
    await using npm = launchServer(place, { env, command: ['npm', 'start'] });
    const [, url = ''] = await npm.waitForOutput(/listens on (http:\S+)\/v1 /);
    await npm.waitForOutput(/--data-urlencode/);
    const adminKey = (await readFile(path.join(place.dataDir, 'admin-key'), 'utf8')).trim();
    const request = await begin({ url, adminKey }, 'Sent before Ctrl-C.');
    const exit = npm.kill('SIGINT', 'group');
    await npm.waitForOutput(/"stopping"/);
    expect(await request.finish()).toMatch(/HTTP\/1\.1 201 /);
    await exit;
    await using again = await startServerProcess(place);
    const { data } = await again.client().memories.list();
    expect(data.map(({ content }) => content)).toEqual(['Sent before Ctrl-C.']);
    await again[Symbol.asyncDispose]();
    await place.remove();
  });
});
