import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';

/** A PostgreSQL that a test may kill, since it is nobody else's. */
export interface OwnPostgres {
  readonly url: string;
  /** SIGKILL to the server's first process; the others end of it. */
  kill(): void;
  /** Resolves when it answers again. */
  start(): Promise<void>;
  stop(): void;
}

const script = fileURLToPath(new URL('../../../shared/tools/postgres-server.sh', import.meta.url));
const port = 54_377;

/**
 * By the script beside the repository, in the folder that MNEME_TEST_POSTGRES_DIR names; for tests
 * that `isAvailable('ownPostgres')` lets run.
 */
export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = process.env.MNEME_TEST_POSTGRES_DIR ?? '';
  if (!fs.existsSync(script)) throw new Error(`${script} is missing`);
  const run = (...parameters: string[]): string | null => {
    // Its output would hold a pipe open for as long as the server lives.
    const { status } = spawnSync('bash', [script, ...parameters], { stdio: 'ignore' });
    return status === 0 ? null : `postgres-server.sh ${parameters[0]} ended with ${status}`;
  };
  const start = async (): Promise<void> => {
    await eventually(
      async () => run('start', folder, String(port)),
      (fault) => fault === null,
      60_000,
    );
  };
  const fault = run('install', folder);
  if (fault !== null) throw new Error(fault);
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    kill() {
      const file = path.join(folder, 'root/data/db/postmaster.pid');
      process.kill(Number(fs.readFileSync(file, 'utf8').split('\n', 1)[0]), 'SIGKILL');
    },
    start,
    stop: () => void run('stop', folder),
  };
}
