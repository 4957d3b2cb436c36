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

/** Time of a row in milliseconds, its kind and its id. */
type CursorPosition = readonly [number, (typeof erasureKinds)[number], string];

const isCursorPosition = (value: unknown): value is CursorPosition =>
  Array.isArray(value) &&
  value.length === 3 &&
  Number.isSafeInteger(value[0]) &&
  erasureKinds.some((kind) => kind === value[1]) &&
  typeof value[2] === 'string' &&
  parseId(value[2], 'other') === value[2];

/** Newest first. */
export async function listErasures(
  ctx: Ctx,
  {
    account_id: accountId,
    cursor,
    limit,
  }: ValidatedRequest<typeof routes.admin.listErasures>['query'],
): Promise<ResponseBody<typeof routes.admin.listErasures>> {
  const cursorScope = { list: 'erasures', accountId };
  const position =
    cursor === undefined ? null : decodeCursor(cursorScope, cursor, isCursorPosition);
  const rows = await listErasureRows(ctx.engine.db, {
    accountId,
    before: position && { erasedAt: new Date(position[0]), kind: position[1], id: position[2] },
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: page.map((row) => ({
      kind: row.kind,
      id: row.id,
      account_id: row.accountId,
      erased_at: row.erasedAt.toISOString(),
    })),
    has_more: hasMore,
    next_cursor:
      hasMore && last
        ? encodeCursor(cursorScope, [last.erasedAt.getTime(), last.kind, last.id])
        : null,
  };
}
