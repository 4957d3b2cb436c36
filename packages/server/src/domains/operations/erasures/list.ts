import {
  erasureKinds,
  parseId,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { listErasureRows } from '../../../instance/erasure-ledger.ts';
import { decodeCursor, encodeCursor } from '../../../kernel/pagination.ts';
import type { Ctx } from '../../ctx.ts';

/** A row's time in milliseconds, its kind and its id. */
type CursorPosition = readonly [number, (typeof erasureKinds)[number], string];

const isCursorPosition = (at: unknown): at is CursorPosition =>
  Array.isArray(at) &&
  at.length === 3 &&
  Number.isSafeInteger(at[0]) &&
  erasureKinds.some((kind) => kind === at[1]) &&
  typeof at[2] === 'string' &&
  parseId(at[2], 'other') === at[2];

/** Newest first. */
export async function listErasures(
  ctx: Ctx,
  {
    account_id: accountId,
    cursor,
    limit,
  }: ValidatedRequest<typeof routes.admin.listErasures>['query'],
): Promise<ResponseBody<typeof routes.admin.listErasures>> {
  const bound = { list: 'erasures', accountId };
  const place = cursor === undefined ? null : decodeCursor(bound, cursor, isCursorPosition);
  const rows = await listErasureRows(ctx.engine.db, {
    accountId,
    before: place && { erasedAt: new Date(place[0]), kind: place[1], id: place[2] },
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: shown.map((row) => ({
      kind: row.kind,
      id: row.id,
      account_id: row.accountId,
      erased_at: row.erasedAt.toISOString(),
    })),
    has_more: hasMore,
    next_cursor:
      hasMore && last ? encodeCursor(bound, [last.erasedAt.getTime(), last.kind, last.id]) : null,
  };
}
