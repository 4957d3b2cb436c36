import fs from 'node:fs/promises';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Engine } from '../../packages/server/src/engine/index.ts';

/** Rows of every table as JSON; how a fixture is made of them stands in test/fixtures/README.md. */
export interface Dump<Known> {
  /** Names of the migrations that the tables are of. */
  readonly migrations: readonly string[];
  /** In an order in which they can be inserted. */
  readonly tables: readonly { readonly name: string; readonly rows: readonly object[] }[];
  /** What the service answered when the dump was taken. */
  readonly known: Known;
}

export async function writeDump(engine: Engine, file: string, known: unknown): Promise<void> {
  const { db } = engine;
  const { rows: applied } = await sql<{ name: string }>`
    select name from schema_migrations order by version`.execute(db);
  const { rows: names } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name <> 'schema_migrations'`.execute(db);
  const tables: { name: string; rows: object[] }[] = [];
  for (const { name } of names) {
    const { rows } = await sql<{ row: object }>`
      select to_jsonb(t) as row from ${sql.table(name)} as t`.execute(db);
    tables.push({ name, rows: rows.map(({ row }) => row) });
  }
  const dump = { migrations: applied.map(({ name }) => name), tables, known };
  await fs.writeFile(file, brotliCompressSync(JSON.stringify(dump)));
}

export async function readDump<Known>(file: URL): Promise<Dump<Known>> {
  return JSON.parse(brotliDecompressSync(await fs.readFile(file)).toString('utf8')) as Dump<Known>;
}

/** Into a database that has just these migrations and no rows. */
export async function loadDump(engine: Engine, { tables }: Dump<unknown>): Promise<void> {
  await engine.transaction(async (tx) => {
    for (const { name, rows } of tables) {
      await sql`insert into ${sql.table(name)}
        select * from jsonb_populate_recordset(null::${sql.table(name)}, ${JSON.stringify(rows)}::jsonb)
      `.execute(tx);
    }
  });
}
