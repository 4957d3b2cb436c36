import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseTooNew, MigrationError } from './errors.ts';
import { migrate, readSchemaState } from './migrate.ts';
import { openEngine } from './open.ts';
import { eachEngine, silentLog, type TestEngine } from './testing.ts';

const FIRST = 'create table first (id int primary key);\ninsert into first values (1);\n';
const SECOND = "create table second (note text default 'a;b'); -- and a comment; with this\n";

describe.each(eachEngine())('migrate: $name', ({ open }) => {
  let opened: TestEngine;
  let folder: string;

  beforeEach(async () => {
    opened = await open();
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-migrations-'));
    await write('0001_first.sql', FIRST);
    await write('0002_second.sql', SECOND);
  });

  afterEach(async () => {
    await opened.cleanup();
    await fs.rm(folder, { recursive: true });
  });

  function write(file: string, text: string): Promise<void> {
    return fs.writeFile(path.join(folder, file), text);
  }

  function run(): Promise<{ applied: string[] }> {
    return migrate(opened.engine, folder, { log: silentLog });
  }

  async function tables(): Promise<string[]> {
    const query = sql<{ name: string }>`select tablename::text as name from pg_tables
      where schemaname = 'public' order by 1`;
    const names = (await query.execute(opened.engine.db)).rows.map((row) => row.name);
    // Only on a server, which several processes may use; see schema-fence.database.test.ts.
    return names.filter((name) => !name.startsWith('schema_version_'));
  }

  /** The tables, and the transaction that last changed each of their rows. */
  async function dump(): Promise<unknown> {
    const rows = sql`select version, name, xmin::text from schema_migrations order by version`;
    return [await tables(), (await rows.execute(opened.engine.db)).rows];
  }

  it('applies pending files in order, once', async () => {
    expect((await run()).applied).toEqual(['0001_first.sql', '0002_second.sql']);
    expect((await run()).applied).toEqual([]);
    await write('0003_third.sql', 'create table third ();');
    expect((await run()).applied).toEqual(['0003_third.sql']);
    expect(await tables()).toEqual(['first', 'schema_migrations', 'second', 'third']);
  });

  it('runs a file with quotes of each kind, statement by statement', async () => {
    // Comments between the parts of a string are left out by the parser of the unit test.
    await write(
      '0003_quotes.sql',
      `create table quotes (text text);
      insert into quotes values (e'a\\';' -- it's; one
        'b\\';'), ($$c;'$$), ($x$d;$$;$x$), ('e;''') /* ; /* ' */ ; */;
      create function f() returns text language sql as 'select ''f;'';';;
      insert into quotes values (f());`,
    );
    await run();
    const rows = await sql<{ text: string }>`select text from quotes`.execute(opened.engine.db);
    expect(rows.rows.map(({ text }) => text)).toEqual(["a';b';", "c;'", 'd;$$;', "e;'", 'f;']);
  });

  it('stops at the requested version and continues from there', async () => {
    const upTo = (version: number) =>
      migrate(opened.engine, folder, { log: silentLog, upTo: version });
    expect((await upTo(1)).applied).toEqual(['0001_first.sql']);
    expect((await upTo(1)).applied).toEqual([]);
    expect(await tables()).toEqual(['first', 'schema_migrations']);
    await expect(upTo(3)).rejects.toThrow(DatabaseTooNew);
    expect((await run()).applied).toEqual(['0002_second.sql']);
    expect((await upTo(1)).applied).toEqual([]);
  });

  it('ignores differences in line ends', async () => {
    await run();
    await write('0001_first.sql', FIRST.replaceAll('\n', '\r\n'));
    expect((await run()).applied).toEqual([]);
  });

  it('rejects a file that was changed after it was applied', async () => {
    await run();
    await write('0001_first.sql', `${FIRST}-- more`);
    await expect(run()).rejects.toThrow(/0001_first\.sql was changed after/);
  });

  it('rejects a database of a newer version', async () => {
    await run();
    await fs.rm(path.join(folder, '0002_second.sql'));
    const before = await dump();
    await expect(run()).rejects.toThrow(DatabaseTooNew);
    await expect(run()).rejects.toThrow(
      'The database has schema version 2 (0002_second.sql), but this version of Mneme supports ' +
        'schema versions up to 1: start the version of Mneme that upgraded the database or a ' +
        'newer one, or restore a backup made before the upgrade.',
    );
    expect(await dump()).toEqual(before);
  });

  it('reports what the next start applies, without writing', async () => {
    expect(await readSchemaState(opened.engine, folder)).toEqual({
      version: 0,
      newest: 2,
      pending: ['0001_first.sql', '0002_second.sql'],
    });
    expect(await tables()).toEqual([]);
    await run();
    const state = await readSchemaState(opened.engine, folder);
    expect(state).toEqual({ version: 2, newest: 2, pending: [] });
  });

  it('rejects a gap in the numbers and a name without a number', async () => {
    await write('0004_fourth.sql', 'select 1;');
    await expect(run()).rejects.toThrow(MigrationError);
    await fs.rm(path.join(folder, '0004_fourth.sql'));
    await write('later.sql', 'select 1;');
    await expect(run()).rejects.toThrow(MigrationError);
    expect(await tables()).toEqual([]);
  });

  it('rolls back a failed file and keeps the files before it', async () => {
    await write('0003_third.sql', 'create table third (); select 1 / 0;');
    await expect(run()).rejects.toThrow(/0003_third\.sql failed: division by zero/);
    expect(await tables()).toEqual(['first', 'schema_migrations', 'second']);
    await write('0003_third.sql', 'create table third ();');
    expect((await run()).applied).toEqual(['0003_third.sql']);
  });

  it('lets two processes start at the same time', async () => {
    const runs = [run(), run()];
    if (opened.url) {
      const settings = { kind: 'server' as const, url: opened.url, poolMax: 2 };
      await using other = await openEngine(settings, { log: silentLog });
      runs.push(migrate(other, folder, { log: silentLog }));
      await Promise.all(runs);
    }
    const applied = (await Promise.all(runs)).flatMap((result) => result.applied);
    expect(applied.sort()).toEqual(['0001_first.sql', '0002_second.sql']);
    const count = sql<{ n: number }>`select count(*) as n from first`;
    expect((await count.execute(opened.engine.db)).rows).toEqual([{ n: 1 }]);
  });
});
