import { filterErased } from '../../instance/erasure-ledger.ts';
import { AppError } from '../../kernel/errors.ts';
import { chargeResourceQuota } from '../accounts/index.ts';
import type { TxCtx } from '../ctx.ts';
import { compareVersions, type ImportOptions, type ImportOutcome } from '../import-outcome.ts';
import type { SpaceRecord } from './model.ts';
import { findSpaceIdsByName, insertSpace, lockSpace, updateSpaceRow } from './store/spaces.ts';

export interface ImportedSpace {
  /** The space that holds the content; null: it was skipped. */
  readonly id: string | null;
  readonly outcome: ImportOutcome;
}

/**
 * Stores a space of an import. A space with its id is the same one; otherwise one with its name
 * takes the content.
 */
export async function importSpace(
  inTx: TxCtx,
  record: SpaceRecord,
  { isDryRun }: ImportOptions,
): Promise<ImportedSpace> {
  const { tx, actor } = inTx;
  const { id } = record;
  const sameNameId = (await findSpaceIdsByName(tx, actor.accountId, [record.name])).get(
    record.name,
  );
  const stored = await lockSpace(tx, actor.accountId, id);
  if (stored) {
    const outcome = compareVersions(stored, record);
    if (outcome === 'updated' && !isDryRun) {
      const isFree = sameNameId === undefined || sameNameId === id;
      await updateSpaceRow(tx, isFree ? record : { ...record, name: stored.name });
    }
    return { id, outcome };
  }
  if (sameNameId !== undefined) return { id: sameNameId, outcome: 'unchanged' };
  if ((await filterErased(tx, 'space', [id])).has(id))
    return { id: null, outcome: 'erased_in_account' };
  return isDryRun ? { id, outcome: 'created' } : createWithinQuota(inTx, record);
}

async function createWithinQuota(inTx: TxCtx, record: SpaceRecord): Promise<ImportedSpace> {
  const { tx, actor } = inTx;
  try {
    await chargeResourceQuota(inTx, actor, 'spaces', 1);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'quota_exceeded') throw error;
    await chargeResourceQuota(inTx, actor, 'spaces', -1);
    return { id: null, outcome: 'quota_exceeded' };
  }
  if (!(await insertSpace(tx, record)))
    throw new Error('a space with the name was created meanwhile');
  return { id: record.id, outcome: 'created' };
}
