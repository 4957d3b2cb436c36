import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type DatabaseBackup,
  DatabaseBackupInvalid,
  dumpTables,
  type Engine,
  loadTables,
  migrate,
  parseTableList,
  TABLE_LIST_NAME,
  type TableList,
} from '../index.ts';
import {
  eachEngine,
  makeTestFolder,
  openTestEngine,
  silentLog,
  type TestEngine,
} from '../testing.ts';
import { toAsyncIterable } from './database-backup.ts';

const MB = 2 ** 20;

interface Dumped {
  readonly list: TableList;
  readonly entries: readonly { readonly name: string; readonly bytes: Buffer }[];
}

const startCopy = (engine: Engine): Promise<DatabaseBackup> =>
  engine.kind === 'server' ? engine.backup() : dumpTables(engine);

/** Reads a backup of the tables into memory. */
async function dump(engine: Engine): Promise<Dumped> {
  await using copy = await startCopy(engine);
  const entries: { name: string; bytes: Buffer }[] = [];
  for await (const { name, size, content } of copy.entries()) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    expect(bytes.length).toBe(size);
    entries.push({ name, bytes });
  }
  const [first, ...rest] = entries;
  expect(first?.name).toBe(TABLE_LIST_NAME);
  return { list: parseTableList(first?.bytes.toString() ?? ''), entries: rest };
}

async function* contents({ entries }: Pick<Dumped, 'entries'>) {
  for (const { name, bytes } of entries) yield { name, content: toAsyncIterable(bytes) };
}

const load = (engine: Engine, dumped: Dumped) => loadTables(engine, dumped.list, contents(dumped));

/** The child comes before its parent in the alphabet, and has columns that are not stored as is. */
const SCHEMA = `
  create table owners (id int primary key, name text);
  insert into owners values (0, 'made by a migration');
  create table animals (
    id int primary key,
    owner int references owners,
    twice int generated always as (id * 2) stored,
    number bigserial,
    flag boolean, note text, limited varchar(40), bytes bytea, document jsonb, raw json,
    at timestamptz, day date, span interval, key uuid,
    exact numeric, small float4, large float8, big bigint, tiny smallint,
    words text[], keys uuid[], vectors bytea[], sizes float8[], documents jsonb[]
  );
  create unlogged table brief (id int);
  create table nobody (id int);`;

const texts = [
  '',
  '\\',
  '\\N',
  '\\.',
  'a\tb\nc\rd\be\fv',
  'é 日本 🙂 \u0301',
  '\u0001',
  '"{,}\'NULL',
];
const lists = [[], ['NULL', '', '"', '\\', ',', '{}', ' ', null], texts];
const floats = ['NaN', 'Infinity', '-Infinity', '-0', '5e-324', '1.7976931348623157e308', '0.1'];
const smallFloats = ['NaN', '3.4028235e38', '1e-45', '-0', '0.1'];
const numerics = ['NaN', 'Infinity', '0.000', '-1e-40', `${'9'.repeat(60)}.${'1'.repeat(60)}`];
const times = ['infinity', '-infinity', '4713-01-01 BC', '2026-01-02 03:04:05.678999+02'];
const spans = ['-1 year -2 mons +3 days -04:05:06.000007', '0', '178000000 years'];
const documents = ['null', '{"a": [1e400, 1.10, "\\u0001\\n\\\\"], "": "日"}', '"\\\\N"'];

/** Rows whose values are the extremes of their types, one after the other; and one of nulls. */
async function fill({ db }: Engine): Promise<void> {
  const pick = (values: readonly unknown[], index: number) => values[index % values.length];
  for (let id = 1; id <= 8; id += 1) {
    await sql`insert into owners values (${id}, ${pick(texts, id)})`.execute(db);
    const words = pick(lists, id);
    await sql`insert into animals (id, owner, flag, note, limited, bytes, document, raw, at, day,
      span, key, exact, small, large, big, tiny, words, keys, vectors, sizes, documents) values
      (${id}, ${id}, ${id % 2 === 0}, ${pick(texts, id)}, ${pick(texts, id + 1)},
      ${Uint8Array.from({ length: 300 }, (_, index) => index % 256)}, ${pick(documents, id)}::jsonb,
      ${pick(documents, id)}::json, ${pick(times, id)}::timestamptz, ${pick(times, id)}::date,
      ${pick(spans, id)}::interval, '0199a3c4-7d51-7cc2-8d0b-3f1a52c9e0aa',
      ${pick(numerics, id)}::numeric, ${pick(smallFloats, id)}::float4,
      ${pick(floats, id)}::float8, '-9223372036854775808', -32768, ${words}::text[],
      '{}', ${[Uint8Array.of(0, 255), new Uint8Array(0)]}::bytea[], ${floats}::float8[],
      ${[pick(documents, id), null]}::jsonb[])`.execute(db);
  }
  await sql`insert into animals (id) values (9)`.execute(db);
  await sql`insert into brief values (1)`.execute(db);
}

