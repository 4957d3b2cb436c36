import type { RunningJob } from '../../jobs/job-worker.ts';
import { AdaptiveBatch } from '../../kernel/adaptive-batch.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { pruneEntities } from './prune-entities.ts';
import { rebuildFacts } from './rebuild-facts.ts';
import { assertionsOf, eraseAssertions, lockAccountGraph } from './store/assertion-log.ts';
import { deleteKnowledgeBatch, deleteMentions, deleteSpaceKnowledge } from './store/entities.ts';

/**
 * Before memories are erased: takes out of knowledge what they alone said, history included. To be
 * called in the transaction that removes them, which holds their rows.
 */
export async function eraseMemoriesFromGraph(
  inTx: TxCtx,
  memoryIds: readonly string[],
): Promise<void> {
  const { tx, actor } = inTx;
  const mentioned = await deleteMentions(tx, actor.accountId, memoryIds);
  const said = await assertionsOf(tx, actor.accountId, memoryIds);
  if (mentioned.length + said.length === 0) return;
  await lockAccountGraph(tx, actor.accountId);
  // A merge that had the lock has mentioned its target in their place.
  const since = await deleteMentions(tx, actor.accountId, memoryIds);
  const { groups, ends } = await eraseAssertions(tx, actor.accountId, memoryIds);
  await rebuildFacts(inTx, groups);
  await pruneEntities(inTx, [...mentioned, ...since, ...ends]);
}

/** With a space goes what was said in it; the memories that are left say nothing there. */
export async function eraseSpaceGraph({ tx, actor }: TxCtx, spaceId: string): Promise<void> {
  await lockAccountGraph(tx, actor.accountId);
  await deleteSpaceKnowledge(tx, actor.accountId, spaceId);
}

/** All knowledge of a deleted account. */
export async function eraseAccountGraph(ctx: Ctx, job: RunningJob): Promise<void> {
  const pace = new AdaptiveBatch(ctx.clock);
  const step = (rows: number) => deleteKnowledgeBatch(ctx.engine.db, ctx.actor.accountId, rows);
  while (await pace.run(step)) await job.saveProgress(0.5);
}
