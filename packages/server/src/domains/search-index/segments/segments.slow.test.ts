import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeClock } from '../../../../../../test/support/fake-clock.ts';
import { recordStatements } from '../../../../../../test/support/recorded-statements.ts';
import { type Service, startService } from '../../../../../../test/support/service.ts';
import { eachEngine, type TestEngine } from '../../../database/testing.ts';
import { metrics } from '../../../kernel/metrics/metrics.ts';
import { indexCache } from '../index-cache.ts';
import { IndexLoader, type LoadedIndex } from '../index-loader.ts';
import { makeQuery } from '../testing.ts';
import { SearchWorkerClient } from '../thread/search-worker-client.ts';
import { segmentMaintenance } from './maintenance.ts';

const migrations = fileURLToPath(new URL('../../../../migrations', import.meta.url));
/** A few more than get a segment. */
const memories = 2_050;
/** Until an account may get its next segment. */
const intervalMs = 600_000;

const emptyIndex = (): LoadedIndex => ({
  model: null,
  scaleRevision: 0,
  position: 0,
  changes: 0,
  size: { documents: 0, deletedDocuments: 0, bytes: 0 },
  hasSegment: false,
  unsegmented: 0,
  salienceSince: null,
});

/** One account for all tests: to fill another takes seconds. Each test begins with one segment. */
describe.each(eachEngine({ migrations }))('segments on $name', ({ name, open }) => {
  const clock = createFakeClock();
  const ending = new AsyncDisposableStack();
  let opened: TestEngine;
  let recorded: ReturnType<typeof recordStatements>;
  let service: Service;
  let accountId: string;
  let client: Client;
  /** Of the memories that no test has removed. */
  let ids: string[];
  let folder: string;
  let known: Readonly<Record<string, number>>;
  beforeAll(async () => {
    opened = await open();
    ending.defer(() => opened.cleanup());
    recorded = recordStatements(opened.engine);
    const overrides = { engine: recorded.engine, clock };
    service = await startService(name as 'embedded', { overrides });
    ending.defer(() => service.stop());
    ({ id: accountId, client } = await service.createAccount());
    folder = path.join(service.running.context.app.config.dataDir, 'index-segments');
    ids = await create(
      Array.from({ length: memories }, (_, i) => `Zebra number ${i} likes coffee`),
    );
  });
  afterAll(() => ending.disposeAsync());
  beforeEach(async () => {
    clock.advance(intervalMs);
    reload();
    await page();
    await maintain();
    expect(await files()).toHaveLength(1);
    known = await countLoads();
  });

  const cache = () => indexCache.of(service.running.context.app);
  const files = () => readdir(folder).catch((): string[] => []);
  const countLoads = () => countResults('mneme_index_segment_loads_total');
  const countWrites = () => countResults('mneme_index_segment_writes_total');
  async function countResults(name: string): Promise<Record<string, number>> {
    const all = await metrics.of(service.running.context.app).read();
    const values = all.find((one) => one.name === name)?.values;
    return Object.fromEntries((values ?? []).map(({ labels, value }) => [labels.result, value]));
  }
  /** Since the test began. */
  const loads = async () => {
    const all = Object.entries(await countLoads());
    const since = all.map(([result, count]) => [result, count - (known[result] ?? 0)] as const);
    return Object.fromEntries(since.filter(([, count]) => count > 0));
  };
  /** The ids of what has a term. */
  const holding = async (term: string) =>
    (await cache().query({ kind: 'holding', accountId, spaces: null, terms: [term] })).toSorted();
  const page = () =>
    cache().query({
      kind: 'page',
      accountId,
      query: makeQuery('zebra coffee number 17'),
      page: { offset: 0, limit: 50, explain: true },
    });
  /** As after a start. */
  const reload = () => cache().evict(accountId);
  const maintain = () => segmentMaintenance.of(service.running.context.app).run();
  async function create(contents: readonly string[]): Promise<string[]> {
    const created: string[] = [];
    for (let from = 0; from < contents.length; from += 100) {
      const some = contents.slice(from, from + 100).map((content) => ({ content }));
      const { memories: stored } = await client.memories.bulkCreate({ body: { memories: some } });
      created.push(...stored.map(({ id }) => id));
    }
    return created;
  }

  it('load an account without its rows, with later changes, and equal a rebuild', async () => {
    const [first = '', second = '', third = ''] = ids.splice(0, 3);
    const [added] = await create(['A zebra drinks tea in Lisbon']);
    await client.memories.update({ params: { id: second }, body: { content: 'A violin' } });
    await client.memories.remove({ params: { id: first } });
    await client.memories.remove({ params: { id: third }, query: { soft: true } });
    reload();
    recorded.taken();
    const loaded = [await page(), await holding('violin'), await holding('zebra')];
    const rows = recorded.taken().filter((text) => text.includes('case when hidden then null'));
    expect(rows).toHaveLength(1);
    expect(await loads()).toEqual({ loaded: 1 });
    expect(loaded[1]).toEqual([second]);
    expect(loaded[2]).toHaveLength(memories - 3 + 1);
    expect(loaded[2]).toContain(added);

    // It has the words of the removed memory: a minute later nothing has.
    await maintain();
    expect(await files()).toEqual([]);
    reload();
    expect([await page(), await holding('violin'), await holding('zebra')]).toEqual(loaded);
    expect(await loads()).toEqual({ loaded: 1 });
  });

  it('are written again after a removal', async () => {
    const [first = ''] = await files();
    await client.memories.remove({ params: { id: ids.shift() as string } });
    await maintain();
    expect(await files()).toEqual([]);
    clock.advance(intervalMs);
    await maintain();
    expect(await files()).toEqual([expect.not.stringContaining(first)]);
  });

  it('are part of the proof of an erasure, until they are replaced', async () => {
    const { admin } = service.operator();
    const proof = async (id: string) => {
      const { physical } = await admin.getErasure({ params: { id } });
      const stale = physical.index_segments.filter((segment) => segment.stale);
      if (stale.length > 0) expect(physical.complete).toBe(false);
      return physical.index_segments.map(({ id: name, created_at, stale: isStale }) => ({
        name,
        isKnown: created_at !== null,
        isStale,
      }));
    };
    const idOf = (name = '') => name.split('.')[1];
    const write = async () => {
      clock.advance(intervalMs);
      await page();
      await maintain();
      const [name = ''] = await files();
      return name;
    };
    const erase = async () => {
      const id = ids.shift() as string;
      await client.memories.remove({ params: { id } });
      return id;
    };

    const before = (await files())[0];
    const first = await erase();
    expect(await proof(first)).toEqual([{ name: idOf(before), isKnown: true, isStale: true }]);
    const former = await readFile(path.join(folder, before ?? ''));
    await maintain();
    expect(await proof(first)).not.toContainEqual(expect.objectContaining({ isStale: true }));
    const current = await write();
    const clean = { name: idOf(current), isKnown: true, isStale: false };
    expect(await proof(first)).toEqual([clean]);

    // An erasure after it does not concern the former one.
    const second = await erase();
    expect(await proof(second)).toEqual([{ ...clean, isStale: true }]);
    expect(await proof(first)).toEqual([clean]);
    await maintain();
    const newest = await write();

    // Planted: under a name of its own, also with a row, and under the name of the current one.
    const planted = randomUUID();
    await writeFile(path.join(folder, `${accountId}.${planted}.segment`), former);
    const own = { name: idOf(newest), isKnown: true, isStale: false };
    const stray = { name: planted, isKnown: false, isStale: true };
    expect(await proof(second)).toEqual([own, stray]);
    await sql`insert into index_segments select account_id, ${planted}::uuid, model, 1, created_at,
      used_at from index_segments where account_id = ${accountId}::uuid`.execute(opened.engine.db);
    const registered = (await proof(second)).toSorted(
      (a, b) => Number(a.isStale) - Number(b.isStale),
    );
    expect(registered).toEqual([own, { ...stray, isKnown: true }]);
    await maintain();
    expect(await proof(second)).toEqual([own]);
    await writeFile(path.join(folder, newest), former);
    expect(await proof(second)).toEqual([{ ...own, isStale: true }]);
    // It is found by the next load, too.
    reload();
    await page();
    expect(await proof(second)).toEqual([]);
  });

  it('are rebuilt where they are damaged, and the damage is reported', async () => {
    const rebuilt = await page();
    const [segment = ''] = await files();
    const file = path.join(folder, segment);
    const bytes = await readFile(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 4;
    await writeFile(file, bytes);
    reload();
    expect(await page()).toEqual(rebuilt);
    expect(await loads()).toEqual({ damaged: 1 });
    expect(await files()).toEqual([]);
    expect(service.logLines.join('\n')).toContain('index segment damaged');
  });

  it('are not used after a restore of an older database, which has other changes', async () => {
    // A backup from before the segment has no row of it.
    const rebuilt = await page();
    await sql`delete from index_segments where account_id = ${accountId}::uuid`.execute(
      opened.engine.db,
    );
    reload();
    expect(await page()).toEqual(rebuilt);
    expect(await loads()).toEqual({});
    await maintain();
    expect(await files()).toEqual([]);
  });

  it('are compared with a rebuild by a verification, which deletes different ones', async () => {
    const { admin } = service.operator();
    const verify = async (repair: boolean) => {
      const body = { account_id: accountId, repair };
      const { job_id: id } = await admin.startVerification({ body });
      await service.running.context.worker.drain();
      const { faults, checked } = await admin.getVerification({ params: { id } });
      return { codes: faults.map(({ code }) => code), checked: checked.index_segments };
    };
    await client.memories.update({ params: { id: ids[1] as string }, body: { content: 'Tea' } });
    expect(await verify(false)).toEqual({ codes: [], checked: 1 });
    // What a fault of the program would leave behind: no change has told the index.
    await sql`update documents set priority = 7
      where account_id = ${accountId}::uuid and id = ${ids[0]}::uuid`.execute(opened.engine.db);
    expect((await verify(false)).codes).toContain('segment_differs');
    expect(await files()).toHaveLength(1);
    await verify(true);
    expect(await files()).toEqual([]);
    // The index may have come from it: it is loaded again, and written to a new one.
    await page();
    clock.advance(intervalMs);
    await maintain();
    expect(await verify(false)).toEqual({ codes: [], checked: 1 });
    // So that the next test writes its own.
    await client.memories.remove({ params: { id: ids.shift() as string } });
    await maintain();
  });

  it('that cannot be written are reported once, and searches continue', async () => {
    await client.memories.remove({ params: { id: ids.shift() as string } });
    await maintain();
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file instead of a folder');
    clock.advance(intervalMs);
    await maintain();
    await maintain();
    const warnings = service.logLines.filter((line) => line.includes('index segment not written'));
    expect(warnings).toHaveLength(1);
    reload();
    expect((await page()).hits.length).toBeGreaterThan(0);
    await rm(folder);
    // A later attempt follows after an hour at most.
    clock.advance(3_600_000);
  });

  it('and rows are read no further when the account is dropped while it waits', async () => {
    const { app } = service.running.context;
    const load = async () => {
      const { dimensions } = app.embedding.open.current;
      const worker = new SearchWorkerClient({ dimensions }, () => undefined);
      const reserved: number[] = [];
      const loader = new IndexLoader(app, {
        getWorker: () => worker,
        isCurrent: () => reserved.length === 0,
        setSize: () => undefined,
        async reserveMemory(_, bytes) {
          if (bytes > 0) reserved.push(bytes);
        },
      });
      await loader.catchUp(accountId, emptyIndex());
      const { documents } = await worker.request({ kind: 'size', accountId });
      await worker.close();
      return { reserved, documents };
    };
    const [segment = ''] = await files();
    const { size } = await stat(path.join(folder, segment));
    expect(await load()).toEqual({ reserved: [size], documents: 0 });
    await rm(path.join(folder, segment));
    const page = 2_000;
    const fromRows = await load();
    expect(fromRows).toEqual({ reserved: [expect.any(Number)], documents: page });
    expect(fromRows.reserved[0]).toBeGreaterThan(page * 400);
  });

  it('are written later if the thread stops, which is no failure of the disk', async () => {
    await client.memories.remove({ params: { id: ids.shift() as string } });
    const { failed } = await countWrites();
    const request = SearchWorkerClient.prototype.request;
    const spy = vi.spyOn(SearchWorkerClient.prototype, 'request');
    spy.mockImplementation(function (this: SearchWorkerClient, asked) {
      // An error of the program ends the thread.
      if (asked.kind === 'writeSegment') this.post({ kind: 'rows' } as never);
      return request.call(this, asked) as never;
    });
    clock.advance(intervalMs);
    await maintain();
    spy.mockRestore();
    expect(await files()).toEqual([]);
    await page();
    clock.advance(intervalMs);
    await maintain();
    expect(await files()).toHaveLength(1);
    expect((await countWrites()).failed).toBe(failed);
  });

  it('of deleted accounts, unknown ones, and unfinished ones are deleted', async () => {
    const [own = ''] = await files();
    const other = `${randomUUID()}.${randomUUID()}.segment`;
    await writeFile(path.join(folder, other), 'foreign');
    await writeFile(path.join(folder, 'something else'), '');
    const unfinished = `${accountId}.${randomUUID()}.segment.new`;
    await writeFile(path.join(folder, unfinished), '');
    await utimes(path.join(folder, unfinished), clock.now(), clock.now());
    await maintain();
    // Another process may be writing it.
    expect((await files()).toSorted()).toEqual([own, unfinished].toSorted());
    await service
      .operator()
      .admin.deleteAccount({ params: { id: accountId }, query: { confirm: true } });
    await service.running.context.worker.drain();
    expect(await files()).toEqual([unfinished]);
  });
});
