import { Pace } from '../../kernel/pace.ts';
import type { RunningJob } from '../../work/worker.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { believeAnew } from './believe.ts';
import { deleteSomeKnowledge, eraseUnspoken, mentionedBy } from './store/entities.ts';
import { eraseAssertions, lockKnowledge } from './store/log.ts';

/**
 * Before memories are erased: takes out of knowledge what they alone said, history included. To be
 * called in the transaction that removes them, which holds their rows.
 */
export async function forgetMemories(inTx: TxCtx, memoryIds: readonly string[]): Promise<void> {
  const { tx, actor } = inTx;
  const mentioned = await mentionedBy(tx, actor.accountId, memoryIds);
  if (mentioned.length === 0) return;
  await lockKnowledge(tx, actor.accountId);
  const groups = await eraseAssertions(tx, actor.accountId, memoryIds);
  await believeAnew(inTx, groups);
  // Twice: what was merged into an entity goes before it.
  for (let pass = 0; pass < 2; pass += 1) await eraseUnspoken(tx, actor.accountId, mentioned);
}

/** All knowledge of a deleted account. */
export async function eraseAccountGraph(ctx: Ctx, job: RunningJob): Promise<void> {
  const pace = new Pace(ctx.clock);
  const step = (rows: number) => deleteSomeKnowledge(ctx.engine.db, ctx.actor.accountId, rows);
  while (await pace.step(step)) await job.progress(0.5);
}
