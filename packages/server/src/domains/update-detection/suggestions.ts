import type { ResponseBody, routes, UpdateSuggestion } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireMemoryAccess, type TxCtx, withTransaction } from '../ctx.ts';
import { findMemory, lockLinkTargets, requireUsableTargets } from '../memories/index.ts';
import { checkSuccessions, linkSuccessions } from '../relationships/index.ts';
import { reindexSuccessors } from '../search-index/index.ts';
import { type MemoryPair, presentSuggestion, type SuggestionRecord } from './model.ts';
import {
  listLikelySuccessors,
  listSuggestions,
  lockSuggestion,
  setSuggestionStatus,
} from './store/suggestions.ts';

/**
 * The suggestions in which a memory takes part. Throws 404 memory_not_found, 403
 * space_access_denied.
 */
export async function readSuggestions(
  ctx: Ctx,
  memoryId: string,
  status: UpdateSuggestion['status'],
): Promise<ResponseBody<typeof routes.memories.suggestions>> {
  const record = await findMemory(ctx, memoryId);
  if (!record) throw new AppError('memory_not_found');
  requireMemoryAccess(ctx.actor, record);
  const rows = await listSuggestions(ctx.engine.db, ctx.actor.accountId, memoryId, status);
  return { data: rows.map(presentSuggestion) };
}

/**
 * The newer memory supersedes the older one from now on. Throws 404 memory_not_found, 404 not_found
 * (no such suggestion), 403 space_access_denied, 409 conflict (a memory is deleted, a cycle).
 */
export const acceptSuggestion = (ctx: Ctx, pair: MemoryPair): Promise<UpdateSuggestion> =>
  withTransaction(ctx, async (inTx) => {
    const suggestion = await lockPair(inTx, pair);
    const isLinked = suggestion.status === 'accepted' || suggestion.status === 'applied';
    if (isLinked) return presentSuggestion(suggestion);
    const { actor, tx } = inTx;
    const { newerId, olderId } = pair;
    const succession = {
      actor,
      newerId,
      isNew: false,
      olderIds: [olderId],
      rejection: null as AppError | null,
    };
    await checkSuccessions(inTx, [succession]);
    if (succession.rejection) throw succession.rejection;
    await setSuggestionStatus(tx, actor.accountId, pair, 'accepted');
    const likely = await listLikelySuccessors(tx, actor.accountId, [olderId]);
    if (succession.olderIds.length > 0) await linkSuccessions(inTx, [succession], likely);
    else reindexLikely(inTx, likely);
    return presentSuggestion({ ...suggestion, status: 'accepted' });
  });

/** Throws as `acceptSuggestion`, and 409 conflict for a suggestion that is accepted. */
export const dismissSuggestion = (ctx: Ctx, pair: MemoryPair): Promise<UpdateSuggestion> =>
  withTransaction(ctx, async (inTx) => {
    const suggestion = await lockPair(inTx, pair);
    if (suggestion.status === 'accepted' || suggestion.status === 'applied') {
      throw new AppError('conflict', {
        message:
          'The newer memory supersedes the older one already: delete that relationship instead.',
      });
    }
    const { actor, tx } = inTx;
    await setSuggestionStatus(tx, actor.accountId, pair, 'dismissed');
    reindexLikely(inTx, await listLikelySuccessors(tx, actor.accountId, [pair.olderId]));
    return presentSuggestion({ ...suggestion, status: 'dismissed' });
  });

async function lockPair(inTx: TxCtx, pair: MemoryPair): Promise<SuggestionRecord> {
  const { tx, actor } = inTx;
  const ids = [pair.newerId, pair.olderId];
  const targets = await lockLinkTargets(tx, actor.accountId, ids);
  requireUsableTargets(actor, ids, new Map(targets.map((target) => [target.id, target])));
  const suggestion = await lockSuggestion(tx, actor.accountId, pair);
  if (!suggestion) throw new AppError('not_found');
  return suggestion;
}

const reindexLikely = (inTx: TxCtx, likely: ReadonlyMap<string, readonly string[]>): void =>
  reindexSuccessors(
    inTx,
    [...likely].map(([id, likelySupersededBy]) => ({ id, likelySupersededBy })),
  );
