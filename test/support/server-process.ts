import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@mneme/sdk';
import { makeDataDir, makeTestDatabase } from '../../packages/server/src/database/testing.ts';
import { assertNoSecrets } from './assert-no-secrets.ts';
import { registerService } from './exchanges.ts';
import type { engines } from './service.ts';

/** The server as users start it: a process of its own, with real signals and a real end. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const migrations = path.join(root, 'packages/server/migrations');
const entry = path.join(root, 'packages/server/bin/start.mjs');
const readyMs = 60_000;
const outputCharactersMax = 8_000_000;

/** Where a server keeps what it stores; several may share the database of one. */
export interface DataLocation {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  remove(): Promise<void>;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface LaunchedProcess extends AsyncDisposable {
  readonly pid: number;
  /** Rejects when a secret stood in the output. */
  readonly ended: Promise<Exit>;
  /** How it ended; undefined while it runs. */
  exit(): Exit | undefined;
  /** Standard output and standard error, as far as they came. */
  output(): string;
  /** Resolves once the output matches; rejects when the process ended before. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal and waits for the end. `group` sends it to its children as well. */
  kill(signal: NodeJS.Signals, to?: 'process' | 'group'): Promise<Exit>;
}

export interface ServerProcess extends LaunchedProcess {
  readonly url: string;
  /** As the data folder has it; empty where another process made it. */
  readonly adminKey: string;
  readonly readyMs: number;
  /** Without retries, so that a test sees what was said. */
  client(apiKey?: string): Client;
}

export interface LaunchOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Put before the server's own command, such as a tracer. */
  readonly wrapper?: readonly string[];
  /** Instead of Node with the server's entry. */
  readonly command?: readonly string[];
}

const running = new Set<ChildProcess>();
/** For what a test that ran out of time leaves behind, and in case of a rude end. */
export const killAllServers = (): void => {
  for (const child of running) signalGroup(child, 'SIGKILL');
};
process.on('exit', killAllServers);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    killAllServers();
    process.kill(process.pid, signal);
  });
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Starts the server without waiting for it: it may be about to refuse. */
export function launchServer(place: DataLocation, options: LaunchOptions = {}): LaunchedProcess {
  const own = options.command ?? [process.execPath, entry];
  const [command = '', ...parameters] = [...(options.wrapper ?? []), ...own];
  // A group of its own, so that whatever it starts ends with it.
  const child = spawn(command, parameters, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutSettings(process.env),
      MNEME_PORT: '0',
      MNEME_LOG_LEVEL: 'trace',
      MNEME_DATA_DIR: place.dataDir,
      ...(place.databaseUrl === null ? {} : { MNEME_DATABASE_URL: place.databaseUrl }),
      ...options.env,
    },
  });
  running.add(child);
  return trackProcess(child, () => secretsOf(place, options.env ?? {}));
}

/** As far as they are known when the server has ended. */
function secretsOf({ dataDir }: DataLocation, env: Readonly<Record<string, string>>): string[] {
  const file = path.join(dataDir, 'secret-key');
  const names = [
    'MNEME_SECRET_KEY',
    'MNEME_TOKEN_SECRET',
    'MNEME_EMBEDDING_API_KEY',
    'MNEME_LLM_API_KEY',
  ];
  return [
    ...(existsSync(file) ? [readFileSync(file, 'utf8').trim()] : []),
    ...names.map((name) => env[name] ?? ''),
  ];
}

/** What the developer's shell says about a service of theirs is not meant for this one. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MNEME_')));

function trackProcess(child: ChildProcess, secrets: () => string[]): LaunchedProcess {
  let output = '';
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputCharactersMax);
      tell();
    });
  }
  let exit: Exit | undefined;
  const ended = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      exit = { code, signal };
      running.delete(child);
      tell();
      try {
        assertNoSecrets(output.split('\n'), secrets());
        resolve(exit);
      } catch (error) {
        reject(error as Error);
      }
    });
  });
  const said = (pattern: RegExp) =>
    waitFor(
      listeners,
      () => pattern.exec(output),
      () => exit,
    );
  const kill = (signal: NodeJS.Signals, to = 'process'): Promise<Exit> => {
    if (to === 'group') signalGroup(child, signal);
    else child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid ?? 0,
    ended,
    exit: () => exit,
    output: () => output,
    waitForOutput: (pattern) =>
      said(pattern).catch((error: Error) => {
        throw new Error(`${error.message}, waiting for ${pattern}; it said:\n${output}`);
      }),
    kill,
    async [Symbol.asyncDispose]() {
      if (exit === undefined) await kill('SIGKILL', 'group');
      else await ended;
    },
  };
}

function waitFor<T>(
  listeners: Set<() => void>,
  look: () => T | null,
  exitOf: () => Exit | undefined,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(patience);
      listeners.delete(check);
      settle();
    };
    const check = (): void => {
      const found = look();
      const exit = exitOf();
      if (found !== null) finish(() => resolve(found));
      else if (exit) finish(() => reject(new Error(`ended with ${exit.code ?? exit.signal}`)));
    };
    const patience = setTimeout(
      () => finish(() => reject(new Error(`silent for ${readyMs} ms`))),
      readyMs,
    );
    listeners.add(check);
    check();
  });
}

/** Starts the server and waits until it says that it listens. */
export async function startServerProcess(
  place: DataLocation,
  options: LaunchOptions = {},
): Promise<ServerProcess> {
  const begun = performance.now();
  const launched = launchServer(place, options);
  try {
    const [, url = ''] = await launched.waitForOutput(/listens on (http:\S+)\/v1 /);
    const waitedMs = performance.now() - begun;
    const keyFile = path.join(place.dataDir, 'admin-key');
    const kept = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : '';
    const adminKey = options.env?.MNEME_ADMIN_KEY ?? kept;
    const client = (apiKey = adminKey): Client => createClient({ url, apiKey, retries: 0 });
    const server = { ...launched, url, adminKey, readyMs: waitedMs, client };
    registerService(url, server);
    return server;
  } catch (error) {
    await launched[Symbol.asyncDispose]();
    throw error;
  }
}

/** A fresh place of its own; with `migrated: false` its database is empty, or is not there. */
export async function createDataLocation(
  engine: (typeof engines)[number],
  { migrated = true }: { migrated?: boolean } = {},
): Promise<DataLocation> {
  if (engine === 'embedded' && migrated) {
    return { databaseUrl: null, ...(await makeDataDir({ migrations, onDisk: true })) };
  }
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-test-'));
  const removeFolder = () => fs.rm(dataDir, { recursive: true, force: true });
  if (engine === 'embedded') return { dataDir, databaseUrl: null, remove: removeFolder };
  const url = process.env.MNEME_TEST_DATABASE_URL ?? '';
  const database = await makeTestDatabase(url, migrated ? { migrations } : {});
  return {
    dataDir,
    databaseUrl: database.url,
    async remove() {
      await database.drop();
      await removeFolder();
    },
  };
}

/** A data folder of its own, with the same secret key, beside the database of another place. */
export async function createSiblingLocation(place: DataLocation): Promise<DataLocation> {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-test-'));
  const [own, theirs] = [dataDir, place.dataDir].map((folder) => path.join(folder, 'secret-key'));
  if (!existsSync(theirs ?? '')) {
    await fs.writeFile(theirs ?? '', 'one secret key for all the processes\n', { mode: 0o600 });
  }
  await fs.copyFile(theirs ?? '', own ?? '');
  return {
    dataDir,
    databaseUrl: place.databaseUrl,
    remove: () => fs.rm(dataDir, { recursive: true, force: true }),
  };
}
