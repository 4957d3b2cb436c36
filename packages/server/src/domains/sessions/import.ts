import { filterErased } from '../../instance/erasure-ledger.ts';
import type { TxCtx } from '../ctx.ts';
import { compareVersions, type ImportOptions, type ImportOutcome } from '../import-outcome.ts';
import type { CliSessionRecord } from './model.ts';
import { insertSession, lockSessions, raiseMessageCount, saveSession } from './store/sessions.ts';

const later = (a: Date, b: Date): Date => (a > b ? a : b);

/**
 * Stores sessions of an import, without memories; the counter of messages is that of the archive.
 * Of a session that exists, the later change counts.
 */
export async function importSessions(
  { tx, actor }: TxCtx,
  records: readonly CliSessionRecord[],
  { isDryRun }: ImportOptions,
): Promise<ImportOutcome[]> {
  const ids = records.map(({ id }) => id);
  const locked = await lockSessions(tx, actor.accountId, ids);
  const stored = new Map(locked.map((session) => [session.id, session]));
  const erased = await filterErased(tx, 'session', ids);
  const outcomes: ImportOutcome[] = [];
  for (const record of records) {
    const before = stored.get(record.id);
    const created = erased.has(record.id) ? 'erased_in_account' : 'created';
    const outcome = before ? compareVersions(before, record) : created;
    outcomes.push(outcome);
    if (isDryRun) continue;
    if (outcome === 'created') await insertSession(tx, { ...record, memory_count: 0 });
    if (outcome === 'updated' && before) {
      const last_active_at = later(before.last_active_at, record.last_active_at);
      await saveSession(tx, { ...record, last_active_at });
      await raiseMessageCount(tx, record);
    }
  }
  return outcomes;
}

/** Locks sessions; the ordinals that their next memories get. */
export async function lockNextOrdinals(
  { tx, actor }: TxCtx,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const sessions = await lockSessions(tx, actor.accountId, ids);
  return new Map(sessions.map(({ id, next_ordinal }) => [id, next_ordinal]));
}
