import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@mneme/sdk';
import { copyTree } from '../../packages/server/src/database/embedded/sync-files.ts';
import {
  makeTestDatabase,
  makeTestDataDir,
  makeTestFolder,
} from '../../packages/server/src/database/testing.ts';
import { assertNoSecrets } from './assert-no-secrets.ts';
import { registerRecordedService } from './http-exchanges.ts';
import type { engines } from './service.ts';

/** Starts the server as users do: as a separate process with signals and an exit code. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const migrations = path.join(root, 'packages/server/migrations');
/**
 * The command of the server's program. It lives for seconds, and to optimise its database's
 * WebAssembly takes a third of the CPU time of these.
 */
export const serverProgram: readonly string[] = [
  process.execPath,
  '--liftoff-only',
  path.join(root, 'packages/server/bin/start.mjs'),
];
const readyMs = 60_000;
const stopMs = 90_000;
const outputCharactersMax = 8_000_000;

/** The storage of a server; several servers may share a database. */
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
  /** Rejects if the output contains a secret. */
  readonly ended: Promise<Exit>;
  /** Undefined while it runs. */
  exit(): Exit | undefined;
  /** Standard output and standard error so far. */
  output(): string;
  /** Resolves when the output matches; rejects if the process ends first. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal and waits for the exit. `group` also signals its children. */
  kill(signal: NodeJS.Signals, to?: 'process' | 'group'): Promise<Exit>;
}

export interface ServerProcess extends LaunchedProcess {
  readonly url: string;
  /** From the data folder; empty if another process created it. */
  readonly adminKey: string;
  readonly readyMs: number;
  /** Without retries, so that tests see each error. */
  client(apiKey?: string): Client;
}

export interface LaunchOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A command that runs the server's command, such as a tracer. */
  readonly wrapper?: readonly string[];
  /** Replaces Node.js with the server's entry point. */
  readonly command?: readonly string[];
}

const running = new Set<ChildProcess>();
/** Kills servers that timed-out tests or a killed worker leave behind. */
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

/** Starts the server without waiting, since it may refuse to start. */
export function launchServer(location: DataLocation, options: LaunchOptions = {}): LaunchedProcess {
  const serverCommand = options.command ?? serverProgram;
  const [command = '', ...parameters] = [...(options.wrapper ?? []), ...serverCommand];
  // A separate process group, so that its children can be killed with it.
  const child = spawn(command, parameters, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutSettings(process.env),
      MNEME_PORT: '0',
      MNEME_LOG_LEVEL: 'trace',
      // As in `startService`: tests of the encoder choose it.
      MNEME_EMBEDDING_PROVIDER: 'static',
      MNEME_DATA_DIR: location.dataDir,
      ...(location.databaseUrl === null ? {} : { MNEME_DATABASE_URL: location.databaseUrl }),
      ...options.env,
    },
  });
  running.add(child);
  return trackProcess(child, () => secretsOf(location, options.env ?? {}));
}

/** The secrets that are known after the server has ended. */
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

