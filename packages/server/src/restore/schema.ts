import { EMBEDDED_POSTGRES_MAJOR, readMigrations } from '../database/index.ts';
import type { Manifest } from '../providers/archive/index.ts';
import { RestoreRefused } from './errors.ts';

/**
 * Throws RestoreRefused for an archive of a newer version, with changed migrations, or with files
 * of another major version of PostgreSQL.
 */
export async function requireKnownSchema(
  { database, program_version: version }: Manifest,
  folder: string,
): Promise<void> {
  const known = await readMigrations(folder);
  if (database.migrations.length > known.length) {
    throw new RestoreRefused(
      `Mneme ${version} created the backup with a newer schema (${database.schema_version}; this ` +
        `version supports up to ${known.length}): install that version or a later one.`,
    );
  }
  const { kind, postgres_version: postgres } = database;
  if (kind === 'files' && Number.parseInt(postgres, 10) !== EMBEDDED_POSTGRES_MAJOR) {
    throw new RestoreRefused(
      `The backup has files of PostgreSQL ${postgres}, but this version of Mneme reads files of ` +
        `PostgreSQL ${EMBEDDED_POSTGRES_MAJOR}: restore it with Mneme ${version}.`,
    );
  }
  const changed = database.migrations.find(
    ({ name, checksum }, i) => known[i]?.name !== name || known[i]?.checksum !== checksum,
  );
  if (changed === undefined) return;
  throw new RestoreRefused(
    `The migration ${changed.name} of the backup differs from that of this program: restore with ` +
      `an unmodified Mneme ${version} or later.`,
  );
}
