import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makeTestDatabase } from '../packages/server/src/database/testing.ts';

/** An empty folder, and on PostgreSQL an empty database; both go with it. */
export interface DataLocation extends AsyncDisposable {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
}

/** `databaseUrl` names a PostgreSQL in which databases may be made; null: embedded. */
export async function createDataLocation(databaseUrl: string | null): Promise<DataLocation> {
  await using made = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'mneme-bench-'));
  made.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = databaseUrl === null ? null : await makeTestDatabase(databaseUrl);
  if (database) made.defer(() => database.drop());
  const kept = made.move();
  return {
    dataDir,
    databaseUrl: database?.url ?? null,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** As variables of the server's environment. */
export const toServerEnv = ({
  dataDir,
  databaseUrl,
}: Pick<DataLocation, 'dataDir' | 'databaseUrl'>): Record<string, string> => ({
  MNEME_PORT: '0',
  MNEME_DATA_DIR: dataDir,
  ...(databaseUrl === null ? {} : { MNEME_DATABASE_URL: databaseUrl }),
});
