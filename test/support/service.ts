import fs from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@mneme/sdk';
import { sql } from 'kysely';
import type { ServiceOverrides } from '../../packages/server/src/context.ts';
import {
  makeTestDatabase,
  makeTestDataDir,
  makeTestFolder,
  onlyEngine,
  type ServerEngineName,
} from '../../packages/server/src/database/testing.ts';
import { removeErasedContentKind } from '../../packages/server/src/domains/operations/index.ts';
import { type Clock, systemClock } from '../../packages/server/src/kernel/clock.ts';
import { type Config, readConfig } from '../../packages/server/src/kernel/config.ts';
import { createLog } from '../../packages/server/src/kernel/log.ts';
import { jobSchedules } from '../../packages/server/src/modules.ts';
import { type ServerHandle, serve } from '../../packages/server/src/serve.ts';
import { assertNoSecrets } from './assert-no-secrets.ts';
import { registerRecordedService } from './http-exchanges.ts';
import { SwitchedClock } from './switched-clock.ts';

const migrations = fileURLToPath(new URL('../../packages/server/migrations', import.meta.url));
const serverUrl = process.env.MNEME_TEST_DATABASE_URL;

/** The engine that several processes can use together: `engines` has it if it is available. */
export const serverEngine: ServerEngineName = onlyEngine ?? 'PostgreSQL';

/** The engines that acceptance tests run on, for `describe.each`. */
export const engines: readonly ('embedded' | ServerEngineName)[] = [
  ...(onlyEngine === null ? (['embedded'] as const) : []),
  ...(serverUrl ? [serverEngine] : []),
];
type EngineName = (typeof engines)[number];

/** For tests that do not depend on the engine: errors, routing, the contract. */
export const oneEngine = ['embedded'] as const satisfies typeof engines;

export interface Service {
  readonly url: string;
  /** The operator's key for an exclusive service, otherwise the key of a new account. */
  readonly adminKey: string;
  readonly config: Config;
  readonly running: ServerHandle;
  /** The log since the test began, unless the test passes its own log. */
  readonly logLines: readonly string[];
  /** Uses the admin key by default. Without retries, so that tests see each error. */
  client(apiKey?: string): Client;
  /** With all permissions, also over other accounts. */
  operator(): Client;
  /** Creates an account with an admin key, which isolates tests from each other. */
  createAccount(
    plan?: 'free' | 'pro' | 'max' | 'enterprise',
    name?: string,
  ): Promise<{
    id: string;
    key: string;
    client: Client;
  }>;
  /** Stops or releases the service. Throws if a secret was logged. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly env?: Record<string, string>;
  readonly overrides?: ServiceOverrides;
  /** Runs the extraction worker in the background, not only by `extractionWorker.drain()`. */
  readonly extractsInBackground?: boolean;
  /** Removes erased content from events within a minute, as in production. */
  readonly removesErasedContent?: boolean;
  /** Uses a separate service and database, for tests that affect all accounts. */
  readonly isExclusive?: boolean;
}

/** A service that the files of this worker share, since starting one takes longer than most. */
interface Shared {
  readonly service: Promise<Service>;
  readonly clock: SwitchedClock | null;
  /** The number of files that have started and not yet stopped it. */
  users: number;
}

/** Keeps erased content in events, since tests compare them. */
const schedulesWithoutErasing = jobSchedules.filter(({ kind }) => kind !== removeErasedContentKind);

const shared = new Map<string, Shared>();

// Shared services run until the worker exits: exit also if the runner is killed.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

/**
 * Starts a service on a free port. Files without options share one service and get separate
 * accounts; files that pass only a clock share another one. All others get their own service and
 * database.
 */
export async function startService(
  engine: EngineName,
  options: ServiceOptions = {},
): Promise<Service> {
  const { clock, ...others } = options.overrides ?? {};
  const hasDefaults =
    Object.keys(others).length === 0 &&
    !options.env &&
    !options.extractsInBackground &&
    !options.removesErasedContent;
  return hasDefaults && !options.isExclusive
    ? acquireSharedService(engine, clock)
    : startExclusiveService(engine, options);
}

async function acquireSharedService(
  engine: EngineName,
  clock: Clock | undefined,
): Promise<Service> {
  const name = clock ? `${engine} with clocks` : engine;
  const entry = shared.get(name) ?? startShared(engine, clock);
  // A shared service has one clock at a time.
  if (clock && entry.users > 0) return startExclusiveService(engine, { overrides: { clock } });
  entry.users += 1;
  shared.set(name, entry);
  const service = await entry.service;
  if (entry.users === 1) await skipPendingExtraction(service);
  if (clock) await switchClock(clock, entry, service);
  const { key } = await service.createAccount();
  return {
    ...service,
    adminKey: key,
    client: (apiKey = key) => service.client(apiKey),
    async stop() {
      entry.users -= 1;
      const logged = (service.logLines as string[]).splice(0);
      assertNoSecrets(logged, secretsOf(service));
    },
  };
}

