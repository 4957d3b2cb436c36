import { fileURLToPath } from 'node:url';
import type { Client } from '@mneme/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAccountsOfThreads } from '../../../../../test/support/account-threads.ts';
import { createFakeClock } from '../../../../../test/support/fake-clock.ts';
import { storeManyWords } from '../../../../../test/support/large-account.ts';
import { type Service, startService } from '../../../../../test/support/service.ts';
import { eachEngine } from '../../database/testing.ts';
import { metrics } from '../../kernel/metrics/metrics.ts';
import { indexCache } from './index-cache.ts';
import { SearchWorkerClient } from './thread/search-worker-client.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));

const threads = 3;

interface Account {
  readonly id: string;
  readonly key: string;
  readonly client: Client;
}

describe.each(eachEngine({ migrations }))('search threads on $name', (engineCase) => {
  const ending = new AsyncDisposableStack();
  /** Only the tests advance it, so that a thread stays paused. */
  const clock = createFakeClock(() => 1_000_000);
  let service: Service;
  /** Of the threads 0, 0 and 1; thread 2 has none. */
  let first: Account;
  let neighbour: Account;
  let other: Account;
  beforeAll(async () => {
    const opened = await engineCase.open();
    ending.defer(() => opened.cleanup());
    service = await startService(engineCase.name as 'embedded', {
      env: { MNEME_SEARCH_THREADS: String(threads), MNEME_INDEX_MEMORY_MB: '1' },
      overrides: { engine: opened.engine, clock },
    });
    ending.defer(() => service.stop());
    [first, neighbour, other] = (await createAccounts([0, 0, 1])) as [Account, Account, Account];
  });
  afterAll(() => ending.disposeAsync());
  afterEach(() => vi.restoreAllMocks());

  const createAccounts = (numbers: readonly number[]): Promise<Account[]> =>
    createAccountsOfThreads({ threads, numbers, createAccount: () => service.createAccount() });
  const cache = () => indexCache.of(service.running.context.app);
  const readMetric = async (name: string) => {
    const all = await metrics.of(service.running.context.app).read();
    return all.find((one) => one.name === name)?.values[0]?.value ?? 0;
  };
  const find = async ({ client }: Account, q = 'zebra') => {
    const { results } = await client.search.post({ body: { q, limit: 1 } });
    return results.map((result) => 'content' in result && result.content);
  };
  const search = ({ key }: Account) =>
    fetch(`${service.url}/v1/search?q=zebra`, { headers: { authorization: `Bearer ${key}` } });
  /** Ends a thread as an error of the program does. */
  const stopThread = async (account: Account) => {
    const failures = await readMetric('mneme_search_thread_failures_total');
    cache()
      .threads.of(account.id)
      .getClient()
      .post({ kind: 'rows' } as never);
    await expect.poll(() => readMetric('mneme_search_thread_failures_total')).toBe(failures + 1);
  };

  it('start when an account of theirs is used', async () => {
    expect(cache().threads.running).toBe(0);
    for (const [account, running] of [
      [first, 1],
      [neighbour, 1],
      [other, 2],
    ] as const) {
      await account.client.memories.create({ body: { content: `A zebra of ${account.id}` } });
      expect(await find(account)).toEqual([`A zebra of ${account.id}`]);
      expect(cache().threads.running).toBe(running);
    }
  });

  it('do not wait for the search of an account of another thread', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const request = SearchWorkerClient.prototype.request;
    const held: string[] = [];
    vi.spyOn(SearchWorkerClient.prototype, 'request').mockImplementation(async function (
      this: SearchWorkerClient,
      asked,
    ) {
      if (asked.kind === 'page' && asked.accountId === first.id) {
        held.push(asked.accountId);
        await released;
      }
      return request.call(this, asked) as never;
    });
    // As many as a thread has at once.
    const long = [find(first), find(first)];
    await expect.poll(() => held.length).toBe(2);
    let hasNeighbour = false;
    const waiting = find(neighbour).then((found) => {
      hasNeighbour = true;
      return found;
    });
    for (let i = 0; i < 5; i += 1) {
      expect(await find(other)).toEqual([`A zebra of ${other.id}`]);
    }
    expect(hasNeighbour).toBe(false);
    release();
    expect(await Promise.all([...long, waiting])).toEqual(
      [first, first, neighbour].map(({ id }) => [`A zebra of ${id}`]),
    );
  });

  it('have the memory limit together', async () => {
    const accounts = await createAccounts([0, 1, 2]);
    const evictions = await readMetric('mneme_index_evictions_total');
    // Each takes half of the limit and a little more.
    for (const [i, { client }] of accounts.entries()) await storeManyWords(client, `t${i}x`, 110);
    for (const round of [1, 2]) {
      for (const [i, account] of accounts.entries()) {
        const [content] = await find(account, `t${i}x7x3`);
        expect(content).toContain(`Zebra t${i}x7x0 `);
        const { bytes } = cache().loaded.totals;
        expect(bytes).toBeGreaterThan(cache().loaded.bytesMax / 2);
        expect(bytes).toBeLessThanOrEqual(cache().loaded.bytesMax);
      }
      expect(await readMetric('mneme_index_evictions_total')).toBeGreaterThan(evictions + round);
    }
    expect(await readMetric('mneme_index_oversized_loads_total')).toBe(0);
    expect(cache().threads.running).toBe(3);
  });

  it('lose only their own accounts when they stop, and load them again', async () => {
    for (const account of [first, neighbour, other]) await find(account);
    const { loaded } = cache();
    const kept = loaded.get(other.id);
    await stopThread(first);
    expect([first, neighbour].map(({ id }) => loaded.get(id))).toEqual([undefined, undefined]);
    expect(loaded.get(other.id)).toBe(kept);
    expect(await find(first)).toEqual([`A zebra of ${first.id}`]);
    expect(await find(other)).toEqual([`A zebra of ${other.id}`]);
    expect(loaded.get(other.id)).toBe(kept);
  });

  it('refuse only searches of their accounts while they pause after failures', async () => {
    // The former test was its first failure.
    await stopThread(first);
    for (const account of [first, neighbour]) {
      const response = await search(account);
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await response.json()).toMatchObject({
        error: {
          code: 'service_unavailable',
          message: 'The search index of this account is unavailable. Retry later.',
        },
      });
    }
    expect((await search(other)).status).toBe(200);
    // Writes do not need the index, nor do its erasure and its salience.
    const { id } = await first.client.memories.create({ body: { content: 'A quagga in a pause' } });
    cache().setSalience(first.id, [{ id, salience: 1, atMs: 0 }]);
    cache().evict(first.id);
    expect(cache().threads.running).toBe(2);
    clock.advance(1_000);
    expect(await find(first, 'quagga')).toEqual(['A quagga in a pause']);
    expect(await find(neighbour)).toEqual([`A zebra of ${neighbour.id}`]);
    expect(cache().threads.running).toBe(3);
  });
});
