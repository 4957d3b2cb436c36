import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiClient, type ServerTarget } from './api-client.ts';
import { createDataLocation, type DataLocation, toServerEnv } from './data-location.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const baselineScript = path.join(root, '..', 'shared', 'tools', 'floor.mjs');
const startTimeoutMs = 120_000;
const pollMs = 10;
/** USER_HZ of Linux. */
const clockTicksPerSecond = 100;

/** The embedded engine runs with the default embedding model, or with static word vectors. */
export type ServerName = 'yardstick' | 'embedded' | 'embedded (static)' | 'PostgreSQL';

/** A child process that answers. */
export interface RunningServer extends ServerTarget {
  readonly pid: number;
  /** From the spawn to the first answer of /v1/health. */
  readonly startSeconds: number;
  rss(): Promise<Rss>;
  /** User and system time of all threads; throws where the system does not tell it. */
  cpuSeconds(): Promise<number>;
  /** Resolves when the work in the background is done; where the system does not tell, at once. */
  waitUntilIdle(): Promise<void>;
  stop(): Promise<void>;
}

export interface Rss {
  readonly currentMb: number;
  /** The highest since the start; where the system does not tell it, the same as now. */
  readonly peakMb: number;
}

/** A server's place on disk: started as often as one likes, removed at the end. */
export interface Installation extends AsyncDisposable {
  readonly name: ServerName;
  readonly dataDir: string;
  /** Null: embedded. */
  readonly databaseUrl: string | null;
  start(): Promise<RunningServer>;
}

export const hasBaseline = (): boolean => existsSync(baselineScript);

export interface InstallationOptions {
  readonly databaseUrl: string | null;
  /** Where CPU profiles of Mneme's processes go. */
  readonly profileDir: string | null;
  /** Settings of Mneme's beside those of its place. */
  readonly env?: Readonly<Record<string, string>>;
}

/** An empty folder, and on PostgreSQL an empty database. */
export async function createInstallation(
  name: ServerName,
  options: InstallationOptions,
): Promise<Installation> {
  const profileDir = options.profileDir && path.join(path.resolve(options.profileDir), name);
  if (profileDir) await mkdir(profileDir, { recursive: true });
  const place = await createDataLocation(
    name === 'PostgreSQL' ? (options.databaseUrl ?? '') : null,
  );
  return {
    name,
    dataDir: place.dataDir,
    databaseUrl: place.databaseUrl,
    start: () =>
      name === 'yardstick'
        ? startBaseline(place)
        : startMneme(place, profileDir, { ...modelSettings(name), ...options.env }),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

const modelSettings = (name: ServerName): Readonly<Record<string, string>> =>
  name === 'embedded (static)' ? { MNEME_EMBEDDING_PROVIDER: 'static' } : {};

async function startBaseline({ dataDir }: DataLocation): Promise<RunningServer> {
  const port = await freePort();
  const file = path.join(dataDir, 'yardstick.db');
  return start([baselineScript, String(port), file], {}, async () => `http://127.0.0.1:${port}`);
}

/** A server on this folder and database. */
export const startServer = (
  place: Pick<DataLocation, 'dataDir' | 'databaseUrl'>,
  env: InstallationOptions['env'],
): Promise<RunningServer> => startMneme(place, null, env);

async function startMneme(
  place: Pick<DataLocation, 'dataDir' | 'databaseUrl'>,
  profileDir: string | null,
  env: InstallationOptions['env'] = {},
): Promise<RunningServer> {
  const server = await start(
    [path.join(root, 'packages', 'server', 'bin', 'start.mjs')],
    {
      // By the environment, so that the thread of the embedded database is profiled, too.
      ...(profileDir ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileDir}` } : {}),
      ...toServerEnv(place),
      MNEME_LOG_LEVEL: 'warn',
      ...env,
    },
    readListenUrl,
  );
  // Only the first server of a database creates it.
  const key = await readFile(path.join(place.dataDir, 'admin-key'), 'utf8').catch(() => null);
  return { ...server, apiKey: key?.trim() ?? null };
}

export const startTrivialServer = (): Promise<RunningServer> =>
  start([path.join(root, 'bench', 'trivial-server.ts')], {}, readListenUrl);

export const startOtlpSink = (): Promise<RunningServer> =>
  start([path.join(root, 'bench', 'otlp-sink.ts')], {}, readListenUrl);

export const startWebhookReceiver = (): Promise<RunningServer> =>
  start([path.join(root, 'bench', 'webhook-receiver.ts')], {}, readListenUrl);

async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  findUrl: (child: ChildProcess) => Promise<string>,
): Promise<RunningServer> {
  const begun = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...withoutSettings(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout?.setEncoding('utf8');
  child.stderr?.setEncoding('utf8');
  const ended = once(child, 'exit');
  const early = ended.then(([code]) => {
    throw new Error(`${args.join(' ')} ended with ${code}`);
  });
  // After the start its end is no fault any more.
  early.catch(() => {});
  try {
    const deadline = begun + startTimeoutMs;
    const url = await Promise.race([findUrl(child), early, rejectAfterTimeout(deadline)]);
    await Promise.race([waitUntilHealthy({ url, apiKey: null }, deadline), early]);
    const startSeconds = (performance.now() - begun) / 1_000;
    child.stderr?.pipe(process.stderr);
    return {
      url,
      apiKey: null,
      pid: child.pid ?? 0,
      startSeconds,
      rss: () => readRss(child.pid ?? 0),
      cpuSeconds: async () => {
        const seconds = await readCpuSeconds(child.pid ?? 0);
        if (seconds === null) throw new Error('/proc is needed to measure CPU time');
        return seconds;
      },
      waitUntilIdle: () => waitUntilIdle(child.pid ?? 0),
      async stop() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** Settings of the shell must not reach the servers that are measured. */
const withoutSettings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:MNEME|OTEL)_/.test(name)),
  );

/** The address in the start-up messages; what a process printed before it failed is shown. */
async function readListenUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const read = (chunk: string): void => {
      said += chunk;
      const url = /listens on (\S+)\/v1/.exec(said)?.[1];
      if (url) resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      if (code) process.stderr.write(said);
    });
  });
}

async function waitUntilHealthy(target: ServerTarget, deadline: number): Promise<void> {
  using connection = new ApiClient(target, 1);
  for (;;) {
    try {
      await connection.run([{ method: 'GET', path: '/health' }]);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await wait(pollMs);
    }
  }
}

async function rejectAfterTimeout(deadline: number): Promise<never> {
  await wait(deadline - performance.now(), undefined, { ref: false });
  throw new Error(`a server did not start within ${startTimeoutMs / 1_000} s`);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Below this share of a core over `idleMs` a process does nothing but look for work. */
const idleShareMax = 0.1;
const idleMs = 2_000;

async function waitUntilIdle(pid: number): Promise<void> {
  for (let before = await readCpuSeconds(pid); before !== null; ) {
    await wait(idleMs);
    const now = await readCpuSeconds(pid);
    if (now === null || now - before < (idleShareMax * idleMs) / 1_000) return;
    before = now;
  }
}

/** User and system time of all threads; null where the system does not tell it. */
async function readCpuSeconds(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The name in parentheses may contain spaces; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
}

async function readRss(pid: number): Promise<Rss> {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) {
    const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString());
    return { currentMb: kilobytes / 1_024, peakMb: kilobytes / 1_024 };
  }
  const text = await readFile(status, 'utf8');
  const field = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1_024;
  return { currentMb: field('VmRSS'), peakMb: field('VmHWM') };
}