/** Every value as text, which is exact for each type. */
async function rowsOf({ db }: Engine): Promise<string[]> {
  const rows = sql<{ row: string }>`
    select o::text as row from owners as o union all select a::text from animals as a order by 1`;
  return (await rows.execute(db)).rows.map(({ row }) => row);
}

const names = eachEngine().map(({ name }) => name);
const directions = names.flatMap((from) => names.map((to) => ({ from, to })));

let opened: TestEngine[] = [];
afterEach(async () => {
  for (const { cleanup } of opened) await cleanup();
  opened = [];
});

async function open(name: string, schema = SCHEMA): Promise<Engine> {
  const one = await openTestEngine(name);
  opened.push(one);
  await sql.raw(schema).execute(one.engine.db);
  return one.engine;
}

describe.each(directions)('tables from $from to $to', ({ from, to }) => {
  it('have exactly the same values, and sequences that go on', async () => {
    const [source, target] = [await open(from), await open(to)];
    await fill(source);
    const dumped = await dump(source);
    expect(await load(target, dumped)).toEqual({ rows: 18 });
    expect(await rowsOf(target)).toEqual(await rowsOf(source));
    const insert = sql<{ number: number }>`insert into animals (id) values (10) returning number`;
    expect((await insert.execute(target.db)).rows).toEqual([{ number: 10 }]);
    // The values from the backup equal those of the original.
    await sql`delete from animals where id = 10`.execute(target.db);
    expect((await dump(target)).entries).toEqual(dumped.entries);
  });
});

// Each engine writes once and reads once.
const between = directions.filter(({ from, to }) => names.length === 1 || from !== to);
describe.each(between)('large tables from $from to $to', ({ from, to }) => {
  it('have rows of many megabytes', async () => {
    const schema = 'create table large (id int primary key, note text, bytes bytea)';
    const [source, target] = [await open(from, schema), await open(to, schema)];
    await sql`insert into large
      select n, repeat(md5(n::text), n % 5), case when n = 700 then
        decode(repeat(md5('x'), ${(3 * MB) / 16}), 'hex') end
      from generate_series(1, 10000) as n`.execute(source.db);
    await sql`insert into large values (0, repeat('é' || chr(10), ${2 * MB}), null)`.execute(
      source.db,
    );
    const dumped = await dump(source);
    const sizes = dumped.entries.map(({ bytes }) => bytes.length);
    expect(sizes.filter((bytes) => bytes > MB)).toHaveLength(2);
    expect(dumped.entries.every(({ bytes }) => bytes.at(-1) === 0x0a)).toBe(true);
    expect(await load(target, dumped)).toEqual({ rows: 10_001 });
    const sum = sql`select count(*)::int as rows, sum(octet_length(bytes))::int as bytes,
      md5(string_agg(md5(note) || coalesce(md5(bytes), ''), '' order by id)) as all from large`;
    expect((await sum.execute(target.db)).rows).toEqual((await sum.execute(source.db)).rows);
  });
});

