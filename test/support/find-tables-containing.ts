import { sql } from 'kysely';
import type { Service } from './service.ts';

/** Names of the tables in which a word is. */
export async function findTablesContaining({ running }: Service, word: string): Promise<string[]> {
  const { db } = running.context.app.engine;
  const { rows: names } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(db);
  const holding: string[] = [];
  for (const { name } of names) {
    const { rows } = await sql`
      select from ${sql.table(name)} as t
      where to_jsonb(t)::text ilike ${`%${word}%`} limit 1`.execute(db);
    if (rows.length > 0) holding.push(name);
  }
  return holding.sort();
}
