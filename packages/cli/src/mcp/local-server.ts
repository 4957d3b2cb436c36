import { existsSync } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CliError } from '../errors.ts';
import { monotonicMs, sleep } from '../kernel.ts';
import { spawnServerInBackground } from '../server-program.ts';
import type { CliSettings } from '../settings.ts';
import { acquireClientLease, type ClientLease } from './client-lease.ts';

const startTimeoutMs = 60_000;
const pollMs = 100;
/** A second server of the same folder ends at once: its lock or its port is taken. */
const respawnMs = 3_000;
const logName = 'mcp-server.log';

/** The data folder of a server on this machine, and the folder where that server runs. */
interface LocalData {
  readonly dataDir: string;
  /** Where its default data folder is this one; undefined: the settings name the folder. */
  readonly workingFolder: string | undefined;
}

/**
 * The data folder of the settings; without one, `.mneme/data` in the home folder, so that a client
 * that starts in some project leaves no data there.
 */
export function findLocalData({ keyFile }: CliSettings): LocalData {
  const dataDir = path.dirname(keyFile);
  const isDefault = dataDir === path.resolve('data');
  if (!isDefault || existsSync(dataDir)) return { dataDir, workingFolder: undefined };
  const workingFolder = path.join(os.homedir(), '.mneme');
  return { dataDir: path.join(workingFolder, 'data'), workingFolder };
}

/** Whether a server answers at the URL, of whatever state. */
async function isServerRunning(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(startTimeoutMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** A server on the local data folder that all clients of this machine share. */
export class LocalServer {
  readonly #url: string;
  readonly #data: LocalData;
  #lease: ClientLease | null = null;
  #starting: Promise<void> | null = null;

  constructor(url: string, data: LocalData) {
    this.#url = url;
    this.#data = data;
  }

  /**
   * Resolves when the server is ready; starts it if none runs. Throws CliError `start_failed` with
   * the last line of its log.
   */
  ensureRunning(): Promise<void> {
    this.#starting ??= this.#ensureRunning().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #ensureRunning(): Promise<void> {
    const { dataDir } = this.#data;
    // The data of this server is elsewhere, for example in a container.
    if (!existsSync(dataDir) && (await isServerRunning(this.#url))) return;
    // Before the first look: a server that is about to end sees the new client.
    if (this.#lease === null) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      this.#lease = await acquireClientLease(dataDir);
    }
    const deadlineMs = monotonicMs() + startTimeoutMs;
    let spawnedMs = Number.NEGATIVE_INFINITY;
    let running: { hasEnded: boolean } | null = null;
    while (!(await isServerRunning(this.#url))) {
      if (monotonicMs() > deadlineMs) throw await this.#startError();
      const isDue = monotonicMs() - spawnedMs > respawnMs;
      if (running === null || (running.hasEnded && isDue)) {
        running = await this.#spawn();
        spawnedMs = monotonicMs();
      }
      await sleep(pollMs);
    }
  }

  async #spawn(): Promise<{ hasEnded: boolean }> {
    const log = await open(path.join(this.#data.dataDir, logName), 'a', 0o600);
    try {
      return spawnServerInBackground(['start', '--until-unused'], {
        workingFolder: this.#data.workingFolder,
        outputFile: log.fd,
      });
    } finally {
      await log.close();
    }
  }

  async #startError(): Promise<CliError> {
    const file = path.join(this.#data.dataDir, logName);
    const log = await readFile(file, 'utf8').catch(() => '');
    const last = log.trimEnd().split('\n').at(-1) ?? '';
    const message = `The server did not start within a minute. ${file} ends with: ${last}`;
    return new CliError('start_failed', message);
  }

  /** The server may end, if no other client is left. */
  async release(): Promise<void> {
    await this.#lease?.release();
  }
}
