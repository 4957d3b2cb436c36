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
import { formatErasure, formatHeader } from '../erasures/ledger-format.ts';
import { ledgerFileName, openBackupStore } from './backup-store.ts';

const copiedName = 'backup_ledger';
/** All of it is written each time. */
const everyMs = 5 * 60_000;
/** A transaction commits after the time of its rows, and clocks of processes differ. */
const overlapMs = 3_600_000;
const pageRows = 1_000;
const dayMs = 86_400_000;
const never = new AbortController().signal;

/** What the last copy has: so many erasures since an hour before it. */
interface LedgerCopyState {
  readonly at: string;
  readonly since: string;
  readonly count: number;
}

/**
 * Copies the ledger of erasures beside the scheduled backups where it has changed, so that a
 * restore knows what was erased after its backup, though the data folder is lost. Nothing is copied
 * before the first erasure. Throws what the folder or the bucket throws.
 */
export async function copyErasureLedger({ engine, config, clock, ids }: App): Promise<void> {
  const { db } = engine;
  const now = clock.now();
  const copied = await readCopied(db);
  const ageMs = copied === null ? null : now.getTime() - Date.parse(copied.at);
  if (ageMs !== null && ageMs < everyMs) return;
  const known = copied ?? { since: new Date(0).toISOString(), count: 0 };
  const isSame = (await countErasuresSince(db, new Date(known.since))) === known.count;
  // Once a day in any case: somebody may have removed the copy.
  if (isSame && (ageMs === null || ageMs < dayMs)) return;
  const since = new Date(now.getTime() - overlapMs);
  const next: LedgerCopyState = {
    at: now.toISOString(),
    since: since.toISOString(),
    count: await countErasuresSince(db, since),
  };
  const databaseId = await getOrCreateInstanceSetting(db, databaseIdKey, ids.uuid());
  const kept = new Date(now.getTime() - config.erasuresKeptDays * dayMs);
  const rows = readErasuresSince(db, kept, pageRows);
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
  yield Buffer.from(formatHeader(databaseId));
  for await (const page of pages) yield Buffer.from(page.map(formatErasure).join(''));
}
