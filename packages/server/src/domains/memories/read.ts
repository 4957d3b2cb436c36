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
import { type Ctx, requestedUser, requireMemoryAccess, visibilityOf } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { recordAccess } from './access.ts';
import { findMemory } from './find.ts';
import { type MemoryRecord, referenceTimeOf, replyWithETag } from './model.ts';
import { presentMemories, presentMemory } from './present.ts';
import { listBySalience } from './salience-list.ts';
import { type KeySort, listMemoryRows, type MemoryFilter } from './store/list.ts';

/** Also returns soft-deleted memories. Throws 404 memory_not_found, 403 space_access_denied. */
export async function getMemory(ctx: Ctx, id: string): Promise<Reply<Memory>> {
  const record = await findMemory(ctx, id);
  if (!record) throw new AppError('memory_not_found');
  requireMemoryAccess(ctx.actor, record);
  if (record.deleted_at === null) recordAccess(ctx, [id], { via: 'get' });
  return replyWithETag(record, await presentMemory(ctx, record));
}

type Query = ValidatedRequest<typeof routes.memories.list>['query'];
/** What is sorted by, as text, and the id; by salience: the offset in a snapshot, and its id. */
type CursorPosition = readonly [value: string, id: string];

const sortedTime = (record: MemoryRecord, sort: Exclude<KeySort, 'priority'>): Date =>
  sort === 'occurred_at' ? referenceTimeOf(record) : record[sort];

const cursorPositionOf = (record: MemoryRecord, sort: KeySort): CursorPosition => [
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
    return isCursorValue(sort, value) && parseId(id, 'other') !== null;
  };

function isCursorValue(sort: MemorySort, value: string): boolean {
  if (sort === 'priority') return /^(?:\d|10)$/.test(value);
  if (sort === 'salience') return /^\d{1,6}$/.test(value);
  return parseTimestamp(value) !== null;
}

type FilterFields = Pick<Query, keyof typeof memoryFilterFields | 'space_id'>;

/** The conditions that lists and erasures share. Throws 403 user_access_denied. */
export const toMemoryFilter = (
  { actor, clock }: Pick<Ctx, 'actor' | 'clock'>,
  fields: FilterFields,
): Omit<MemoryFilter, 'metadata' | 'includeDeleted'> => ({
  spaceId: fields.space_id,
  visible: visibilityOf(actor),
  owner: {
    user_id: requestedUser(actor, fields.user_id),
    agent_id: fields.agent_id,
    run_id: fields.run_id,
  },
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

/** The conditions of a list, or of the counts for it. */
export const toListFilter = (
  ctx: Pick<Ctx, 'actor' | 'clock'>,
  query: FilterFields & Pick<Query, 'ids' | 'include_deleted'>,
): MemoryFilter => ({
  ...toMemoryFilter(ctx, query),
  ids: query.ids,
  metadata: splitMetadataFilters(query).metadata,
  includeDeleted: query.include_deleted,
});

/** By a key and not a row count, so that pages are stable during writes. */
export async function listMemories(
  ctx: Ctx,
  query: Query,
): Promise<ResponseBody<typeof routes.memories.list>> {
  const { cursor, limit: _anyLimit, ...filters } = query;
  const { sort } = query;
  const scope = { ...filters, account: ctx.actor.accountId };
  const position =
    cursor === undefined ? null : decodeCursor(scope, cursor, isCursorPosition(sort));
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  const filter = toListFilter(ctx, query);
  const { records, next } =
    sort === 'salience'
      ? await readSaliencePage(ctx, filter, query, position)
      : await readKeyPage(ctx, filter, { ...query, sort }, position);
  return {
    data: await presentMemories(ctx, records),
    has_more: next !== null,
    next_cursor: next && encodeCursor(scope, next),
  };
}

interface ListPage {
  readonly records: readonly MemoryRecord[];
  /** Where the next page starts; null: there is none. */
  readonly next: CursorPosition | null;
}

async function readKeyPage(
  { engine, actor }: Ctx,
  filter: MemoryFilter,
  { sort, order, limit }: Pick<Query, 'order' | 'limit'> & { readonly sort: KeySort },
  position: CursorPosition | null,
): Promise<ListPage> {
  const rows = await listMemoryRows(engine.db, actor.accountId, {
    ...filter,
    sort,
    order,
    after: position && { value: position[0], id: position[1] },
    limit: limit + 1,
  });
  const records = rows.slice(0, limit);
  const last = records.at(-1);
  return { records, next: rows.length > limit && last ? cursorPositionOf(last, sort) : null };
}

async function readSaliencePage(
  ctx: Ctx,
  filter: MemoryFilter,
  query: Query,
  position: CursorPosition | null,
): Promise<ListPage> {
  const start = position && { offset: Number(position[0]), snapshotId: position[1] };
  const { records, next } = await listBySalience(ctx, filter, query, start);
  return { records, next: next && [String(next.offset), next.snapshotId] };
}
