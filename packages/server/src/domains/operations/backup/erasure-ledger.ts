import type { Db } from '../../../database/index.ts';
import {
  countErasuresSince,
  type Erasure,
  readErasuresSince,
} from '../../../instance/erasure-ledger.ts';
import {
  databaseIdKey,
  getOrCreateInstanceSetting,
  readInstanceSetting,
  setInstanceSetting,
} from '../../../instance/instance-settings.ts';
import type { App } from '../../ctx.ts';
import { formatErasure, formatLedgerHeader } from '../erasures/ledger-format.ts';
import { ledgerFileName, openBackupStore } from './backup-store.ts';

const copiedName = 'backup_ledger';
/** The minimum interval, because each write copies the whole ledger. */
const everyMs = 5 * 60_000;
/** Transactions commit after the time of their rows, and clocks of processes differ. */
const overlapMs = 3_600_000;
const pageRows = 1_000;
const dayMs = 86_400_000;
const never = new AbortController().signal;

/** The state of the last copy: the number of erasures since an hour before it. */
interface LedgerCopyState {
  readonly at: string;
  readonly since: string;
  readonly count: number;
}

/**
 * Copies the erasure ledger next to the scheduled backups if it has changed, so that a restore
 * knows later erasures even if the data folder is lost. Copies nothing before the first erasure.
 * Throws errors of the folder or the bucket.
 */
export async function copyErasureLedger({ engine, config, clock, ids }: App): Promise<void> {
  const { db } = engine;
  const now = clock.now();
  const copied = await readCopied(db);
  const ageMs = copied === null ? null : now.getTime() - Date.parse(copied.at);
  if (ageMs !== null && ageMs < everyMs) return;
  const state = copied ?? { since: new Date(0).toISOString(), count: 0 };
  const isUnchanged = (await countErasuresSince(db, new Date(state.since))) === state.count;
  // At least once a day, in case the copy was deleted.
  if (isUnchanged && (ageMs === null || ageMs < dayMs)) return;
  const since = new Date(now.getTime() - overlapMs);
  const next: LedgerCopyState = {
    at: now.toISOString(),
    since: since.toISOString(),
    count: await countErasuresSince(db, since),
  };
  const databaseId = await getOrCreateInstanceSetting(db, databaseIdKey, ids.uuid());
  const retainedSince = new Date(now.getTime() - config.erasuresKeptDays * dayMs);
  const rows = readErasuresSince(db, retainedSince, pageRows);
  await using store = await openBackupStore(config.backup, { databaseId, ids });
  await store.write(ledgerFileName(databaseId), formatLedger(databaseId, rows), never);
  await setInstanceSetting(db, copiedName, JSON.stringify(next));
}

async function readCopied(db: Db): Promise<LedgerCopyState | null> {
  const text = await readInstanceSetting(db, copiedName);
  return text === null ? null : (JSON.parse(text) as LedgerCopyState);
}

async function* formatLedger(
  databaseId: string,
  pages: AsyncIterable<readonly Erasure[]>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(formatLedgerHeader(databaseId));
  for await (const page of pages) yield Buffer.from(page.map(formatErasure).join(''));
}