describe.each(names.map((name) => ({ name })))('a copy of the tables: $name', ({ name }) => {
  it('has the permanent tables, parents first, without computed columns', async () => {
    const engine = await open(name);
    await sql`create table schema_migrations as select 1 as version, 'a' as name, 'b' as checksum
      `.execute(engine.db);
    await fill(engine);
    await using copy = await startCopy(engine);
    expect(copy).toMatchObject({
      kind: 'tables',
      postgresVersion: expect.stringMatching(/^\d\d\.\d/),
      migrations: [{ version: 1, name: 'a', checksum: 'b' }],
    });
    await copy[Symbol.asyncDispose]();
    const { list, entries } = await dump(engine);
    expect(list.tables.map((table) => table.name)).toEqual(['nobody', 'owners', 'animals']);
    expect(list.tables[2]?.columns.map((column) => column.name)).not.toContain('twice');
    expect(list.sequences).toEqual([
      { name: 'animals_number_seq', last_value: '9', is_called: true },
    ]);
    expect(entries.map((entry) => entry.name)).toEqual([
      'tables/owners/000001.copy',
      'tables/animals/000001.copy',
    ]);
  });

  it('that is not read to its end leaves the engine usable', async () => {
    const engine = await open(name, 'create table wide (note text)');
    await sql`insert into wide select repeat(md5(n::text), 100) from generate_series(1, 10000) as n
      `.execute(engine.db);
    await using copy = await startCopy(engine);
    for await (const entry of copy.entries()) if (entry.name !== TABLE_LIST_NAME) break;
    await copy[Symbol.asyncDispose]();
    await engine.transaction(async (tx) => {
      await sql`insert into wide values ('later')`.execute(tx);
    });
    const { list } = await dump(engine);
    expect(list.tables).toHaveLength(1);
  });

  it('is rejected by a database with other tables, columns or types', async () => {
    const source = await open(name);
    const dumped = await dump(source);
    const target = await open(
      name,
      SCHEMA.replace('note text', 'remark text').replace('tiny smallint', 'tiny int'),
    );
    const loading = load(target, dumped);
    await expect(loading).rejects.toThrow(DatabaseBackupInvalid);
    await expect(loading).rejects.toThrow('column animals.note (text) is missing');
    await expect(loading).rejects.toThrow('column animals.tiny (smallint) is missing');
    await expect(loading).rejects.toThrow('column animals.remark (text) is not in the backup');
    expect(await rowsOf(target)).toEqual(['(0,"made by a migration")']);
  });

  it('is rejected with an entry of an unknown table, out of turn, or of another kind', async () => {
    const engine = await open(name);
    const { list } = await dump(engine);
    for (const entry of ['tables/others/000001.copy', 'tables/owners/000002.copy', 'base/5/1259']) {
      const loading = load(engine, { list, entries: [{ name: entry, bytes: Buffer.from('') }] });
      await expect(loading).rejects.toThrow(`${entry} is not the next entry`);
      await engine.ping();
    }
  });

  it('of an older version is loaded and then migrated', async () => {
    const folder = await makeTestFolder();
    const write = (file: string, text: string) => fs.writeFileSync(path.join(folder, file), text);
    write('0001_first.sql', 'create table notes (id int primary key, note text);');
    const old = await open(name, '');
    await migrate(old, folder, { log: silentLog });
    await sql`insert into notes values (1, 'kept'), (2, 'kept')`.execute(old.db);
    const dumped = await dump(old);
    write(
      '0002_second.sql',
      `create table counts as select count(*)::int as notes from notes;
      alter table notes add marked boolean; update notes set marked = true;`,
    );
    const target = await open(name, '');
    await migrate(target, folder, { log: silentLog, upTo: 1 });
    await load(target, dumped);
    const { applied } = await migrate(target, folder, { log: silentLog });
    expect(applied).toEqual(['0002_second.sql']);
    const query = sql`select counts.notes, notes.* from notes, counts order by id`;
    expect((await query.execute(target.db)).rows).toEqual([
      { notes: 2, id: 1, note: 'kept', marked: true },
      { notes: 2, id: 2, note: 'kept', marked: true },
    ]);
    fs.rmSync(folder, { recursive: true });
  });
});

describe('a copy of the tables with all migrations', () => {
  const migrations = path.resolve(import.meta.dirname, '../../../migrations');
  let migrated: TestEngine;
  beforeEach(async () => {
    migrated = await openTestEngine('embedded', { migrations });
  });
  afterEach(() => migrated.cleanup());

  it('has every table that survives a crash, in loading order', async () => {
    const dumped = await dump(migrated.engine);
    const permanentTables = sql<{ name: string }>`select relname::text as name from pg_class
      where relkind = 'r' and relpersistence = 'p' and relnamespace = 'public'::regnamespace`;
    const { rows } = await permanentTables.execute(migrated.engine.db);
    const tables = rows.map((row) => row.name).filter((table) => table !== 'schema_migrations');
    expect(dumped.list.tables.map(({ name }) => name).sort()).toEqual(tables.sort());
    expect(tables.length).toBeGreaterThan(40);
    await using copy = await dumpTables(migrated.engine);
    const files = fs.readdirSync(migrations).filter((name) => name.endsWith('.sql'));
    expect(copy.migrations.map(({ name }) => name)).toEqual(files.sort());
  });
});
