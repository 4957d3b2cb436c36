import type { Config } from '../../../kernel/config.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { CheckResult } from '../diagnosis/report.ts';
import { openBackupStore } from './backup-store.ts';

/** Finds the newest scheduled backup if the database, which stores the status, is unreadable. */
export async function checkNewestBackup(config: Config, ids: Ids): Promise<CheckResult> {
  const { schedule } = config.backup;
  if (schedule === null) return { detail: 'No backups are scheduled.' };
  await using store = await openBackupStore(config.backup, { databaseId: null, ids });
  const newest = (await store.list()).toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)).at(-1);
  return {
    detail:
      newest === undefined
        ? `No backups found in ${store.locationOf('')}.`
        : `The newest backup is ${store.locationOf(newest)}.`,
  };
}

/** Names of different databases do not sort by time. */
const timeOf = (name: string): string => name.slice(-'2026-01-01T00-00-00Z.backup'.length);
