import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { listAppliedMigrations, readMigrations } from '../../../database/index.ts';
import { writeArchiveFile } from '../../../providers/archive/index.ts';
import { openBlobStore } from '../../../providers/blobs/index.ts';
import { loadOrCreateSecretKey } from '../../accounts/index.ts';
import type { App } from '../../ctx.ts';
import { createBackupFrom } from './create.ts';

type Parts = Pick<App, 'config' | 'engine' | 'clock' | 'ids' | 'log' | 'version'>;

/** The database is not upgraded without the backup before it; the message has the reason. */
export class UpgradeBackupFailed extends Error {
  override readonly name = 'UpgradeBackupFailed';
}

/**
 * Before pending migrations: a backup into the folder of backups, which is kept until somebody
 * removes it. Nothing for a new database, or where the setting says so. Throws UpgradeBackupFailed.
 */
export async function backUpBeforeUpgrade(parts: Parts, migrations: string): Promise<void> {
  const { config, engine, clock, ids, log } = parts;
  if (!config.backup.beforeUpgrade) return;
  const from = (await listAppliedMigrations(engine)).length;
  const to = (await readMigrations(migrations)).length;
  if (from === 0 || from >= to) return;
  const { folder } = config.backup;
  const time = clock.now().toISOString().slice(0, 19).replaceAll(':', '-');
  const file = path.join(folder, `before-upgrade-${from}-to-${to}-${time}Z.backup`);
  log.info({ file }, 'making a backup before the database is upgraded');
  try {
    await using opened = new AsyncDisposableStack();
    const blobs = await openBlobStore(config, parts, opened);
    const secretKey = config.backup.passphrase === null ? null : await loadOrCreateSecretKey(parts);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // No process of this version runs yet, and one of an earlier version removes files by a row.
    const pieces = createBackupFrom({ ...parts, blobs, secretKey }, () => {});
    const bytes = await writeArchiveFile(file, pieces, { replace: false, ids });
    log.info(
      { file, bytes },
      'backup made before the upgrade: remove it when you no longer need it',
    );
  } catch (error) {
    throw new UpgradeBackupFailed(
      `The database has to be upgraded, and the backup before it failed (${reasonOf(error)}): ` +
        'make room, choose another folder with MNEME_BACKUP_DIR, or upgrade without a backup ' +
        'with MNEME_BACKUP_BEFORE_UPGRADE=off.',
      { cause: error },
    );
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
