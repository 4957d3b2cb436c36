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
import { type MemoryRecord, presentMemory, replyWithETag } from './model.ts';
import { findMemory, listMemoryRows } from './store/memories.ts';

/** Also a soft-deleted one. Throws 404 memory_not_found, 403 space_access_denied. */
export async function getMemory(ctx: Ctx, id: string): Promise<Reply<Memory>> {
  const record = await findMemory(ctx.engine.db, ctx.actor.accountId, id);
  if (!record) throw new AppError('memory_not_found');
  requireSpaceAccess(ctx.actor, record.space_id);
  if (record.deleted_at === null) recordAccess(ctx, [id], { via: 'get' });
  return replyWithETag(record, ctx.clock.now());
}

type Query = ValidatedRequest<typeof routes.memories.list>['query'];
type CursorPosition = readonly [createdAtMs: number, id: string];

/** The end of the year 9999. */
const timeMsMax = 253_402_300_799_999;

/** A cursor comes from outside: its place must be one that the database can compare with. */
const isCursorPosition = (at: unknown): at is CursorPosition =>
  Array.isArray(at) &&
  Number.isInteger(at[0]) &&
  at[0] >= 0 &&
  at[0] <= timeMsMax &&
  typeof at[1] === 'string' &&
  parseId(at[1], 'other') !== null;

/** Newest first; stable while others write, since the place is a key and not a number of rows. */
export async function listMemories(
  ctx: Ctx,
  query: Query,
): Promise<ResponseBody<typeof routes.memories.list>> {
  const { cursor, limit, ...filters } = query;
  const bound = { ...filters, account: ctx.actor.accountId };
  const place = cursor === undefined ? null : decodeCursor(bound, cursor, isCursorPosition);
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  const rows = await listMemoryRows(ctx.engine.db, ctx.actor.accountId, {
    spaceId: query.space_id,
    visible: visibleSpaces(ctx.actor),
    sessionId: query.session_id,
    pinned: query.pinned,
    protected: query.protected,
    minQuality: query.min_quality,
    includeDeleted: query.include_deleted,
    after: place && { createdAt: new Date(place[0]), id: place[1] },
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit;
  return {
    data: shown.map((row) => presentMemory(row, ctx.clock.now())),
    has_more: more,
    next_cursor: more && last ? encodeCursor(bound, cursorPositionOf(last)) : null,
  };
}

const cursorPositionOf = (record: MemoryRecord): CursorPosition => [
  record.created_at.getTime(),
  record.id,
];
