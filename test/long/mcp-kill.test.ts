import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../packages/server/src/database/testing.ts';
import { eventually } from '../support/eventually.ts';
import { startServerProcess } from '../support/server-process.ts';

const rounds = Number(process.env.MNEME_TEST_ROUNDS ?? 20);
const bin = fileURLToPath(new URL('../../packages/cli/bin/mneme.mjs', import.meta.url));
const idPattern = /\[([0-9a-f-]{36})\]/;

interface Connected {
  readonly client: Client;
  readonly pid: number;
}

/** An agent that stores one memory after the other, and connects again when its program is gone. */
class Agent implements AsyncDisposable {
  readonly stored = new Map<string, string>();
  readonly #name: string;
  readonly #connect: () => Promise<Connected>;
  readonly #running: Promise<void>;
  #connected: Connected | undefined;
  #isStopped = false;

  constructor(name: string, connect: () => Promise<Connected>) {
    this.#name = name;
    this.#connect = connect;
    this.#running = this.#run();
  }

  /** The process of `mneme mcp`. */
  get pid(): number | undefined {
    return this.#connected?.pid;
  }

  async #run(): Promise<void> {
    for (let number = 0; !this.#isStopped; number += 1) {
      const content = `${this.#name} saw train number ${number}.`;
      try {
        this.#connected ??= await this.#connect();
        const options = { timeout: 60_000 };
        const call = { name: 'remember', arguments: { content } };
        const answer = await this.#connected.client.callTool(call, options);
        const [, id] = idPattern.exec(JSON.stringify(answer.content)) ?? [];
        if (answer.isError !== true && id !== undefined) this.stored.set(id, content);
      } catch {
        await this.#connected?.client.close().catch(() => undefined);
        this.#connected = undefined;
      }
    }
    await this.#connected?.client.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }
}

/** The process that holds the lock of the data folder; undefined while there is none. */
async function findServer(dataDir: string): Promise<number | undefined> {
  const lock = await fs.stat(path.join(dataDir, 'lock.db')).catch(() => undefined);
  const locks = await fs.readFile('/proc/locks', 'utf8');
  const held = locks.split('\n').map((line) => line.split(/\s+/));
  const entry = held.find((fields) => fields[5]?.endsWith(`:${lock?.ino}`));
  return entry?.[4] === undefined ? undefined : Number(entry[4]);
}

describe(`${rounds} kills of two MCP programs and of the server that they share`, () => {
  it('lose nothing that was acknowledged', async () => {
    const home = await makeTestFolder({ onDisk: true });
    const dataDir = path.join(home, 'data');
    const env = {
      HOME: home,
      PATH: process.env.PATH ?? '',
      MNEME_DATA_DIR: dataDir,
      MNEME_PORT: String(28_000 + (process.pid % 1_000)),
      MNEME_EMBEDDING_PROVIDER: 'static',
    };
    const connect = async (): Promise<Connected> => {
      const program = { command: process.execPath, args: [bin, 'mcp'], env, cwd: home };
      const transport = new StdioClientTransport({ ...program, stderr: 'ignore' });
      const client = new Client({ name: 'kill-test', version: '1.0.0' });
      try {
        await client.connect(transport);
      } catch (error) {
        await client.close().catch(() => undefined);
        throw error;
      }
      return { client, pid: transport.pid ?? 0 };
    };
    const acknowledged = new Map<string, string>();
    const killed = { server: 0, program: 0 };
    {
      await using ana = new Agent('Ana', connect);
      await using ben = new Agent('Ben', connect);
      const agents = [ana, ben];
      for (let round = 0; round < rounds; round += 1) {
        const before = agents.map(({ stored }) => stored.size);
        await eventually(
          async () => agents.every(({ stored }, i) => stored.size > (before[i] ?? 0) + (round % 5)),
          (isEnough) => isEnough,
          120_000,
        );
        const isProgram = round % 3 === 2;
        const pid = isProgram ? agents[round % 2]?.pid : await findServer(dataDir);
        if (pid === undefined) continue;
        process.kill(pid, 'SIGKILL');
        killed[isProgram ? 'program' : 'server'] += 1;
      }
      await ana[Symbol.asyncDispose]();
      await ben[Symbol.asyncDispose]();
      for (const { stored } of agents) for (const [id, text] of stored) acknowledged.set(id, text);
    }
    expect(killed.server).toBeGreaterThan(rounds / 2);
    expect(killed.program).toBeGreaterThan(rounds / 5);

    // The shared server ends once its clients have left.
    const end = 60_000;
    await eventually(
      () => findServer(dataDir),
      (pid) => pid === undefined,
      end,
    );
    const remove = () => fs.rm(home, { recursive: true, force: true });
    await using server = await startServerProcess({ dataDir, databaseUrl: null, remove });
    const found = new Map<string, string>();
    for await (const { id, content } of server.client().memories.list({ query: { limit: 100 } })) {
      found.set(id, content);
    }
    const lost = [...acknowledged].filter(([id, text]) => found.get(id) !== text);
    expect(lost).toEqual([]);
    expect(new Set(found.values()).size).toBe(found.size);
    expect(acknowledged.size).toBeGreaterThan(rounds * 2);
    await remove();
  });
});
