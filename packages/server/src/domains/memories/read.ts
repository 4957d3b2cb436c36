import {
  type Memory,
  type MemorySort,
  type memoryFilterFields,
  parseId,
  parseTimestamp,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { splitMetadataFilters } from '../../kernel/metadata-filters.ts';
import { decodeCursor, encodeCursor } from '../../kernel/pagination.ts';
import { type Ctx, requireSpaceAccess, visibleSpaces } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { recordAccess } from './access.ts';
import { findMemory } from './find.ts';
import { type MemoryRecord, referenceTimeOf, replyWithETag } from './model.ts';
import { presentMemories, presentMemory } from './present.ts';
import { listMemoryRows, type MemoryFilter } from './store/list.ts';

/** Also returns soft-deleted memories. Throws 404 memory_not_found, 403 space_access_denied. */
export async function getMemory(ctx: Ctx, id: string): Promise<Reply<Memory>> {
  const record = await findMemory(ctx, id);
  if (!record) throw new AppError('memory_not_found');
  requireSpaceAccess(ctx.actor, record.space_id);
  if (record.deleted_at === null) recordAccess(ctx, [id], { via: 'get' });
  return replyWithETag(record, await presentMemory(ctx, record));
}

type Query = ValidatedRequest<typeof routes.memories.list>['query'];
/** What is sorted by, as text, and the id. */
type CursorPosition = readonly [value: string, id: string];

const sortedTime = (record: MemoryRecord, sort: Exclude<MemorySort, 'priority'>): Date =>
  sort === 'occurred_at' ? referenceTimeOf(record) : record[sort];

const cursorPositionOf = (record: MemoryRecord, sort: MemorySort): CursorPosition => [
  sort === 'priority' ? String(record.priority) : sortedTime(record, sort).toISOString(),
  record.id,
];

/** Cursors are untrusted: their position must be comparable by the database. */
const isCursorPosition =
  (sort: MemorySort) =>
  (position: unknown): position is CursorPosition => {
    if (!Array.isArray(position)) return false;
    const [value, id] = position as unknown[];
    if (typeof value !== 'string' || typeof id !== 'string') return false;
    const isValue =
      sort === 'priority' ? /^(?:\d|10)$/.test(value) : parseTimestamp(value) !== null;
    return isValue && parseId(id, 'other') !== null;
  };

type FilterFields = Pick<Query, keyof typeof memoryFilterFields | 'space_id'>;

/** The conditions that lists and erasures share. */
export const toMemoryFilter = (
  { actor, clock }: Pick<Ctx, 'actor' | 'clock'>,
  fields: FilterFields,
): Omit<MemoryFilter, 'metadata' | 'includeDeleted'> => ({
  spaceId: fields.space_id,
  visible: visibleSpaces(actor),
  sessionId: fields.session_id,
  pinned: fields.pinned,
  protected: fields.protected,
  minQuality: fields.min_quality,
  minPriority: fields.min_priority,
  contentType: fields.content_type,
  tags: fields.tags,
  tagsAny: fields.tags_any,
  times: {
    created_at: { after: fields.created_after, before: fields.created_before },
    updated_at: { after: fields.updated_after, before: fields.updated_before },
    occurred_at: { after: fields.occurred_after, before: fields.occurred_before },
  },
  outdated: fields.outdated,
  now: clock.now(),
});

/** By a key and not a row count, so that pages are stable during writes. */
export async function listMemories(
  ctx: Ctx,
  query: Query,
): Promise<ResponseBody<typeof routes.memories.list>> {
  const { cursor, limit, ...filters } = query;
  const { sort } = query;
  const cursorScope = { ...filters, account: ctx.actor.accountId };
  const position =
    cursor === undefined ? null : decodeCursor(cursorScope, cursor, isCursorPosition(sort));
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  const rows = await listMemoryRows(ctx.engine.db, ctx.actor.accountId, {
    ...toMemoryFilter(ctx, query),
    metadata: splitMetadataFilters(query).metadata,
    includeDeleted: query.include_deleted,
    sort,
    order: query.order,
    after: position && { value: position[0], id: position[1] },
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: await presentMemories(ctx, page),
    has_more: hasMore,
    next_cursor: hasMore && last ? encodeCursor(cursorScope, cursorPositionOf(last, sort)) : null,
  };
}
