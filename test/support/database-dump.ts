import fs from 'node:fs/promises';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Engine } from '../../packages/server/src/database/index.ts';

/** The rows of all tables as JSON. test/fixtures/README.md explains how to create a fixture. */
export interface DatabaseDump<Known> {
  /** The names of the applied migrations. */
  readonly migrations: readonly string[];
  /** In the order of creation, so that referenced tables come first. */
  readonly tables: readonly { readonly name: string; readonly rows: readonly object[] }[];
  /** Responses of the service when the dump was created. */
  readonly known: Known;
}

export async function writeDatabaseDump(
  engine: Engine,
  file: string,
  known: unknown,
): Promise<void> {
  const { db } = engine;
  const { rows: applied } = await sql<{ name: string }>`
    select name from schema_migrations order by version`.execute(db);
  const { rows: names } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname <> 'schema_migrations' and relname not like 'schema_version_%'
    order by oid`.execute(db);
  const tables: { name: string; rows: object[] }[] = [];
  for (const { name } of names) {
    const { rows } = await sql<{ row: object }>`
      select to_jsonb(t) as row from ${sql.table(name)} as t
      order by to_jsonb(t)::text collate "C"`.execute(db);
    tables.push({ name, rows: rows.map(({ row }) => row) });
  }
  const dump = { migrations: applied.map(({ name }) => name), tables, known };
  await fs.writeFile(file, brotliCompressSync(JSON.stringify(dump)));
}

export async function readDatabaseDump<Known>(file: URL): Promise<DatabaseDump<Known>> {
  return JSON.parse(
    brotliDecompressSync(await fs.readFile(file)).toString('utf8'),
  ) as DatabaseDump<Known>;
}

/** Requires a database with exactly these migrations and without rows. */
export async function loadDatabaseDump(
  engine: Engine,
  { tables }: DatabaseDump<unknown>,
): Promise<void> {
  await engine.transaction(async (tx) => {
    for (const { name, rows } of tables) {
      const table = sql.table(name);
      await sql`insert into ${table} select * from
        jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::jsonb)`.execute(tx);
    }
  });
}
