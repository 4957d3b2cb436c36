import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type DamagedPage,
  findDamagedPages,
  readNextRelation,
} from '../durability/damaged-pages.ts';
import { openEmbedded } from '../embedded/embedded.ts';
import { EngineClosed, NestedTransaction } from '../errors.ts';
import {
  type BackupEntry,
  BackupInProgress,
  BackupInterrupted,
  type DatabaseBackup,
  dumpTables,
  type Engine,
  restoreFiles,
} from '../index.ts';
import { makeTestFolder, openTestEmbedded, silentLog } from '../testing.ts';
import { FileBackups } from './file-backup.ts';

type Opened = Awaited<ReturnType<typeof openTestEmbedded>>;

let opened: Opened;
/** For what is restored. */
let folder: string;
beforeEach(async () => {
  folder = await makeTestFolder();
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

/** The entries; `act` runs before each is passed on. */
async function* entriesWith(copy: DatabaseBackup, act: (entry: BackupEntry) => Promise<unknown>) {
  for await (const entry of copy.entries()) {
    await act(entry);
    yield entry;
  }
}

const nothing = async (): Promise<void> => undefined;

/** Reads all entries; `act` runs before each. */
async function readAll(copy: DatabaseBackup, act = nothing): Promise<void> {
  for await (const { content } of entriesWith(copy, act)) {
    for await (const _ of content) await nothing();
  }
}

/** Restores a backup into a new data folder and opens it. */
async function openCopy(
  copy: DatabaseBackup,
  act: (entry: BackupEntry) => Promise<unknown> = nothing,
) {
  const dataDir = path.join(folder, 'data');
  await restoreFiles(entriesWith(copy, act), path.join(dataDir, 'pg'));
  return openEmbedded({ kind: 'embedded', dataDir }, { log: silentLog });
}

async function allDamaged(engine: Engine): Promise<DamagedPage[]> {
  const damaged: DamagedPage[] = [];
  for (let oid = 0; ; ) {
    const relation = await readNextRelation(engine, oid);
    if (relation === null) return damaged;
    for (let from = 0; from < Math.max(relation.pages, 1); from += 64) {
      damaged.push(...(await findDamagedPages(engine, relation, from)));
    }
    oid = relation.oid;
  }
}

async function slots({ engine, dataDir }: Opened) {
  const { rows } = await sql`select slot_name from pg_replication_slots`.execute(engine.db);
  return [...rows, ...fs.readdirSync(path.join(dataDir, 'pg', 'pg_replslot'))];
}

const checkpoint = (engine: Engine) => sql`checkpoint`.execute(engine.db);

/** Several WAL files, and checkpoints that remove those that nothing retains. */
async function turnLogOver(engine: Engine): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await sql`update bulk set pad = pad || ''`.execute(engine.db);
    await checkpoint(engine);
  }
}

