import { type Ctx, type TxCtx, visibilityOf } from '../ctx.ts';
import { reindexSuccessors } from '../search-index/index.ts';
import { supersededByType, supersedesType } from './model.ts';
import type { Visibility } from './store/relationships.ts';
import { findAllSuperseded, findSuperseding, listSuperseding } from './store/superseding.ts';
import type { SuccessionEdge } from './succession-graph.ts';

const scopeOf = ({ actor }: Ctx): Visibility => ({
  accountId: actor.accountId,
  visible: visibilityOf(actor),
});

/**
 * Which of these memories are superseded, and by which: the newest that is active and visible.
 * A deleted memory, or one that the key may not read, supersedes nothing.
 */
export const supersededBy = async (
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, string>> =>
  ids.length === 0 ? new Map() : findSuperseding(ctx.engine.db, scopeOf(ctx), ids);

/** All superseded memories of the account, by the same rule. */
export const supersededIds = (ctx: Ctx): Promise<Set<string>> =>
  findAllSuperseded(ctx.engine.db, scopeOf(ctx));

interface LinkEnds {
  readonly source_id: string;
  readonly target_id: string;
  readonly type: string;
}

/** The older memory of a link, whichever half of a pair it is; null for a link of another type. */
export function olderMemoryOf({ source_id, target_id, type }: LinkEnds): string | null {
  if (type === supersedesType) return target_id;
  return type === supersededByType ? source_id : null;
}

/**
 * Tells the index what supersedes the older memories of links, after links were added or removed.
 * Their memories must be locked; once in a transaction.
 */
export async function reindexOlderMemories(
  inTx: Pick<TxCtx, 'tx' | 'journal' | 'actor' | 'disposables'>,
  links: readonly LinkEnds[],
): Promise<void> {
  const older = new Set(links.flatMap((link) => olderMemoryOf(link) ?? []));
  if (older.size === 0) return;
  reindexSuccessors(inTx, await listSuperseding(inTx.tx, inTx.actor.accountId, [...older]));
}

/**
 * The same for memories of which it also changes what probably outdates them.
 * @param likely what does, by the id of the older memory
 */
export async function reindexLikelySuccessors(
  inTx: Pick<TxCtx, 'tx' | 'journal' | 'actor' | 'disposables'>,
  likely: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const documents = await listSuperseding(inTx.tx, inTx.actor.accountId, [...likely.keys()]);
  reindexSuccessors(
    inTx,
    documents.map((one) => ({ ...one, likelySupersededBy: likely.get(one.id) ?? [] })),
  );
}

/** Whether a relationship says that the newer memory supersedes the older one. */
export async function isSuperseding(
  { tx, actor }: Pick<TxCtx, 'tx' | 'actor'>,
  { newerId, olderId }: SuccessionEdge,
): Promise<boolean> {
  const [older] = await listSuperseding(tx, actor.accountId, [olderId]);
  return older?.supersededBy.includes(newerId) ?? false;
}
