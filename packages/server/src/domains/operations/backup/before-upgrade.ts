import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { listAppliedMigrations, readMigrations } from '../../../database/index.ts';
import { writeArchiveFile } from '../../../providers/archive/index.ts';
import { openBlobStore } from '../../../providers/blobs/index.ts';
import { loadOrCreateSecretKey } from '../../accounts/index.ts';
import type { App } from '../../ctx.ts';
import { createBackupFrom } from './create.ts';

type Deps = Pick<App, 'config' | 'engine' | 'clock' | 'ids' | 'log' | 'version'>;

/** The upgrade is cancelled because its backup failed; the message has the reason. */
export class UpgradeBackupFailed extends Error {
  override readonly name = 'UpgradeBackupFailed';
}

/**
 * Creates a backup in the backup folder before pending migrations; it is never removed
 * automatically. Does nothing for a new database, or if disabled. Throws UpgradeBackupFailed.
 */
export async function backUpBeforeUpgrade(deps: Deps, migrations: string): Promise<void> {
  const { config, engine, clock, ids, log } = deps;
  if (!config.backup.beforeUpgrade) return;
  const from = (await listAppliedMigrations(engine)).length;
  const to = (await readMigrations(migrations)).length;
  if (from === 0 || from >= to) return;
  const { folder } = config.backup;
  const time = clock.now().toISOString().slice(0, 19).replaceAll(':', '-');
  const file = path.join(folder, `before-upgrade-${from}-to-${to}-${time}Z.backup`);
  log.info({ file }, 'backup before database upgrade started');
  try {
    await using opened = new AsyncDisposableStack();
    const blobs = await openBlobStore(config, deps, opened);
    const secretKey = config.backup.passphrase === null ? null : await loadOrCreateSecretKey(deps);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // No process of this version runs yet, and earlier versions remove files only with a row.
    const archive = createBackupFrom({ ...deps, blobs, secretKey }, () => {});
    const bytes = await writeArchiveFile(file, archive, { replace: false, ids });
    log.info(
      { file, bytes },
      'backup before database upgrade created: remove it when you no longer need it',
    );
  } catch (error) {
    throw new UpgradeBackupFailed(
      `The backup before the database upgrade failed (${reasonOf(error)}): free disk space, ` +
        'choose another folder with MNEME_BACKUP_DIR, or upgrade without a backup with ' +
        'MNEME_BACKUP_BEFORE_UPGRADE=off.',
      { cause: error },
    );
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
