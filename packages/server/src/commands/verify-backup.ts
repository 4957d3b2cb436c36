import type { Command } from 'commander';
import { migrationsFolder } from '../instance/open-database.ts';
import { settingValue } from '../kernel/settings.ts';
import { type VerifiedBackup, verifyBackup } from '../restore/verify-backup.ts';
import { createStepReporter, formatCount } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** `mneme-server verify-backup FILE`: needs no settings but the passphrase. */
export function registerVerifyBackupCommand(program: Command, terminal: Terminal): void {
  program
    .command('verify-backup')
    .description('check that a backup is complete, undamaged and restorable by this version')
    .argument('<file>', 'the archive')
    .option('--json', 'print the result as JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      createStepReporter(terminal, { archive: 'Checking the archive' })('archive', 0);
      const passphrase = settingValue(terminal.env, 'MNEME_BACKUP_PASSPHRASE');
      const verified = await verifyBackup(file, { migrations: migrationsFolder, passphrase });
      if (json) terminal.print(JSON.stringify(toJsonResult(verified)));
      else for (const line of describe(verified)) terminal.print(line);
    });
}

const toJsonResult = ({ manifest, database, blobs, isSecretKeyOpened }: VerifiedBackup) => ({
  created_at: manifest.created_at,
  program_version: manifest.program_version,
  schema_version: manifest.database.schema_version,
  postgres_version: manifest.database.postgres_version,
  database_bytes: database.bytes,
  files: blobs.entries,
  file_bytes: blobs.bytes,
  has_secret_key: manifest.has_secret_key,
  secret_key_opened: isSecretKeyOpened,
});

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;

function describe({ manifest, database, blobs, isSecretKeyOpened }: VerifiedBackup): string[] {
  const { created_at, program_version, has_secret_key } = manifest;
  return [
    `The backup of ${created_at} (Mneme ${program_version}, schema version ` +
      `${manifest.database.schema_version}) is complete and undamaged: ` +
      `${megabytes(database.bytes)} of database, ${formatCount(blobs.entries, 'file')} with ` +
      `${megabytes(blobs.bytes)}.`,
    'This version of Mneme can restore it.',
    describeSecretKey(has_secret_key, isSecretKeyOpened),
  ];
}

function describeSecretKey(hasSecretKey: boolean, isOpened: true | null): string {
  if (!hasSecretKey) {
    return (
      'It does not contain the secret key: a restore needs MNEME_SECRET_KEY, or secret-key in ' +
      'the data folder.'
    );
  }
  return isOpened
    ? 'MNEME_BACKUP_PASSPHRASE decrypts its secret key.'
    : 'It contains the secret key, encrypted. Set MNEME_BACKUP_PASSPHRASE to check that as well.';
}
