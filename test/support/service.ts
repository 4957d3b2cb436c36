import fs from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@mneme/sdk';
import type { Overrides } from '../../packages/server/src/context.ts';
import {
  makeDataDir,
  makeTestDatabase,
  makeTestFolder,
} from '../../packages/server/src/database/testing.ts';
import { removeContentKind } from '../../packages/server/src/domains/operations/index.ts';
import { type Clock, systemClock } from '../../packages/server/src/kernel/clock.ts';
import { type Config, readConfig } from '../../packages/server/src/kernel/config.ts';
import { createLog } from '../../packages/server/src/kernel/log.ts';
import { schedules } from '../../packages/server/src/modules.ts';
import { type ServerHandle, serve } from '../../packages/server/src/serve.ts';
import { assertNoSecrets } from './assert-no-secrets.ts';
import { registerService } from './exchanges.ts';
import { SwitchedClock } from './switched-clock.ts';

const migrations = fileURLToPath(new URL('../../packages/server/migrations', import.meta.url));
const serverUrl = process.env.MNEME_TEST_DATABASE_URL;

/** The engines that acceptance tests run on, for `describe.each`. */
export const engines: readonly ('embedded' | 'PostgreSQL')[] = serverUrl
  ? ['embedded', 'PostgreSQL']
  : ['embedded'];
type EngineName = (typeof engines)[number];

/** For what touches no engine: errors, routing, the contract. */
export const oneEngine = ['embedded'] as const satisfies typeof engines;

export interface Service {
  readonly url: string;
  /** Of the operator where the test has the service for itself, else of an account of its own. */
  readonly adminKey: string;
  readonly config: Config;
  readonly running: ServerHandle;
  /** Every line of its log since the test began, unless the test brought a log of its own. */
  readonly logLines: readonly string[];
  /** With the admin key, or with another. Without retries, so that a test sees what was said. */
  client(apiKey?: string): Client;
  /** With every right, those over other accounts too. */
  operator(): Client;
  /** A fresh account with an admin key of its own, so that tests do not meet each other. */
  createAccount(plan?: 'free' | 'pro' | 'max' | 'enterprise'): Promise<{
    id: string;
    key: string;
    client: Client;
  }>;
  /** Ends the service, or leaves it to the next file. Throws when a secret was logged meanwhile. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly env?: Record<string, string>;
  readonly overrides?: Overrides;
  /** Memories are read for what they say by themselves, and not only by `reader.drain()`. */
  readonly extractsInBackground?: boolean;
  /** The content of what was erased is removed from events within a minute, as in production. */
  readonly removesErasedContent?: boolean;
  /** With a database of its own: what the test does or sees concerns all accounts. */
  readonly isExclusive?: boolean;
}

/** A service that the files of this worker use in turn: to start one takes longer than most. */
interface Shared {
  readonly service: Promise<Service>;
  readonly clock: SwitchedClock | null;
  /** How many have started it and not stopped it since. */
  users: number;
}

/** What is erased stays in events: it would go at any moment, while a test compares them. */
const schedulesWithoutErasing = schedules.filter(({ kind }) => kind !== removeContentKind);

const shared = new Map<string, Shared>();

// They are open until the end: a worker whose runner was killed ends with it.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

/**
 * A whole service on a free port. Files without wishes share one and have an account of their own
 * there; those that only bring a clock share another. All others have a service and a database for
 * themselves.
 */
export async function startService(
  engine: EngineName,
  options: ServiceOptions = {},
): Promise<Service> {
  const { clock, ...others } = options.overrides ?? {};
  const isPlain =
    Object.keys(others).length === 0 &&
    !options.env &&
    !options.extractsInBackground &&
    !options.removesErasedContent;
  return isPlain && !options.isExclusive
    ? acquireSharedService(engine, clock)
    : startExclusiveService(engine, options);
}

async function acquireSharedService(
  engine: EngineName,
  clock: Clock | undefined,
): Promise<Service> {
  const name = clock ? `${engine} with clocks` : engine;
  const known = shared.get(name) ?? startShared(engine, clock);
  // It has one clock at a time.
  if (clock && known.users > 0) return startExclusiveService(engine, { overrides: { clock } });
  known.users += 1;
  shared.set(name, known);
  const service = await known.service;
  if (clock) await switchClock(clock, known, service);
  const { key } = await service.createAccount();
  return {
    ...service,
    adminKey: key,
    client: (apiKey = key) => service.client(apiKey),
    async stop() {
      known.users -= 1;
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

/** The file before may have been far ahead: what it has planned by then is planned again. */
async function switchClock(
  clock: Clock,
  { clock: switched }: Shared,
  service: Service,
): Promise<void> {
  const { engine } = service.running.context.app;
  // What waits by the former clock goes on by real time.
  switched?.switchTo(systemClock);
  await service.running.context.worker.drain();
  switched?.switchTo(clock);
  await engine.db.deleteFrom('jobs').where('account_id', 'is', null).execute();
}

async function startExclusiveService(
  engine: EngineName,
  options: ServiceOptions,
): Promise<Service> {
  const place = await createStorage(engine);
  const { config } = readConfig({
    MNEME_PORT: '0',
    MNEME_SHUTDOWN_SECONDS: '1',
    PATH: process.env.PATH,
    ...place.env,
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
    await place.remove();
    throw error;
  });
  registerService(running.url, logged);
  // A score or an event that comes at any moment would be in the way of what tests compare.
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
    async createAccount(plan = 'enterprise') {
      accounts += 1;
      const operator = client();
      const { id } = await operator.admin.createAccount({
        body: { name: `account ${accounts}`, plan },
      });
      const { key } = await operator.admin.createKey({ params: { id }, body: { name: 'test' } });
      return { id, key, client: client(key) };
    },
    async stop() {
      await running.stop();
      await place.remove();
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
    const { dataDir, remove } = await makeDataDir({ migrations });
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
