import type { Reembedding } from '@mneme/contract';
import { type Client, createClient } from '@mneme/sdk';
import type { Overrides } from '../../../packages/server/src/context.ts';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { type Running, serve } from '../../../packages/server/src/serve.ts';
import { eventually } from '../../support/eventually.ts';
import type { Place } from '../../support/process.ts';

/** A service on a place that outlives it. */
export interface Started extends AsyncDisposable {
  readonly running: Running;
  readonly client: Client;
  readonly logged: readonly string[];
}

/** The key of a place is made by its first start. */
const keys = new WeakMap<Place, string>();

export async function startAt(place: Place, overrides: Overrides = {}): Promise<Started> {
  const { config } = readConfig({
    MNEME_PORT: '0',
    MNEME_SHUTDOWN_SECONDS: '1',
    PATH: process.env.PATH,
    MNEME_DATA_DIR: place.dataDir,
    ...(place.databaseUrl === null ? {} : { MNEME_DATABASE_URL: place.databaseUrl }),
  });
  const logged: string[] = [];
  const log = createLog('trace', { write: (line) => void logged.push(line) });
  const running = await serve(config, '0.0.0-test', { log, ...overrides });
  const made = running.context.firstKey?.key;
  if (made) keys.set(place, made);
  const client = createClient({ url: running.url, apiKey: keys.get(place), retries: 0 });
  return { running, client, logged, [Symbol.asyncDispose]: () => running.stop() };
}

/** The key that was made on a place, for another data folder of the same database. */
export const shareKey = (from: Place, to: Place): void => {
  keys.set(to, keys.get(from) ?? '');
};

const patienceMs = 60_000;

/** Starts the change to the configured model and waits for its end. */
export async function reembedded({ client, running }: Started): Promise<Reembedding> {
  const { job_id: id } = await client.admin.startReembedding();
  await running.context.worker.drain();
  return eventually(
    () => client.admin.getReembedding({ params: { id } }),
    ({ status }) => status !== 'queued' && status !== 'running',
    patienceMs,
  );
}

/** What the documents of all accounts have vectors of, and how many. */
export async function vectorCounts({ running }: Started): Promise<Record<string, number>> {
  const rows = await running.context.app.engine.db
    .selectFrom('vectors')
    .select((eb) => ['model', eb.fn.countAll<number>().as('count')])
    .groupBy('model')
    .execute();
  return Object.fromEntries(rows.map(({ model, count }) => [model, count]));
}
