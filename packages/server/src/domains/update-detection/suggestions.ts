import { limits, type ResponseBody, type routes, type UpdateSuggestion } from '@mneme/contract';
import type { Db } from '../../database/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireMemoryAccess, type TxCtx, withTransaction } from '../ctx.ts';
import { type AssertedFact, findAssertedFacts } from '../graph/index.ts';
import {
  findMemory,
  lockLinkTargets,
  requireUsableTargets,
  visibleMemoryIds,
} from '../memories/index.ts';
import {
  isSuperseding,
  reindexLikelySuccessors,
  supersededBy,
  trySupersede,
} from '../relationships/index.ts';
import { type MemoryPair, presentSuggestion, type SuggestionRecord } from './model.ts';
import {
  listLikelySuccessors,
  listSuggestions,
  lockSuggestion,
  setSuggestionStatus,
} from './store/suggestions.ts';

/**
 * The suggestions in which a memory takes part, if the other memory is active and visible; open
 * ones only while the older memory is current. Throws 404 memory_not_found, 403
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
  const { accountId } = ctx.actor;
  const limit = limits.suggestionsMax;
  const rows = await listSuggestions(ctx.engine.db, accountId, memoryId, { status, limit });
  const visible = await visibleMemoryIds(
    ctx,
    rows.flatMap(({ newer_id, older_id }) => [newer_id, older_id]),
  );
  const outdated =
    status === 'open'
      ? await supersededBy(
          ctx,
          rows.map(({ older_id: id }) => id),
        )
      : new Map();
  const shown = rows.filter(
    ({ newer_id, older_id }) =>
      visible.has(newer_id) && visible.has(older_id) && !outdated.has(older_id),
  );
  const facts = await factsOf(ctx.engine.db, accountId, shown);
  return { data: shown.map((one) => presentSuggestion(one, facts.get(one.fact_id ?? ''))) };
}

const factsOf = (
  db: Db,
  accountId: string,
  records: readonly SuggestionRecord[],
): Promise<Map<string, AssertedFact>> =>
  findAssertedFacts(
    db,
    accountId,
    records.flatMap(({ fact_id: id }) => id ?? []),
  );

/**
 * The newer memory supersedes the older one from now on. Throws 404 memory_not_found, 404 not_found
 * (no such suggestion), 403 space_access_denied, 409 conflict (a memory is deleted, a cycle).
 */
export const acceptSuggestion = (ctx: Ctx, pair: MemoryPair): Promise<UpdateSuggestion> =>
  withTransaction(ctx, async (inTx) => {
    const suggestion = await lockPair(inTx, pair);
    const error = await trySupersede(inTx, pair);
    if (error) throw error;
    return settle(inTx, suggestion, suggestion.status === 'applied' ? 'applied' : 'accepted');
  });

/** Throws as `acceptSuggestion`, and 409 conflict while the newer memory supersedes the older. */
export const dismissSuggestion = (ctx: Ctx, pair: MemoryPair): Promise<UpdateSuggestion> =>
  withTransaction(ctx, async (inTx) => {
    const suggestion = await lockPair(inTx, pair);
    if (await isSuperseding(inTx, pair)) {
      throw new AppError('conflict', {
        message:
          'The newer memory supersedes the older one already: delete that relationship instead.',
      });
    }
    return settle(inTx, suggestion, 'dismissed');
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

async function settle(
  inTx: TxCtx,
  suggestion: SuggestionRecord,
  status: UpdateSuggestion['status'],
): Promise<UpdateSuggestion> {
  const { tx, actor } = inTx;
  const { newer_id: newerId, older_id: olderId } = suggestion;
  await setSuggestionStatus(tx, actor.accountId, { newerId, olderId }, status);
  const likely = await listLikelySuccessors(tx, actor.accountId, [olderId]);
  await reindexLikelySuccessors(inTx, likely);
  const facts = await factsOf(tx, actor.accountId, [suggestion]);
  return presentSuggestion({ ...suggestion, status }, facts.get(suggestion.fact_id ?? ''));
}