function startShared(engine: EngineName, clock: Clock | undefined): Shared {
  if (!clock) return { service: startExclusiveService(engine, {}), clock: null, users: 0 };
  const switched = new SwitchedClock();
  const service = startExclusiveService(engine, { overrides: { clock: switched } });
  return { service, clock: switched, users: 0 };
}

/** Deletes scheduled jobs: the clock of the previous file may have been far ahead. */
async function switchClock(
  clock: Clock,
  { clock: switched }: Shared,
  service: Service,
): Promise<void> {
  const { engine } = service.running.context.app;
  // Pending timers continue in real time, so that the worker can finish.
  switched?.switchTo(systemClock);
  await service.running.context.worker.drain();
  switched?.switchTo(clock);
  await engine.db.deleteFrom('jobs').where('account_id', 'is', null).execute();
}

/** `extractionWorker.drain()` of this file must not process the memories of all files before it. */
async function skipPendingExtraction(service: Service): Promise<void> {
  await sql`
    insert into extraction_cursors (account_id, cursor)
    select account_id, position from account_positions
    on conflict (account_id) do update set cursor = excluded.cursor
  `.execute(service.running.context.app.engine.db);
}

async function startExclusiveService(
  engine: EngineName,
  options: ServiceOptions,
): Promise<Service> {
  const storage = await createStorage(engine);
  const { config } = readConfig({
    MNEME_PORT: '0',
    MNEME_SHUTDOWN_SECONDS: '1',
    // Each service would load the encoder; tests of search by meaning choose it.
    MNEME_EMBEDDING_PROVIDER: 'static',
    // Each worker keeps several services open, and a server has 100 connections by default.
    MNEME_DATABASE_POOL: '4',
    PATH: process.env.PATH,
    ...storage.env,
    ...options.env,
  });
  const logged: string[] = [];
  const log = createLog('trace', { write: (line) => void logged.push(line) });
  const started = serve(config, '0.0.0-test', {
    log,
    ...(options.removesErasedContent ? {} : { schedules: schedulesWithoutErasing }),
    ...options.overrides,
  });
  const running = await started.catch(async (error: unknown) => {
    await storage.remove();
    throw error;
  });
  registerRecordedService(running.url, logged);
  // Background extraction would change scores and events while tests compare them.
  if (!options.extractsInBackground) running.context.extractionWorker.pause();
  const adminKey = running.context.firstKey?.key ?? options.env?.MNEME_ADMIN_KEY ?? '';
  const client = (apiKey = adminKey): Client =>
    createClient({ url: running.url, apiKey, retries: 0 });
  let accounts = 0;
  return {
    url: running.url,
    adminKey,
    config,
    running,
    logLines: logged,
    client,
    operator: () => client(),
    async createAccount(plan = 'enterprise', name) {
      accounts += 1;
      const operator = client();
      const { id } = await operator.admin.createAccount({
        body: { name: name ?? `account ${accounts}`, plan },
      });
      const { key } = await operator.admin.createKey({ params: { id }, body: { name: 'test' } });
      return { id, key, client: client(key) };
    },
    async stop() {
      await running.stop();
      await storage.remove();
      assertNoSecrets(logged, secretsOf({ config, running }));
    },
  };
}

const secretsOf = ({
  config: { databaseUrl, tokenSecret, embedding },
  running,
}: Pick<Service, 'config' | 'running'>) => [
  running.context.app.secretKey,
  tokenSecret,
  embedding.provider === 'openai' ? embedding.apiKey : null,
  databaseUrl && new URL(databaseUrl).password,
];

async function createStorage(engine: EngineName): Promise<{
  env: Record<string, string>;
  remove(): Promise<void>;
}> {
  if (engine === 'embedded') {
    const { dataDir, remove } = await makeTestDataDir({ migrations });
    return { env: { MNEME_DATA_DIR: dataDir }, remove };
  }
  const database = await makeTestDatabase(serverUrl ?? '', { migrations });
  const dataDir = await makeTestFolder();
  return {
    env: { MNEME_DATA_DIR: dataDir, MNEME_DATABASE_URL: database.url },
    async remove() {
      await database.drop();
      await fs.rm(dataDir, { recursive: true, force: true });
    },
  };
}
