import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccountsOfThreads } from '../../../../../test/support/account-threads.ts';
import { createFakeClock } from '../../../../../test/support/fake-clock.ts';
import { storeManyWords } from '../../../../../test/support/large-account.ts';
import { recordStatements } from '../../../../../test/support/recorded-statements.ts';
import { type Service, startService } from '../../../../../test/support/service.ts';
import { eachEngine } from '../../database/testing.ts';
import { metrics } from '../../kernel/metrics/metrics.ts';
import { indexCache } from './index-cache.ts';
import { segmentMaintenance } from './segments/maintenance.ts';
import { segmentFiles } from './segments/segment-files.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));

const memories = 250;
const limitMb = 1;

/** The large accounts have one thread, or a thread each. */
const cases = eachEngine({ migrations }).flatMap((engine) =>
  [1, 2].map((threads) => ({ ...engine, threads })),
);

describe.each(cases)('an index beyond its limit on $name, $threads threads', (engineCase) => {
  const ending = new AsyncDisposableStack();
  const clock = createFakeClock();
  let service: Service;
  let recorded: ReturnType<typeof recordStatements>;
  const accounts = new Map<string, { id: string; client: Client }>();
  beforeAll(async () => {
    const opened = await engineCase.open();
    ending.defer(() => opened.cleanup());
    recorded = recordStatements(opened.engine);
    service = await startService(engineCase.name as 'embedded', {
      env: {
        MNEME_INDEX_MEMORY_MB: String(limitMb),
        MNEME_SEARCH_THREADS: String(engineCase.threads),
      },
      overrides: { engine: recorded.engine, clock },
    });
    ending.defer(() => service.stop());
    const { threads } = engineCase;
    const created = await createAccountsOfThreads({
      threads,
      numbers: [0, threads - 1, 0],
      createAccount: () => service.createAccount(),
    });
    for (const [i, name] of ['first', 'second', 'small'].entries()) {
      const account = created[i] as (typeof created)[number];
      accounts.set(name, account);
      if (name === 'small') await account.client.memories.create({ body: { content: 'Zebra' } });
      else await storeManyWords(account.client, name, memories);
    }
  });
  afterAll(() => ending.disposeAsync());

  const cache = () => indexCache.of(service.running.context.app);
  const account = (name: string) => accounts.get(name) as { id: string; client: Client };
  /** How many memories of an account have a word. */
  const count = async (name: string, term = 'zebra'): Promise<number> => {
    const accountId = account(name).id;
    const query = { kind: 'holding', accountId, spaces: null, terms: [term] } as const;
    return (await cache().query(query)).length;
  };
  /** Loads of accounts larger than the limit, by source, and evictions of others. */
  const counters = async (): Promise<Record<string, number>> => {
    const all = await metrics.of(service.running.context.app).read();
    const valuesOf = (name: string) => all.find((one) => one.name === name)?.values ?? [];
    const loads = valuesOf('mneme_index_oversized_loads_total');
    const evictions = valuesOf('mneme_index_evictions_total');
    return {
      ...Object.fromEntries(loads.map(({ labels, value }) => [labels.source, value])),
      evictions: evictions.reduce((sum, { value }) => sum + value, 0),
    };
  };

  it('is searched alternately from segments, without a second read of its rows', async () => {
    expect(await count('small')).toBe(1);
    const loadedAfter = async (name: string) => {
      expect(await count(name)).toBe(memories);
      return cache().loaded.totals.accounts;
    };
    const both = await Promise.all([loadedAfter('first'), loadedAfter('second')]);
    // Their sizes are known after their loads: one of them waits until the other one has left.
    expect(Math.min(...both)).toBe(2);
    expect(await counters()).toEqual({ database: 2, segment: 0, evictions: 0 });
    await count('second');
    const { segment: loads = 0 } = await counters();
    for (const segment of [loads + 1, loads + 3, loads + 5]) {
      expect(await count('first')).toBe(memories);
      expect(await count('first')).toBe(memories);
      expect(await counters()).toEqual({ database: 2, segment, evictions: 0 });
      expect(await count('second')).toBe(memories);
    }
    // The small account has stayed in memory, and only one of the large ones.
    recorded.taken();
    expect(await count('small')).toBe(1);
    expect(recorded.taken().filter((text) => text.includes('case when hidden'))).toEqual([]);
    expect(cache().loaded.totals.accounts).toBe(2);
  });

  it('has what was written while another account was in memory', async () => {
    for (const name of ['first', 'second', 'first', 'second']) {
      const before = await count(name);
      const other = name === 'first' ? 'second' : 'first';
      await count(other);
      await account(name).client.memories.create({
        body: { content: 'A zebra again', allow_duplicate: true },
      });
      expect(await count(name)).toBe(before + 1);
    }
  });

  it('serves all callers of an account with one load', async () => {
    const { segment = 0 } = await counters();
    const names = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'first' : 'second'));
    const counts = await Promise.all(names.map((name) => count(name)));
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(memories);
    const { segment: after = 0, database } = await counters();
    expect(after - segment).toBeLessThanOrEqual(2);
    expect(database).toBe(2);
  });

  it('leaves memory when it has not been searched for five minutes', async () => {
    await count('first');
    const { bytes } = cache().loaded.totals;
    expect(bytes).toBeGreaterThan(limitMb * 2 ** 20);
    clock.advance(299_000);
    await segmentMaintenance.of(service.running.context.app).run();
    expect(cache().loaded.totals.bytes).toBe(bytes);
    clock.advance(2_000);
    await segmentMaintenance.of(service.running.context.app).run();
    await expect.poll(() => cache().loaded.totals.bytes).toBeLessThan(limitMb * 2 ** 20);
    expect(await count('first')).toBeGreaterThan(memories);
  });

  it('is read from the database once after each erasure, then from a segment again', async () => {
    const { client } = account('first');
    // The second one follows so soon that no regular segment would be written.
    for (const _ of [1, 2]) {
      const before = await count('first');
      await count('second');
      const { data } = await client.memories.list({ query: { limit: 1 } });
      await client.memories.remove({ params: { id: data[0]?.id as string } });
      await segmentMaintenance.of(service.running.context.app).run();
      const { database = 0 } = await counters();
      for (let i = 0; i < 3; i += 1) {
        expect(await count('first')).toBe(before - 1);
        await count('second');
        expect((await counters()).database).toBe(database + 1);
      }
    }
  });

  it('is read from the database at each change where segments cannot be written', async () => {
    const files = segmentFiles.of(service.running.context.app);
    for (const name of ['first', 'second']) await files.removeAccount(account(name).id);
    await rm(files.folder, { recursive: true });
    await writeFile(files.folder, 'a file instead of a folder');
    const { database = 0, segment } = await counters();
    for (const i of [1, 2]) {
      expect(await count('first')).toBeGreaterThanOrEqual(memories - 2);
      expect(await count('second')).toBeGreaterThanOrEqual(memories);
      expect(await counters()).toEqual({ database: database + 2 * i, segment, evictions: 0 });
    }
  });
});
