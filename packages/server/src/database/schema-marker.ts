import { sql } from 'kysely';
import type { Db, Tx } from './engine.ts';

/**
 * An empty table whose name has the schema version. On a server each transaction reads it and so
 * holds a lock on it until its end, and a migration renames it: the migration waits for every
 * transaction of the version before, and none of them can begin after it.
 */
export const schemaMarkerName = (version: number): string => `schema_version_${version}`;

export async function hasSchemaMarker(db: Db, version: number): Promise<boolean> {
  const query = sql<{ found: boolean }>`
    select to_regclass(${schemaMarkerName(version)}) is not null as found`;
  return (await query.execute(db)).rows[0]?.found ?? false;
}

/** Waits until no transaction holds the marker of version `from`; later ones find it gone. */
export async function moveSchemaMarker(tx: Tx, from: number, to: number): Promise<void> {
  const marker = sql.id(schemaMarkerName(to));
  if (from !== to) {
    await sql`alter table if exists ${sql.id(schemaMarkerName(from))} rename to ${marker}`.execute(
      tx,
    );
  }
  // A version without markers may have migrated last.
  await sql`create table if not exists ${marker} ()`.execute(tx);
}
