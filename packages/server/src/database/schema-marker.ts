import { sql } from 'kysely';
import type { Db, Tx } from './engine.ts';

/**
 * An empty table whose name contains the schema version. On a server each transaction reads it and
 * so locks it until the transaction ends, and a migration renames it. The migration therefore waits
 * for all transactions of the previous version, and no new ones can begin after it.
 */
export const schemaMarkerName = (version: number): string => `schema_version_${version}`;

export async function hasSchemaMarker(db: Db, version: number): Promise<boolean> {
  const query = sql<{ found: boolean }>`
    select to_regclass(${schemaMarkerName(version)}) is not null as found`;
  return (await query.execute(db)).rows[0]?.found ?? false;
}

/**
 * Waits until no transaction holds the marker of version `from`; later ones fail on the missing
 * table.
 */
export async function moveSchemaMarker(tx: Tx, from: number, to: number): Promise<void> {
  const marker = sql.id(schemaMarkerName(to));
  if (from !== to) {
    await sql`alter table if exists ${sql.id(schemaMarkerName(from))} rename to ${marker}`.execute(
      tx,
    );
  }
  // The last migration may have run in a version without markers.
  await sql`create table if not exists ${marker} ()`.execute(tx);
}