/** Ignores settings of the developer's shell. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MNEME_')));

function trackProcess(child: ChildProcess, secrets: () => string[]): LaunchedProcess {
  let output = '';
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputCharactersMax);
      notify();
    });
  }
  let exit: Exit | undefined;
  const ended = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      exit = { code, signal };
      running.delete(child);
      notify();
      try {
        assertNoSecrets(output.split('\n'), secrets());
        resolve(exit);
      } catch (error) {
        reject(error as Error);
      }
    });
  });
  const waitForMatch = (pattern: RegExp) =>
    waitFor(
      listeners,
      () => pattern.exec(output),
      () => exit,
    );
  /** Fails with the output if a stop takes too long: a timeout of the test would not show it. */
  const untilStopped = (): Promise<Exit> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const tail = output.slice(-20_000);
      late.reject(
        new Error(`not stopped ${stopMs} ms after SIGTERM; the output ends with:\n${tail}`),
      );
    }, stopMs);
    return Promise.race([ended, late.promise]).finally(() => clearTimeout(timer));
  };
  const kill = (signal: NodeJS.Signals, to = 'process'): Promise<Exit> => {
    if (to === 'group') signalGroup(child, signal);
    else child.kill(signal);
    return signal === 'SIGTERM' ? untilStopped() : ended;
  };
  return {
    pid: child.pid ?? 0,
    ended,
    exit: () => exit,
    output: () => output,
    waitForOutput: (pattern) =>
      waitForMatch(pattern).catch((error: Error) => {
        throw new Error(`${error.message}, waiting for ${pattern}; output:\n${output}`);
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
  match: () => T | null,
  exitOf: () => Exit | undefined,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      listeners.delete(check);
      settle();
    };
    const check = (): void => {
      const result = match();
      const exit = exitOf();
      if (result !== null) finish(() => resolve(result));
      else if (exit) finish(() => reject(new Error(`ended with ${exit.code ?? exit.signal}`)));
    };
    const timer = setTimeout(
      () => finish(() => reject(new Error(`no match within ${readyMs} ms`))),
      readyMs,
    );
    listeners.add(check);
    check();
  });
}

/** Starts the server and waits until it listens. */
export async function startServerProcess(
  location: DataLocation,
  options: LaunchOptions = {},
): Promise<ServerProcess> {
  const startedAt = performance.now();
  const launched = launchServer(location, options);
  try {
    const [, url = ''] = await launched.waitForOutput(/listens on (http:\S+)\/v1 /);
    const waitedMs = performance.now() - startedAt;
    const keyFile = path.join(location.dataDir, 'admin-key');
    const storedKey = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : '';
    const adminKey = options.env?.MNEME_ADMIN_KEY ?? storedKey;
    const client = (apiKey = adminKey): Client => createClient({ url, apiKey, retries: 0 });
    const server = { ...launched, url, adminKey, readyMs: waitedMs, client };
    registerRecordedService(url, server);
    return server;
  } catch (error) {
    await launched[Symbol.asyncDispose]();
    throw error;
  }
}

/** Creates fresh storage; with `migrated: false`, the database is empty or missing. */
export async function createDataLocation(
  engine: (typeof engines)[number],
  { migrated = true }: { migrated?: boolean } = {},
): Promise<DataLocation> {
  if (engine === 'embedded' && migrated) {
    return { databaseUrl: null, ...(await makeTestDataDir({ migrations, onDisk: true })) };
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

/** Creates a copy of a place that no process uses. */
export async function copyDataLocation(location: DataLocation): Promise<DataLocation> {
  const dataDir = path.join(await makeTestFolder({ onDisk: true }), 'data');
  copyTree(location.dataDir, dataDir);
  const removeFolder = () => fs.rm(path.dirname(dataDir), { recursive: true, force: true });
  if (location.databaseUrl === null) return { dataDir, databaseUrl: null, remove: removeFolder };
  const url = process.env.MNEME_TEST_DATABASE_URL ?? '';
  const database = await makeTestDatabase(url, { copyOf: location.databaseUrl });
  return {
    dataDir,
    databaseUrl: database.url,
    async remove() {
      await database.drop();
      await removeFolder();
    },
  };
}

/** Creates another data folder with the same secret key and the database of `place`. */
export async function createSiblingLocation(location: DataLocation): Promise<DataLocation> {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-test-'));
  const [ownKey, existingKey] = [dataDir, location.dataDir].map((folder) =>
    path.join(folder, 'secret-key'),
  );
  if (!existsSync(existingKey ?? '')) {
    await fs.writeFile(existingKey ?? '', 'one secret key for all the processes\n', {
      mode: 0o600,
    });
  }
  await fs.copyFile(existingKey ?? '', ownKey ?? '');
  return {
    dataDir,
    databaseUrl: location.databaseUrl,
    remove: () => fs.rm(dataDir, { recursive: true, force: true }),
  };
}
