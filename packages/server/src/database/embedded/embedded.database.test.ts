import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listTablesWithDeadRows, runAutovacuum, vacuumStaleTables } from '../autovacuum.ts';
import { DataFolderInUse } from '../errors.ts';
import { makeTestDataDir, openTestEmbedded, silentLog } from '../testing.ts';
import { openEmbedded } from './embedded.ts';

type Opened = Awaited<ReturnType<typeof openTestEmbedded>>;

const CHECKPOINT_MB_MAX = 200;

describe('embedded engine', () => {
  let opened: Opened;

  beforeAll(async () => {
    opened = await openTestEmbedded();
    await sql`create table notes (id int primary key, note text)`.execute(opened.engine.db);
  });

  afterAll(() => opened.cleanup());

  it('has synced every commit before its transaction resolves', async () => {
    const { engine } = opened;
    for (let id = 0; id < 20; id += 1) {
      const before = engine.fsyncs;
      await engine.transaction(async (tx) => {
        await sql`insert into notes values (${id}, 'x')`.execute(tx);
      });
      expect(engine.fsyncs).toBeGreaterThan(before);
    }
    const before = engine.fsyncs;
    await sql`insert into notes values (20, 'x')`.execute(engine.db);
    expect(engine.fsyncs).toBeGreaterThan(before);
  });

  it('syncs nothing for reads', async () => {
    const { engine } = opened;
    await engine.ping();
    const before = engine.fsyncs;
    for (let read = 0; read < 20; read += 1) {
      await sql`select count(*) from notes`.execute(engine.db);
    }
    expect(engine.fsyncs).toBe(before);
  });

  it('does not block the main thread while a long statement runs', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    await sql`select count(*) from generate_series(1, 1000000)`.execute(opened.engine.db);
    isOver = true;
    expect(turns).toBeGreaterThan(1_000);
  });

  it('keeps the WAL on disk short', async () => {
    const { engine, dataDir } = opened;
    // Wide rows as they are: many narrow ones, or compressed ones, take ten times as long.
    await sql`create table bulk (pad text storage plain)`.execute(engine.db);
    for (let batch = 0; batch < 10; batch += 1) {
      await sql`insert into bulk select repeat(md5(n::text), 240)
        from generate_series(1, 3500) as n`.execute(engine.db);
    }
    const written = sql<{ mb: number }>`
      select ((pg_current_wal_lsn() - '0/0') / 1048576)::float8 as mb`;
    expect((await written.execute(engine.db)).rows[0]?.mb).toBeGreaterThan(CHECKPOINT_MB_MAX);
    const wal = path.join(dataDir, 'pg', 'pg_wal');
    const sizes = fs
      .readdirSync(wal)
      .map((name) => fs.statSync(path.join(wal, name)))
      .map((stat) => (stat.isFile() ? stat.size : 0));
    expect(sizes.reduce((sum, size) => sum + size) / 2 ** 20).toBeLessThan(CHECKPOINT_MB_MAX);
  });

  it('vacuums and analyzes only tables with changed rows', async () => {
    const { engine } = opened;
    await sql`delete from bulk`.execute(engine.db);
    expect(await runAutovacuum(engine, { log: silentLog })).toEqual(['bulk']);
    expect(await runAutovacuum(engine, { log: silentLog })).toEqual([]);
    const size = sql<{ bytes: number }>`select pg_relation_size('bulk') as bytes`;
    expect((await size.execute(engine.db)).rows).toEqual([{ bytes: 0 }]);
  });

  it('vacuums the last dead row on request', async () => {
    const { engine } = opened;
    await sql`delete from notes where id = 0`.execute(engine.db);
    await sql`select pg_stat_force_next_flush()`.execute(engine.db);
    const now = new Date('2100-01-01');
    expect(await runAutovacuum(engine, { log: silentLog })).toEqual([]);
    expect(await listTablesWithDeadRows(engine.db, now)).toEqual(['notes']);
    await vacuumStaleTables(engine, now);
    expect(await listTablesWithDeadRows(engine.db, now)).toEqual([]);
  });

  it('rejects opening its folder a second time and stays usable', async () => {
    const second = openEmbedded({ kind: 'embedded', dataDir: opened.dataDir }, { log: silentLog });
    await expect(second).rejects.toThrow(DataFolderInUse);
    await expect(second).rejects.toThrow(opened.dataDir);
    await sql`insert into notes values (100, 'still here')`.execute(opened.engine.db);
  });
});

describe('embedded engine, its folder', () => {
  it('creates a new database that only its user can read, also after a failed start', async () => {
    const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-test-'));
    const dataDir = path.join(parent, 'deep', 'data');
    fs.mkdirSync(path.join(dataDir, 'pg.new', 'base'), { recursive: true, mode: 0o700 });
    const settings = { kind: 'embedded' as const, dataDir };
    const [first, second] = await Promise.allSettled([
      openEmbedded(settings, { log: silentLog }),
      openEmbedded(settings, { log: silentLog }),
    ]);
    expect(second).toMatchObject({ status: 'rejected', reason: expect.any(DataFolderInUse) });
    if (first.status === 'rejected') throw first.reason;
    await first.value.ping();
    await first.value[Symbol.asyncDispose]();
    expect(fs.readdirSync(dataDir).sort()).toEqual(['acknowledged-position', 'lock.db', 'pg']);
    expect(fs.statSync(dataDir).mode & 0o777).toBe(0o700);
    fs.rmSync(parent, { recursive: true });
  });

  it('can be opened again as soon as it is closed, with everything in it', async () => {
    const { dataDir, remove } = await makeTestDataDir({ onDisk: true });
    const settings = { kind: 'embedded' as const, dataDir };
    const first = await openEmbedded(settings, { log: silentLog });
    await sql`create table kept as select 1 as one`.execute(first.db);
    await first[Symbol.asyncDispose]();
    const again = await openEmbedded(settings, { log: silentLog });
    expect((await sql`select one from kept`.execute(again.db)).rows).toEqual([{ one: 1 }]);
    await again[Symbol.asyncDispose]();
    await remove();
  });
});
