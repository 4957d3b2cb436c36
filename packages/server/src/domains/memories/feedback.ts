import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { sharedOwner } from '../../events/shared-owner.ts';
import { type Ctx, withTransaction } from '../ctx.ts';
import { salienceBuffer } from '../search-index/index.ts';
import { lockMemory } from './change.ts';
import { requireActiveMemory, salienceAfterFeedback } from './model.ts';
import { insertFeedback, recordAccessRows } from './store/access.ts';

/** Stores the feedback and moves the memory's salience a fifth of the way to 1 or 0. */
export async function submitFeedback(
  ctx: Ctx,
  id: string,
  body: ValidatedRequest<typeof routes.memories.feedback>['body'],
): Promise<ResponseBody<typeof routes.memories.feedback>> {
  const feedback = await withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock, ids, journal } = inTx;
    const memory = await lockMemory(inTx, id, null);
    requireActiveMemory(memory);
    const now = clock.now();
    const salience = salienceAfterFeedback(memory, body.helpful, now);
    const row = {
      id: ids.uuid(),
      memory_id: id,
      helpful: body.helpful,
      query: body.query ?? null,
      comment: body.comment ?? null,
    };
    await insertFeedback(tx, { ...row, account_id: actor.accountId, created_at: now });
    await recordAccessRows(tx, actor.accountId, [{ id, count: 0, salience }], now);
    const response = { ...row, salience, created_at: now.toISOString() };
    journal.addEvent({
      accountId: actor.accountId,
      type: 'feedback.submitted',
      spaceId: memory.space_id,
      owner: sharedOwner([memory]),
      data: response,
    });
    return response;
  });
  salienceBuffer.of(ctx).record(ctx.actor.accountId, [{ id, salience: feedback.salience }]);
  return feedback;
}
