import fs from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../../packages/server/src/database/testing.ts';
import { eventually } from '../../support/eventually.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { runCli } from '../cli/run-cli.ts';
import { idsIn, type McpTestClient, type StdioProgram, stdioKinds } from './mcp-clients.ts';
import { runTasks } from './scenario.ts';

const bin = fileURLToPath(new URL('../../../packages/cli/bin/mneme.mjs', import.meta.url));
const [[, connectAuto], [, connectLegacy], [, connectV1]] = stdioKinds;
/** The grace period of a shared server, the interval of its checks, and a slow machine. */
const endMs = 40_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

const isListening = async (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

describe.each(oneEngine)('mneme mcp with a running service on %s', (engine) => {
  let service: Service;
  let folder = '';
  beforeAll(async () => {
    service = await startService(engine);
    folder = await makeTestFolder();
  });
  afterAll(async () => {
    await service.stop();
    await fs.rm(folder, { recursive: true, force: true });
  });
  const env = (key: string) => ({ MNEME_URL: service.url, MNEME_API_KEY: key, HOME: folder });
  const program = (key: string, ...args: string[]): StdioProgram => ({
    command: process.execPath,
    args: [bin, 'mcp', ...args],
    env: env(key),
    cwd: folder,
  });

  it.each(stdioKinds)(
    'runs thirty tasks with the official client %s',
    async (_name, connect, is) => {
      const { key } = await service.createAccount();
      await using mcp = await connect(program(key));
      expect(mcp.protocol).toBe(is);
      expect(await runTasks(mcp)).toBe(30);
    },
  );

  it('is limited to a space, and offers the profile', async () => {
    const { key, client } = await service.createAccount();
    const { id } = await client.spaces.create({ body: { name: 'trip to Chíos' } });
    await using mcp = await connectAuto(program(key, '--space', 'trip to Chíos'));
    const [stored = ''] = idsIn(
      (await mcp.call('remember', { content: 'The boat is blue.' })).text,
    );
    expect((await client.memories.get({ params: { id: stored } })).space_id).toBe(id);
    await using other = await connectV1(program(key, '--tools', 'openai'));
    expect((await other.listTools()).map(({ name }) => name)).toEqual(['search', 'fetch']);
  });

  it('reports what is wrong with the key, the space and the input as errors', async () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const wrong = await runCli(['mcp'], env('mnk_wrong'), ping);
    expect(JSON.parse(wrong.stdout)).toMatchObject({
      id: 1,
      error: { message: expect.stringMatching(/^invalid_api_key: .*Set MNEME_API_KEY/) },
    });
    const { key } = await service.createAccount();
    const nowhere = await runCli(['mcp', '--space', 'nowhere'], env(key), ping);
    expect(nowhere.stdout).toContain('space_not_found');
    const notJson = await runCli(['mcp'], env(key), `hello\n\n${ping}`);
    const [first = '', second = ''] = notJson.stdout.split('\n');
    expect(JSON.parse(first)).toMatchObject({ id: null, error: { code: -32_700 } });
    expect(JSON.parse(second)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(notJson.code).toBe(0);
  });

  it('creates no data where the service has its own', async () => {
    expect(await fs.readdir(folder)).toEqual([]);
  });
});

describe('mneme mcp without a running service', () => {
  const folders: string[] = [];
  const ports: number[] = [];
  const clients: McpTestClient[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client[Symbol.asyncDispose]();
  });
  afterAll(async () => {
    // The servers end by themselves once their clients have left.
    for (const port of ports) {
      await eventually(
        () => isListening(port),
        (listens) => !listens,
        endMs,
      );
    }
    const options = { recursive: true, force: true, maxRetries: 20, retryDelay: 500 };
    for (const folder of folders) await fs.rm(folder, options);
  }, 120_000);

  const makeProgram = async (): Promise<{ port: number; home: string; program: StdioProgram }> => {
    const home = await makeTestFolder({ onDisk: true });
    folders.push(home);
    const port = await freePort();
    ports.push(port);
    const env = {
      HOME: home,
      PATH: process.env.PATH ?? '',
      MNEME_PORT: String(port),
      MNEME_EMBEDDING_PROVIDER: 'static',
    };
    return {
      port,
      home,
      program: { command: process.execPath, args: [bin, 'mcp'], env, cwd: home },
    };
  };
  const connect = async (
    kind: (program: StdioProgram) => Promise<McpTestClient>,
    program: StdioProgram,
  ): Promise<McpTestClient> => {
    const client = await kind(program);
    clients.push(client);
    return client;
  };

  it('starts one that two clients share; the first one leaves, the second goes on', async () => {
    const { port, home, program } = await makeProgram();
    const [first, second] = await Promise.all([
      connect(connectAuto, program),
      connect(connectV1, program),
    ]);
    const { text } = await first.call('remember', { content: 'Ana prefers tea.' });
    expect((await second.call('recall', { query: 'tea' })).text).toContain(idsIn(text)[0]);
    const dataDir = path.join(home, '.mneme', 'data');
    const leases = () => fs.readdir(path.join(dataDir, 'mcp-clients'));
    // A client that has waited too long for the first start has ended one process and begun again.
    await expect.poll(leases).toHaveLength(2);
    await first[Symbol.asyncDispose]();
    await expect.poll(leases).toHaveLength(1);

    await second.call('remember', { content: 'Ben prefers coffee.' });
    const third = await connect(connectLegacy, program);
    expect(
      idsIn((await third.call('recall', { query: 'what do they prefer?' })).text),
    ).toHaveLength(2);
    await second[Symbol.asyncDispose]();
    await third[Symbol.asyncDispose]();
    await expect.poll(leases).toEqual([]);
    await expect.poll(() => isListening(port), { timeout: endMs, interval: 500 }).toBe(false);
    const log = await fs.readFile(path.join(dataDir, 'mcp-server.log'), 'utf8');
    expect(log).toContain('"signal":"unused"');

    // What was stored is there for the next client, which starts the next server.
    const next = await connect(connectAuto, program);
    expect(idsIn((await next.call('recall', { query: 'what do they prefer?' })).text)).toHaveLength(
      2,
    );
  }, 180_000);

  it('starts the server again that was killed during a session', async () => {
    const { port, program } = await makeProgram();
    const location = await createDataLocation('embedded', { migrated: false });
    folders.push(location.dataDir);
    const settings = { MNEME_PORT: String(port), MNEME_EMBEDDING_PROVIDER: 'static' };
    await using server = await startServerProcess(location, { env: settings });
    const env = { ...program.env, MNEME_DATA_DIR: location.dataDir };
    const mcp = await connect(connectAuto, { ...program, env });
    const { text } = await mcp.call('remember', { content: 'Ana prefers tea.' });
    await server.kill('SIGKILL');
    expect(idsIn((await mcp.call('recall', { query: 'tea' })).text)).toEqual(idsIn(text));
  }, 180_000);

  it('says where it looked if the service is on another machine', async () => {
    const { program } = await makeProgram();
    const env = { ...program.env, MNEME_URL: 'http://service.invalid', MNEME_API_KEY: 'mnk_x' };
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const { stdout } = await runCli(['mcp'], env, ping);
    expect(stdout).toContain('No response from http://service.invalid/mcp');
  });
});
