import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.ts';
import type { Engine } from '../engine.ts';
import { NestedTransaction } from '../errors.ts';
import { migrate } from '../migrate.ts';
import { openServer } from '../server/server.ts';
import { makeTestDatabase, makeTestFolder, silentLog } from '../testing.ts';
import { type DatabaseBackup, toAsyncIterable } from './database-backup.ts';
import { loadTables } from './load-tables.ts';
import { parseTableList } from './table-list.ts';

const serverUrl = process.env.MNEME_TEST_DATABASE_URL;

/** The lines of each table's entries. */
async function readRows(copy: DatabaseBackup): Promise<Map<string, string[]>> {
  const rows = new Map<string, string[]>();
  for await (const { name, content } of copy.entries()) {
    let text = '';
    for await (const chunk of content) text += Buffer.from(chunk).toString();
    const [, table] = name.split('/');
    if (table) rows.set(table, [...(rows.get(table) ?? []), ...text.trimEnd().split('\n')]);
  }
  return rows;
}

/** Reads only the list, so that the rest of the backup is pending. */
async function begin(copy: DatabaseBackup) {
  const entries = copy.entries()[Symbol.asyncIterator]();
  await entries.next();
  return entries;
}

describe.runIf(serverUrl)('a backup of a server', () => {
  let url: string;
  let drop: () => Promise<void>;
  /** With a single connection. */
  let engine: Engine;

  beforeEach(async () => {
    ({ url, drop } = await makeTestDatabase(serverUrl ?? ''));
    engine = await openServer({ kind: 'server', url, poolMax: 1 }, { log: silentLog });
  });
  afterEach(async () => {
    await engine[Symbol.asyncDispose]();
    await drop();
  });

  it('during 16 writers has every transaction acknowledged before it began', async () => {
    const settings = { kind: 'server' as const, url, poolMax: 16 };
    await using busy = await openServer(settings, { log: silentLog });
    await sql`create table lefts (id int primary key)`.execute(engine.db);
    await sql`create table rights (id int primary key)`.execute(engine.db);
    const acknowledged: number[] = [];
    let [next, writes] = [1, true];
    async function write(): Promise<void> {
      while (writes) {
        const id = next++;
        await busy.transaction(async (tx) => {
          await sql`insert into lefts values (${id})`.execute(tx);
          await sql`insert into rights values (${id})`.execute(tx);
        });
        acknowledged.push(id);
      }
    }
    const writers = Array.from({ length: 16 }, write);
    await eventually(
      async () => acknowledged.length,
      (count) => count > 100,
    );
    const before = [...acknowledged];
    await using copy = await engine.backup();
    const acknowledgedAtStart = acknowledged.length;
    await eventually(
      async () => acknowledged.length,
      (count) => count > acknowledgedAtStart + 100,
    );
    const rows = await readRows(copy);
    writes = false;
    await Promise.all(writers);
    const [lefts, rights] = [rows.get('lefts') ?? [], rows.get('rights') ?? []];
    expect(before.filter((id) => !lefts.includes(String(id)))).toEqual([]);
    expect(lefts.toSorted()).toEqual(rights.toSorted());
    expect(lefts.length).toBeLessThan(acknowledged.length);
  });

  it('needs no connection of the pool', async () => {
    await sql`create table notes as select 1 as id`.execute(engine.db);
    const inside = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const transaction = engine.transaction(async (tx) => {
      await sql`insert into notes values (2)`.execute(tx);
      inside.resolve();
      await end.promise;
    });
    await inside.promise;
    await using copy = await engine.backup();
    expect((await readRows(copy)).get('notes')).toEqual(['1']);
    end.resolve();
    await transaction;
  });

  it('cannot be started in a transaction, as on the embedded engine', async () => {
    await expect(engine.transaction(() => engine.backup())).rejects.toThrow(NestedTransaction);
  });

  it('has no timeouts, even if the database sets some', async () => {
    const limits = [
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
      'idle_session_timeout',
      'transaction_timeout',
    ];
    const known = sql<{ name: string }>`
      select name from pg_settings where name = any(${limits}::text[])`;
    for (const { name } of (await known.execute(engine.db)).rows) {
      await sql`alter database ${sql.id(new URL(url).pathname.slice(1))}
        set ${sql.raw(name)} = '500s'`.execute(engine.db);
    }
    await using connection = await engine.openCopyConnection();
    const set = await connection.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name in ('${limits.join("', '")}')`,
    );
    expect(set.length).toBeGreaterThan(3);
    expect(set.filter(({ setting }) => setting !== '0')).toEqual([]);
  });

  it('blocks migrations, but not a start without pending migrations', async () => {
    const folder = await makeTestFolder();
    const write = (file: string, text: string) => fs.writeFileSync(path.join(folder, file), text);
    write('0001_first.sql', 'create table notes (note text); insert into notes values (1)');
    await migrate(engine, folder, { log: silentLog });
    const copy = await engine.backup();
    expect(await migrate(engine, folder, { log: silentLog })).toEqual({ applied: [] });
    write('0002_second.sql', 'alter table notes drop note');
    const migrating = migrate(engine, folder, { log: silentLog });
    await using watching = await openServer(
      { kind: 'server', url, poolMax: 1 },
      { log: silentLog },
    );
    const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await eventually(
      async () => (await waiting.execute(watching.db)).rows.length,
      (count) => count === 1,
    );
    expect((await readRows(copy)).get('notes')).toEqual(['1']);
    await copy[Symbol.asyncDispose]();
    expect(await migrating).toEqual({ applied: ['0002_second.sql'] });
    fs.rmSync(folder, { recursive: true });
  });

  it('fails when its connection is lost, and the engine continues', async () => {
    await sql`create table wide as select repeat(md5(n::text), 100) as note
      from generate_series(1, 20000) as n`.execute(engine.db);
    await using copy = await engine.backup();
    const entries = await begin(copy);
    await entries.next();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(engine.db);
    const rest = async () => {
      while (!(await entries.next()).done);
    };
    await expect(rest()).rejects.toThrow();
    await engine.ping();
  });

  it('leaves no connection behind, read completely or not', async () => {
    await sql`create table wide as select repeat(md5(n::text), 100) as note
      from generate_series(1, 20000) as n`.execute(engine.db);
    for (const count of [0, 1, 1_000]) {
      await using copy = await engine.backup();
      const entries = await begin(copy);
      for (let read = 0; read < count; read += 1) if ((await entries.next()).done) break;
    }
    // Citus has connections of its own, also where no table is distributed.
    const others = sql`select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and application_name = 'mneme'`;
    await eventually(
      async () => (await others.execute(engine.db)).rows.length,
      (count) => count === 0,
    );
  });

  it('is loaded completely or not at all', async () => {
    await sql`create table notes as select n as id from generate_series(1, 3) as n`.execute(
      engine.db,
    );
    const list = parseTableList(
      JSON.stringify({
        tables: [{ name: 'notes', columns: [{ name: 'id', type: 'integer' }] }],
        sequences: [],
      }),
    );
    async function* entries() {
      yield { name: 'tables/notes/000001.copy', content: toAsyncIterable(Buffer.from('7\n8\n')) };
      yield { name: 'tables/notes/000002.copy', content: toAsyncIterable(Buffer.from('x\n')) };
    }
    async function* failing() {
      yield { name: 'tables/notes/000001.copy', content: toAsyncIterable(Buffer.from('7\n8\n')) };
      throw new Error('the archive ends here');
    }
    await expect(loadTables(engine, list, entries())).rejects.toThrow('invalid input syntax');
    await expect(loadTables(engine, list, failing())).rejects.toThrow('the archive ends here');
    const { rows } = await sql`select id from notes order by id`.execute(engine.db);
    expect(rows).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('is not loaded if the content of an entry cannot be read', async () => {
    await sql`create table notes (id int)`.execute(engine.db);
    const list = parseTableList(
      JSON.stringify({
        tables: [{ name: 'notes', columns: [{ name: 'id', type: 'integer' }] }],
        sequences: [],
      }),
    );
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('1\n');
      throw new Error('the disk fails');
    }
    async function* entries() {
      yield { name: 'tables/notes/000001.copy', content: broken() };
    }
    await expect(loadTables(engine, list, entries())).rejects.toThrow('the disk fails');
    expect((await sql`select id from notes`.execute(engine.db)).rows).toEqual([]);
  });
});
