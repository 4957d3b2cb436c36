import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../../../test/support/fake-clock.ts';
import { recordStatements } from '../../../../../../test/support/recorded-statements.ts';
import { startService } from '../../../../../../test/support/service.ts';
import { eachEngine } from '../../../database/testing.ts';
import { type Clock, systemClock } from '../../../kernel/clock.ts';
import { metrics } from '../../../kernel/metrics/metrics.ts';
import { indexCache } from '../index-cache.ts';
import { makeQuery } from '../testing.ts';
import { segmentMaintenance } from './maintenance.ts';

const migrations = fileURLToPath(new URL('../../../../migrations', import.meta.url));
/** Just as many as get a segment. */
const memories = 2_000;

interface Options {
  readonly canWrite?: boolean;
  readonly clock?: Clock;
}

describe.each(eachEngine({ migrations }))('segments on $name', ({ name, open }) => {
  async function start({ canWrite = true, clock = systemClock }: Options = {}) {
    const ending = new AsyncDisposableStack();
    const opened = await open();
    ending.defer(() => opened.cleanup());
    const { engine, taken } = recordStatements(opened.engine);
    const service = await startService(name as 'embedded', { overrides: { engine, clock } });
    ending.defer(() => service.stop());
    const { id: accountId, client } = await service.createAccount();
    const { app } = service.running.context;
    const cache = indexCache.of(app);
    const folder = path.join(app.config.dataDir, 'index-segments');
    const files = () => readdir(folder).catch((): string[] => []);
    const loads = async () => {
      const all = await metrics.of(app).read();
      const values = all.find((one) => one.name === 'mneme_index_segment_loads_total')?.values;
      return Object.fromEntries((values ?? []).map(({ labels, value }) => [labels.result, value]));
    };
    /** The ids of what has a term. */
    const holding = async (term: string) =>
      (await cache.query({ kind: 'holding', accountId, spaces: null, terms: [term] })).toSorted();
    const page = () =>
      cache.query({
        kind: 'page',
        accountId,
        query: makeQuery('zebra coffee number 17'),
        page: { offset: 0, limit: 50, explain: true },
      });
    /** As after a start. */
    const reload = () => cache.evict(accountId);
    const maintain = () => segmentMaintenance.of(app).run();
    const create = async (contents: readonly string[]) => {
      const ids: string[] = [];
      for (let from = 0; from < contents.length; from += 100) {
        const some = contents.slice(from, from + 100).map((content) => ({ content }));
        const created = await client.memories.bulkCreate({ body: { memories: some } });
        ids.push(...created.memories.map(({ id }) => id));
      }
      return ids;
    };
    const ids = await create(
      Array.from({ length: memories }, (_, i) => `Zebra number ${i} likes coffee`),
    );
    await page();
    if (!canWrite) await writeFile(folder, 'a file instead of a folder');
    await maintain();
    const service_ = { service, app, engine: opened.engine, taken };
    return {
      ending,
      ...service_,
      accountId,
      client,
      cache,
      folder,
      files,
      loads,
      holding,
      page,
      reload,
      maintain,
      create,
      ids,
    };
  }

  it('load an account without its rows, with later changes, and equal a rebuild', async () => {
    const {
      ending,
      client,
      files,
      folder,
      loads,
      holding,
      page,
      reload,
      create,
      ids,
      taken,
      maintain,
      app,
    } = await start();
    await using _ = ending;
    expect(await files()).toHaveLength(1);
    const [first = '', second = '', third = ''] = ids;
    const [added] = await create(['A zebra drinks tea in Lisbon']);
    await client.memories.update({ params: { id: second }, body: { content: 'A violin' } });
    await client.memories.remove({ params: { id: first } });
    await client.memories.remove({ params: { id: third }, query: { soft: true } });
    reload();
    taken();
    const loaded = [await page(), await holding('violin'), await holding('zebra')];
    const rows = taken().filter((text) => text.includes('case when hidden then null'));
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
    expect(app.config.dataDir).toBe(path.dirname(folder));
  });

  it('are written again after a removal', async () => {
    const clock = createFakeClock();
    const { ending, client, create, files, ids, maintain } = await start({ clock });
    await using _ = ending;
    const [first = ''] = await files();
    await create(['One more, so that enough remain']);
    await client.memories.remove({ params: { id: ids[0] as string } });
    await maintain();
    expect(await files()).toEqual([]);
    clock.advance(600_000);
    await maintain();
    expect(await files()).toEqual([expect.not.stringContaining(first)]);
  });

  it('are rebuilt where they are damaged, and the damage is reported', async () => {
    const { ending, files, folder, loads, page, reload, service } = await start();
    await using _ = ending;
    const rebuilt = await page();
    const [name_ = ''] = await files();
    const file = path.join(folder, name_);
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
    const { ending, accountId, engine, files, loads, page, reload, maintain } = await start();
    await using _ = ending;
    // A backup from before the segment has no row of it.
    const rebuilt = await page();
    await sql`delete from index_segments where account_id = ${accountId}::uuid`.execute(engine.db);
    reload();
    expect(await page()).toEqual(rebuilt);
    expect(await loads()).toEqual({});
    await maintain();
    expect(await files()).toEqual([]);
  });

  it('of deleted accounts, unknown ones, and unfinished ones are deleted', async () => {
    const { ending, files, folder, maintain, accountId, service } = await start();
    await using _ = ending;
    const [own = ''] = await files();
    const other = `${randomUUID()}.${randomUUID()}.segment`;
    await writeFile(path.join(folder, other), 'foreign');
    await writeFile(path.join(folder, 'something else'), '');
    const unfinished = `${accountId}.${randomUUID()}.segment.new`;
    await writeFile(path.join(folder, unfinished), '');
    await maintain();
    // Another process may be writing it.
    expect((await files()).toSorted()).toEqual([own, unfinished].toSorted());
    await service
      .operator()
      .admin.deleteAccount({ params: { id: accountId }, query: { confirm: true } });
    await service.running.context.worker.drain();
    expect(await files()).toEqual([unfinished]);
  });

  it('are compared with a rebuild by a verification, which deletes different ones', async () => {
    const { ending, accountId, engine, files, service, ids, client } = await start();
    await using _ = ending;
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
      where account_id = ${accountId}::uuid and id = ${ids[0]}::uuid`.execute(engine.db);
    expect((await verify(false)).codes).toContain('segment_differs');
    expect(await files()).toHaveLength(1);
    await verify(true);
    expect(await files()).toEqual([]);
  });

  it('that cannot be written are reported once, and searches continue', async () => {
    const { ending, page, reload, maintain, service } = await start({ canWrite: false });
    await using _ = ending;
    await maintain();
    const warnings = service.logLines.filter((line) => line.includes('index segment not written'));
    expect(warnings).toHaveLength(1);
    reload();
    expect((await page()).hits.length).toBeGreaterThan(0);
  });
});
