import type { RunningJob } from '../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../kernel/adaptive-batch-size.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { findUsersWithoutOthers } from '../memories/index.ts';
import { forgetSpeakers } from './forget-speakers.ts';
import { markMemories } from './mark-ended.ts';
import { pruneEntities } from './prune-entities.ts';
import { rebuildFacts } from './rebuild-facts.ts';
import { assertionsOfMemories, eraseAssertions, lockAccountGraph } from './store/assertion-log.ts';
import { deleteKnowledgeBatch, deleteMentions, deleteSpaceKnowledge } from './store/entities.ts';

/**
 * Before memories are erased: removes everything that only they stated, including history. Must be
 * called in the transaction that deletes them, which has locked their rows.
 */
export async function eraseMemoriesFromGraph(
  inTx: TxCtx,
  memoryIds: readonly string[],
): Promise<void> {
  const { tx, actor } = inTx;
  const mentionedBefore = await deleteMentions(tx, actor.accountId, memoryIds);
  const assertions = await assertionsOfMemories(tx, actor.accountId, memoryIds);
  if (mentionedBefore.length + assertions.length > 0) {
    await eraseStatements(inTx, memoryIds, mentionedBefore);
  }
  await forgetSpeakers(inTx, await findUsersWithoutOthers(tx, actor.accountId, memoryIds));
}

async function eraseStatements(
  inTx: TxCtx,
  memoryIds: readonly string[],
  mentionedBefore: readonly string[],
): Promise<void> {
  const { tx, actor } = inTx;
  await lockAccountGraph(tx, actor.accountId);
  // A merge that had the lock has replaced the entity by its target in their mentions.
  const mentionedIds = await deleteMentions(tx, actor.accountId, memoryIds);
  const { groups, entityIds } = await eraseAssertions(tx, actor.accountId, memoryIds);
  await rebuildFacts(inTx, groups);
  await pruneEntities(inTx, [...mentionedBefore, ...mentionedIds, ...entityIds]);
}

/** Deletes everything stated in a space; memories that have just left it state nothing there. */
export async function eraseSpaceGraph(inTx: TxCtx, spaceId: string): Promise<void> {
  const { tx, actor } = inTx;
  await lockAccountGraph(tx, actor.accountId);
  const memoryIds = await deleteSpaceKnowledge(tx, actor.accountId, spaceId);
  await markMemories(inTx, memoryIds);
}

/** Erases the graph of a deleted account. */
export async function eraseAccountGraph(ctx: Ctx, job: RunningJob): Promise<void> {
  const adaptiveBatch = new AdaptiveBatchSize(ctx.clock);
  const eraseBatch = (rows: number) =>
    deleteKnowledgeBatch(ctx.engine.db, ctx.actor.accountId, rows);
  while (await adaptiveBatch.run(eraseBatch)) await job.saveProgress(0.5);
}
