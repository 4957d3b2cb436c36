import type { Reembedding } from '@mneme/contract';
import { type Client, createClient } from '@mneme/sdk';
import type { ServiceOverrides } from '../../../packages/server/src/context.ts';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { type ServerHandle, serve } from '../../../packages/server/src/serve.ts';
import { eventually } from '../../support/eventually.ts';
import type { DataLocation } from '../../support/server-process.ts';

/** A service on a place that outlives it. */
export interface StartedService extends AsyncDisposable {
  readonly running: ServerHandle;
  readonly client: Client;
  readonly logLines: readonly string[];
}

/** The key of a place is made by its first start. */
const keys = new WeakMap<DataLocation, string>();

export async function startServiceAt(
  place: DataLocation,
  overrides: ServiceOverrides = {},
  env: Readonly<Record<string, string>> = {},
): Promise<StartedService> {
  const { config } = readConfig({
    MNEME_PORT: '0',
    MNEME_SHUTDOWN_SECONDS: '1',
    MNEME_EMBEDDING_PROVIDER: 'static',
    PATH: process.env.PATH,
    MNEME_DATA_DIR: place.dataDir,
    ...(place.databaseUrl === null ? {} : { MNEME_DATABASE_URL: place.databaseUrl }),
    ...env,
  });
  const logged: string[] = [];
  const log = createLog('trace', { write: (line) => void logged.push(line) });
  const running = await serve(config, '0.0.0-test', { log, ...overrides });
  const made = running.context.firstKey?.key;
  if (made) keys.set(place, made);
  const client = createClient({ url: running.url, apiKey: keys.get(place), retries: 0 });
  return { running, client, logLines: logged, [Symbol.asyncDispose]: () => running.stop() };
}

/** The key that was made on a place, for another data folder of the same database. */
export const shareAdminKey = (from: DataLocation, to: DataLocation): void => {
  keys.set(to, keys.get(from) ?? '');
};

const timeoutMs = 60_000;

/** Starts the change to the configured model and waits for its end. */
export async function runReembedding({ client, running }: StartedService): Promise<Reembedding> {
  const { job_id: id } = await client.admin.startReembedding();
  await running.context.worker.drain();
  return eventually(
    () => client.admin.getReembedding({ params: { id } }),
    ({ status }) => status !== 'queued' && status !== 'running',
    timeoutMs,
  );
}

/** What the documents of all accounts have vectors of, and how many. */
export async function vectorCounts({ running }: StartedService): Promise<Record<string, number>> {
  const rows = await running.context.app.engine.db
    .selectFrom('vectors')
    .select((eb) => ['model', eb.fn.countAll<number>().as('count')])
    .groupBy('model')
    .execute();
  return Object.fromEntries(rows.map(({ model, count }) => [model, count]));
}
