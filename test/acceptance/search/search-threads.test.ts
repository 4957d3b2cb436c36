import { createClient } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { type ServerHandle, serve } from '../../../packages/server/src/serve.ts';
import { createAccountsOfThreads } from '../../support/account-threads.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { parseMetrics } from '../../support/prometheus-text.ts';
import {
  copyDataLocation,
  createDataLocation,
  type DataLocation,
} from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';

const threads = 3;
/** The thread of each account. */
const numbers = [0, 1, 2, 0, 1, 2];
const subjects = ['zebra', 'violin', 'tram', 'coffee', 'harbour', 'bicycle'];
const places = ['Lisbon', 'Berlin', 'Oslo', 'Quito', 'Kyoto'];
const contentOf = (account: number, i: number): string => {
  const [subject, place] = [subjects[(i * 7 + account) % 6], places[(i * 3 + account) % 5]];
  return `Note ${i}: a ${subject} near the station of ${place}, seen by person ${account}`;
};
const queries = [
  'zebra in Lisbon',
  'who saw a violin?',
  'bikes',
  'person 3 near a harbour',
  'note 7',
];

/** Scores depend on the time. */
const clock = createFakeClock(() => 1_000_000);

async function start(location: DataLocation, searchThreads: number): Promise<ServerHandle> {
  const { config } = readConfig({
    MNEME_PORT: '0',
    MNEME_SHUTDOWN_SECONDS: '1',
    MNEME_EMBEDDING_PROVIDER: 'static',
    MNEME_DATA_DIR: location.dataDir,
    MNEME_SEARCH_THREADS: String(searchThreads),
    ...(location.databaseUrl === null ? {} : { MNEME_DATABASE_URL: location.databaseUrl }),
  });
  const running = await serve(config, '0.0.0-test', { clock, log: createLog('silent') });
  running.context.extractionWorker.pause();
  return running;
}

const clientsOf = ({ url }: ServerHandle, keys: readonly string[]) =>
  keys.map((apiKey) => createClient({ url, apiKey, retries: 0 }));

/** Creates accounts with memories; returns their keys. */
async function fill(running: ServerHandle, adminKey: string): Promise<string[]> {
  const { admin } = createClient({ url: running.url, apiKey: adminKey, retries: 0 });
  const createAccount = () => admin.createAccount({ body: { name: 'acme' } });
  const accounts = await createAccountsOfThreads({ threads, numbers, createAccount });
  const created = accounts.map(({ id }) =>
    admin.createKey({ params: { id }, body: { name: 'test' } }),
  );
  const keys = (await Promise.all(created)).map(({ key }) => key);
  for (const [account, { memories }] of clientsOf(running, keys).entries()) {
    const some = Array.from({ length: 60 }, (_, i) => ({ content: contentOf(account, i) }));
    await memories.bulkCreate({ body: { memories: some } });
  }
  return keys;
}

/** The pages of all queries by account, and memories that are similar to one. */
const searchAll = (running: ServerHandle, keys: readonly string[]) =>
  Promise.all(
    clientsOf(running, keys).map(async ({ search, memories }) => {
      const pages: Awaited<ReturnType<typeof search.post>>[] = [];
      // An account may have few requests at once.
      for (const q of queries) pages.push(await search.post({ body: { q, limit: 50 } }));
      const { data } = await memories.list({ query: { limit: 1 } });
      const { results } = await search.similar({ params: { memoryId: data[0]?.id ?? '' } });
      return {
        pages: pages.map(({ results: hits }) => hits.map(({ id, score }) => ({ id, score }))),
        facets: pages.map(({ facets }) => facets),
        similar: results.map(({ memory, ...others }) => ({ id: memory.id, ...others })),
      };
    }),
  );

async function countThreads({ url }: ServerHandle, adminKey: string): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${adminKey}` };
  const families = parseMetrics(await (await fetch(`${url}/metrics`, { headers })).text());
  return families.get('mneme_search_threads')?.samples[0]?.value;
}

describe.each(engines)('MNEME_SEARCH_THREADS on %s', (engine) => {
  it('does not change what is found, nor its scores', async () => {
    await using ending = new AsyncDisposableStack();
    const location = await createDataLocation(engine);
    ending.defer(() => location.remove());
    const filled = await start(location, 1);
    const adminKey = filled.context.firstKey?.key ?? '';
    const keys = await fill(filled, adminKey);
    await filled.stop();
    const copy = await copyDataLocation(location);
    ending.defer(() => copy.remove());

    const three = await start(location, threads);
    const byThree = await searchAll(three, keys);
    expect(await countThreads(three, adminKey)).toBe(threads);
    await three.stop();
    const one = await start(copy, 1);
    const byOne = await searchAll(one, keys);
    expect(await countThreads(one, adminKey)).toBe(1);
    await one.stop();

    expect(byThree).toEqual(byOne);
    for (const { pages } of byOne) {
      for (const hits of pages) expect(hits.length).toBeGreaterThan(5);
    }
  });
});
