import type { TxCtx } from '../../ctx.ts';
import { lockClustering } from '../store/clusters.ts';
import { findRun, type RunRecord } from '../store/runs.ts';

/** It was cancelled, or another process has taken it up: nothing more is written here. */
export class RunEnded extends Error {}

/** Locks the account's clusters. Throws RunEnded where the run is no longer this process's. */
export async function requireRunOwnership(
  { tx, actor }: Pick<TxCtx, 'tx' | 'actor'>,
  { id, attempt }: RunRecord,
): Promise<void> {
  await lockClustering(tx, actor.accountId);
  const run = await findRun(tx, actor.accountId, id);
  if (run?.status !== 'running' || run.attempt !== attempt) throw new RunEnded();
}

/** What a run says that has failed. */
export const runFailedMessage = 'The run failed; the log has the reason under its id.';
