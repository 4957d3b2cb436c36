import { EMBEDDED_POSTGRES_MAJOR, readMigrations } from '../database/index.ts';
import type { Manifest } from '../providers/archive/index.ts';
import { RestoreRefused } from './errors.ts';

/**
 * Throws RestoreRefused for the archive of a newer program, of changed migrations, or with files of
 * another PostgreSQL.
 */
export async function requireKnownSchema(
  { database, program_version: version }: Manifest,
  folder: string,
): Promise<void> {
  const known = await readMigrations(folder);
  if (database.migrations.length > known.length) {
    throw new RestoreRefused(
      `The backup was made by Mneme ${version}, whose database is newer (schema ` +
        `${database.schema_version}, this version knows ${known.length}): install that version ` +
        'or a later one.',
    );
  }
  const { kind, postgres_version: postgres } = database;
  if (kind === 'files' && Number.parseInt(postgres, 10) !== EMBEDDED_POSTGRES_MAJOR) {
    throw new RestoreRefused(
      `The backup has files of PostgreSQL ${postgres}, and this version of Mneme reads those of ` +
        `PostgreSQL ${EMBEDDED_POSTGRES_MAJOR}: restore it with Mneme ${version}.`,
    );
  }
  const changed = database.migrations.find(
    ({ name, checksum }, i) => known[i]?.name !== name || known[i]?.checksum !== checksum,
  );
  if (changed === undefined) return;
  throw new RestoreRefused(
    `The migration ${changed.name} of the backup is not the one of this program: restore with ` +
      `an unchanged Mneme ${version} or later.`,
  );
}
