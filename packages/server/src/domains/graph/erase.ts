import { Pace } from '../../kernel/pace.ts';
import type { RunningJob } from '../../work/worker.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { believeAnew } from './believe.ts';
import { settleEntities } from './settle.ts';
import { deleteOfSpace, deleteSomeKnowledge, unmention } from './store/entities.ts';
import { assertionsOf, eraseAssertions, lockKnowledge } from './store/log.ts';

/**
 * Before memories are erased: takes out of knowledge what they alone said, history included. To be
 * called in the transaction that removes them, which holds their rows.
 */
export async function forgetMemories(inTx: TxCtx, memoryIds: readonly string[]): Promise<void> {
  const { tx, actor } = inTx;
  const mentioned = await unmention(tx, actor.accountId, memoryIds);
  const said = await assertionsOf(tx, actor.accountId, memoryIds);
  if (mentioned.length + said.length === 0) return;
  await lockKnowledge(tx, actor.accountId);
  // A merge that had the lock has mentioned its target in their place.
  const since = await unmention(tx, actor.accountId, memoryIds);
  const { groups, ends } = await eraseAssertions(tx, actor.accountId, memoryIds);
  await believeAnew(inTx, groups);
  await settleEntities(inTx, [...mentioned, ...since, ...ends]);
}

/** With a space goes what was said in it; the memories that are left say nothing there. */
export async function forgetSpace({ tx, actor }: TxCtx, spaceId: string): Promise<void> {
  await lockKnowledge(tx, actor.accountId);
  await deleteOfSpace(tx, actor.accountId, spaceId);
}

/** All knowledge of a deleted account. */
export async function eraseAccountGraph(ctx: Ctx, job: RunningJob): Promise<void> {
  const pace = new Pace(ctx.clock);
  const step = (rows: number) => deleteSomeKnowledge(ctx.engine.db, ctx.actor.accountId, rows);
  while (await pace.step(step)) await job.progress(0.5);
}
