import { sql } from 'kysely';
import type { Engine } from './engine.ts';

/** PostgreSQL's notation: `18.3`. */
export async function readPostgresVersion({ db }: Engine): Promise<string> {
  const version = sql<{ text: string }>`select current_setting('server_version') as text`;
  return (await version.execute(db)).rows[0]?.text ?? 'unknown';
}
