import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@mneme/sdk';
import type { Overrides } from '../../packages/server/src/context.ts';
import { makeDataDir, makeTestDatabase } from '../../packages/server/src/engine/testing.ts';
import { type Config, readConfig } from '../../packages/server/src/kernel/config.ts';
import { createLog } from '../../packages/server/src/kernel/log.ts';
import { type Running, serve } from '../../packages/server/src/serve.ts';
import { refuseSecrets } from './secrets.ts';

const migrations = fileURLToPath(new URL('../../packages/server/migrations', import.meta.url));
const serverUrl = process.env.MNEME_TEST_DATABASE_URL;
if (!serverUrl) process.stdout.write('PostgreSQL: skipped, MNEME_TEST_DATABASE_URL is not set\n');

/** The engines that acceptance tests run on, for `describe.each`. */
export const engines: readonly ('embedded' | 'PostgreSQL')[] = serverUrl
  ? ['embedded', 'PostgreSQL']
  : ['embedded'];

/** For what touches no engine: errors, routing, the contract. */
export const oneEngine = ['embedded'] as const satisfies typeof engines;

export interface Service {
  readonly url: string;
  readonly adminKey: string;
  readonly config: Config;
  readonly running: Running;
  /** Every line of its log so far, unless the test brought a log of its own. */
  readonly logged: readonly string[];
  /** With the admin key, or with another. Without retries, so that a test sees what was said. */
  client(apiKey?: string): Client;
  /** A fresh account with an admin key of its own, so that tests do not meet each other. */
  account(plan?: 'free' | 'pro' | 'max' | 'enterprise'): Promise<{
    id: string;
    key: string;
    client: Client;
  }>;
  /** Throws when a secret was logged meanwhile. */
  stop(): Promise<void>;
}

/** A whole service on a free port with a database of its own. */
export async function startService(
  engine: (typeof engines)[number],
  options: {
    env?: Record<string, string>;
    overrides?: Overrides;
    /** Memories are read for what they say by themselves, and not only by `reader.drain()`. */
    reads?: boolean;
  } = {},
): Promise<Service> {
  const place = await makeStorage(engine);
  const { config } = readConfig({
    MNEME_PORT: '0',
    MNEME_SHUTDOWN_SECONDS: '1',
    PATH: process.env.PATH,
    ...place.env,
    ...options.env,
  });
  const logged: string[] = [];
  const log = createLog('trace', { write: (line) => void logged.push(line) });
  const started = serve(config, '0.0.0-test', { log, ...options.overrides });
  const running = await started.catch(async (error: unknown) => {
    await place.remove();
    throw error;
  });
  // A score or an event that comes at any moment would be in the way of what tests compare.
  if (!options.reads) running.context.reader.rest();
  const adminKey = running.context.firstKey?.key ?? options.env?.MNEME_ADMIN_KEY ?? '';
  const client = (apiKey = adminKey): Client =>
    createClient({ url: running.url, apiKey, retries: 0 });
  let accounts = 0;
  return {
    url: running.url,
    adminKey,
    config,
    running,
    logged,
    client,
    async account(plan = 'enterprise') {
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
      refuseSecrets(logged, secretsOf(config, running.context.app.secretKey));
    },
  };
}

const secretsOf = ({ databaseUrl, tokenSecret, embedding }: Config, secretKey: string) => [
  secretKey,
  tokenSecret,
  embedding.provider === 'openai' ? embedding.apiKey : null,
  databaseUrl && new URL(databaseUrl).password,
];

async function makeStorage(engine: (typeof engines)[number]): Promise<{
  env: Record<string, string>;
  remove(): Promise<void>;
}> {
  if (engine === 'embedded') {
    const { dataDir, remove } = await makeDataDir({ migrations });
    return { env: { MNEME_DATA_DIR: dataDir }, remove };
  }
  const database = await makeTestDatabase(serverUrl ?? '');
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-test-'));
  return {
    env: { MNEME_DATA_DIR: dataDir, MNEME_DATABASE_URL: database.url },
    async remove() {
      await database.drop();
      await fs.rm(dataDir, { recursive: true, force: true });
    },
  };
}
