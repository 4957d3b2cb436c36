import type { Ctx } from '../ctx.ts';
import { indexShelf } from './shelf.ts';
import type { Neighbour } from './thread/protocol.ts';

interface NearestTo {
  readonly documentId: string;
  readonly limit: number;
  /** Least similarity, 0..1. */
  readonly threshold: number;
  /** Spaces that may be seen, null among them for none; null: all of the account. */
  readonly spaceIds: readonly (string | null)[] | null;
}

/**
 * Documents nearest to one by their vectors, itself left out, nearest first. Null when the
 * document is in no index: hidden, or gone.
 */
export function findNearest(
  ctx: Ctx,
  { documentId, limit, threshold, spaceIds: spaces }: NearestTo,
): Promise<readonly Neighbour[] | null> {
  const { accountId } = ctx.actor;
  const query = { documentId, limit, threshold, spaces };
  return indexShelf.of(ctx).ask({ kind: 'nearest', accountId, query });
}
