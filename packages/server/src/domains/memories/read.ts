import {
  type Memory,
  parseId,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { decodeCursor, encodeCursor } from '../../kernel/pagination.ts';
import { type Ctx, requireSpaceAccess, visibleSpaces } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { recordAccess } from './access.ts';
import { type MemoryRecord, replyWithETag } from './model.ts';
import { presentMemories, presentMemory } from './present.ts';
import { findMemory, listMemoryRows } from './store/memories.ts';

/** Also returns soft-deleted memories. Throws 404 memory_not_found, 403 space_access_denied. */
export async function getMemory(ctx: Ctx, id: string): Promise<Reply<Memory>> {
  const record = await findMemory(ctx.engine.db, ctx.actor.accountId, id);
  if (!record) throw new AppError('memory_not_found');
  requireSpaceAccess(ctx.actor, record.space_id);
  if (record.deleted_at === null) recordAccess(ctx, [id], { via: 'get' });
  return replyWithETag(record, await presentMemory(ctx, record));
}

type Query = ValidatedRequest<typeof routes.memories.list>['query'];
type CursorPosition = readonly [createdAtMs: number, id: string];

/** The end of the year 9999. */
const timeMsMax = 253_402_300_799_999;

/** Cursors are untrusted: their position must be comparable by the database. */
const isCursorPosition = (value: unknown): value is CursorPosition =>
  Array.isArray(value) &&
  Number.isInteger(value[0]) &&
  value[0] >= 0 &&
  value[0] <= timeMsMax &&
  typeof value[1] === 'string' &&
  parseId(value[1], 'other') !== null;

/** Newest first; stable during writes, because the cursor is a key and not a row count. */
export async function listMemories(
  ctx: Ctx,
  query: Query,
): Promise<ResponseBody<typeof routes.memories.list>> {
  const { cursor, limit, ...filters } = query;
  const cursorScope = { ...filters, account: ctx.actor.accountId };
  const position =
    cursor === undefined ? null : decodeCursor(cursorScope, cursor, isCursorPosition);
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  const rows = await listMemoryRows(ctx.engine.db, ctx.actor.accountId, {
    spaceId: query.space_id,
    visible: visibleSpaces(ctx.actor),
    sessionId: query.session_id,
    pinned: query.pinned,
    protected: query.protected,
    minQuality: query.min_quality,
    includeDeleted: query.include_deleted,
    after: position && { createdAt: new Date(position[0]), id: position[1] },
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: await presentMemories(ctx, page),
    has_more: hasMore,
    next_cursor: hasMore && last ? encodeCursor(cursorScope, cursorPositionOf(last)) : null,
  };
}

const cursorPositionOf = (record: MemoryRecord): CursorPosition => [
  record.created_at.getTime(),
  record.id,
];
