import { sql } from 'kysely';
import type { Service } from './service.ts';

/** The names of the tables with rows that contain a word. */
export async function findTablesContaining({ running }: Service, word: string): Promise<string[]> {
  const { db } = running.context.app.engine;
  const { rows: names } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(db);
  const found: string[] = [];
  for (const { name } of names) {
    const { rows } = await sql`
      select from ${sql.table(name)} as t
      where to_jsonb(t)::text ilike ${`%${word}%`} limit 1`.execute(db);
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}