describe('a backup of the files', () => {
  beforeAll(async () => {
    opened = await openTestEmbedded();
    const { engine } = opened;
    await sql`create table pairs (id int primary key, half int, pad text)`.execute(engine.db);
    await sql`create table bulk as select n as id, repeat(md5(n::text), 20) as pad
      from generate_series(1, 10000) as n`.execute(engine.db);
    await sql`create unlogged table brief as select n from generate_series(1, 10) as n`.execute(
      engine.db,
    );
  });
  afterAll(() => opened.cleanup());

  it('during 16 writers has every transaction acknowledged before it stopped', async () => {
    const { engine } = opened;
    const acknowledged: number[] = [];
    let [next, writes] = [1, true];
    async function write(): Promise<void> {
      while (writes) {
        const id = next++;
        await engine.transaction(async (tx) => {
          await sql`insert into pairs values (${id * 2}, 1, repeat('x', ${id % 4000}))`.execute(tx);
          await sql`insert into pairs values (${id * 2 + 1}, 2, 'y')`.execute(tx);
        });
        acknowledged.push(id);
        // The single connection sees errors of all kinds, which must not affect the backup.
        const failing = sql`insert into pairs values (${id * 2}, 1, '')`.execute(engine.db);
        await expect(failing).rejects.toMatchObject({ code: '23505' });
      }
    }
    const writers = Array.from({ length: 16 }, write);
    let atStop: number[] = [];
    await using copy = await engine.backup();
    expect(copy).toMatchObject({ kind: 'files', postgresVersion: /^18\./, migrations: [] });
    const acknowledgedAtStart = acknowledged.length;
    await using restored = await openCopy(copy, async ({ name }) => {
      if (name === 'base/5/') await turnLogOver(engine);
      if (name === 'global/pg_control') atStop = [...acknowledged];
      if (name === 'backup_label') writes = false;
    });
    await Promise.all(writers);
    expect(atStop.length).toBeGreaterThan(acknowledgedAtStart + 16);
    const { rows } = await sql<{ id: number; halves: number }>`
      select (id / 2)::int as id, sum(half)::int as halves from pairs group by id / 2
    `.execute(restored.db);
    const found = new Map(rows.map(({ id, halves }) => [id, halves]));
    expect(atStop.filter((id) => found.get(id) !== 3)).toEqual([]);
    expect([...found.values()].filter((halves) => halves !== 3)).toEqual([]);
    expect(await allDamaged(restored)).toEqual([]);
    expect(restored.integrity.findings).toEqual([]);
    const brief = sql<{ n: number }>`select count(*)::int as n from brief`;
    expect((await brief.execute(restored.db)).rows).toEqual([{ n: 0 }]);
    expect(opened.engine.integrity.findings).toEqual([]);
  });

  it('can itself be backed up, and reopens without findings', async () => {
    const { engine } = opened;
    {
      await using copy = await engine.backup();
      await using restored = await openCopy(copy);
      await sql`create table later as select 1 as one`.execute(restored.db);
      await using second = await restored.backup();
      await readAll(second);
    }
    const settings = { kind: 'embedded' as const, dataDir: path.join(folder, 'data') };
    await using again = await openEmbedded(settings, { log: silentLog });
    expect((await sql`select one from later`.execute(again.db)).rows).toEqual([{ one: 1 }]);
    expect(again.integrity.findings).toEqual([]);
  });

  it('runs one at a time', async () => {
    const { engine } = opened;
    {
      await using first = await engine.backup();
      await expect(engine.backup()).rejects.toThrow(BackupInProgress);
      await readAll(first);
      await expect(engine.backup()).rejects.toThrow(BackupInProgress);
    }
    await using second = await engine.backup();
    await readAll(second);
  });

  it('leaves nothing behind, whether read completely, partly or not at all', async () => {
    const { engine } = opened;
    for (const names of [Number.POSITIVE_INFINITY, 5, 0]) {
      await using copy = await engine.backup();
      expect(await slots(opened)).toHaveLength(2);
      let read = 0;
      if (names > 0) for await (const _ of copy.entries()) if (++read === names) break;
      await copy[Symbol.asyncDispose]();
      expect(await slots(opened)).toEqual([]);
      const stop = sql`select pg_backup_stop(false)`.execute(engine.db);
      await expect(stop).rejects.toThrow('backup is not in progress');
    }
  });

  it('is interrupted for its reader when it is disposed', async () => {
    const copy = await opened.engine.backup();
    const reading = readAll(copy, async () => copy[Symbol.asyncDispose]());
    await expect(reading).rejects.toThrow(BackupInterrupted);
    expect(await slots(opened)).toEqual([]);
  });

  it('cannot start in a transaction, since it would deadlock', async () => {
    const { engine } = opened;
    await expect(engine.transaction(() => engine.backup())).rejects.toThrow(NestedTransaction);
    await expect(engine.transaction(() => dumpTables(engine))).rejects.toThrow(NestedTransaction);
    await using copy = await engine.backup();
    await readAll(copy);
  });

  it('holds the connection neither in a transaction nor between entries', async () => {
    const { engine } = opened;
    await using copy = await engine.backup();
    await readAll(copy, () => engine.ping());
  });

  it('is interrupted when the disk is nearly full, so that WAL can be removed', async () => {
    const { engine, dataDir } = opened;
    let isFull = true;
    const copies = new FileBackups({
      folder: path.join(dataDir, 'pg'),
      db: engine.db,
      createSameRunCheck: () => () => true,
      isDiskFull: () => isFull,
    });
    {
      // If the disk was already full, the backup runs: it may be the way to another disk.
      await sql`set default_transaction_read_only = on`.execute(engine.db);
      await using copy = await copies.begin();
      await readAll(copy);
      await sql`set default_transaction_read_only = off`.execute(engine.db);
    }
    isFull = false;
    await using copy = await copies.begin();
    const reading = readAll(copy, async () => {
      isFull = true;
    });
    await expect(reading).rejects.toThrow(BackupInterrupted);
    await copy[Symbol.asyncDispose]();
    expect(await slots(opened)).toEqual([]);
  });
});

describe('a backup of the files whose database stops', () => {
  beforeEach(async () => {
    opened = await openTestEmbedded({ statementTimeoutMs: 500 });
    await sql`create function spin() returns void language plpgsql as
      $$ begin loop null; end loop; end $$`.execute(opened.engine.db);
  });
  afterEach(() => opened.cleanup());

  it.each(['base/', 'global/pg_control', 'pg_wal/0'])(
    'is interrupted by a statement timeout before %s, and can be repeated',
    async (before) => {
      const { engine } = opened;
      {
        await using copy = await engine.backup();
        let isSpun = false;
        const reading = openCopy(copy, async ({ name }) => {
          if (!name.startsWith(before) || isSpun) return;
          isSpun = true;
          await expect(sql`select spin()`.execute(engine.db)).rejects.toMatchObject({
            code: '57014',
          });
        });
        await expect(reading).rejects.toThrow(BackupInterrupted);
      }
      expect(await slots(opened)).toEqual([]);
      await using copy = await engine.backup();
      await using restored = await openCopy(copy);
      await restored.ping();
    },
  );

  it('fails with its engine, which removes leftovers when it reopens', async () => {
    const { engine, dataDir } = opened;
    const copy = await engine.backup();
    const closing = readAll(copy, () => engine[Symbol.asyncDispose]() as Promise<void>);
    await expect(closing).rejects.toThrow(EngineClosed);
    await copy[Symbol.asyncDispose]();
    const slot = path.join(dataDir, 'pg', 'pg_replslot', 'mneme_backup');
    expect(fs.existsSync(slot)).toBe(true);
    await using again = await openEmbedded({ kind: 'embedded', dataDir }, { log: silentLog });
    expect(await slots({ ...opened, engine: again })).toEqual([]);
    expect(fs.existsSync(slot)).toBe(false);
  });
});
