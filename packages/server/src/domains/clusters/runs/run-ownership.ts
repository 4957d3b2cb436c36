import type { TxCtx } from '../../ctx.ts';
import { lockClustering } from '../store/clusters.ts';
import { findRun, type RunRecord } from '../store/runs.ts';

/**
 * The run was cancelled, or another process has claimed it: this process must write nothing more.
 */
export class RunEnded extends Error {}

/** Locks the account's clusters. Throws RunEnded if this process does not own the run any more. */
export async function requireRunOwnership(
  { tx, actor }: Pick<TxCtx, 'tx' | 'actor'>,
  { id, attempt }: RunRecord,
): Promise<void> {
  await lockClustering(tx, actor.accountId);
  const run = await findRun(tx, actor.accountId, id);
  if (run?.status !== 'running' || run.attempt !== attempt) throw new RunEnded();
}

/** Public error message of a failed run. */
export const runFailedMessage = 'The run failed. Search the server log for its id.';
