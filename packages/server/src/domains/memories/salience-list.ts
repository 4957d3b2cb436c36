import type { routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Ctx } from '../ctx.ts';
import type { MemoryRecord } from './model.ts';
import { listIdsBySalience, listMemoryRows, type MemoryFilter } from './store/list.ts';
import {
  insertListSnapshot,
  keepNewestListSnapshots,
  pruneListSnapshots,
  readListSnapshot,
} from './store/list-snapshots.ts';

type Query = ValidatedRequest<typeof routes.memories.list>['query'];

/** Where a list by salience continues. */
export interface SnapshotPosition {
  readonly snapshotId: string;
  readonly offset: number;
}

interface SaliencePage {
  readonly records: MemoryRecord[];
  /** Null: the list ends here. */
  readonly next: SnapshotPosition | null;
}

const idsMax = 100_000;
const snapshotsPerAccount = 20;
const unusedMs = 600_000;
const unusedSince = (now: Date): Date => new Date(now.getTime() - unusedMs);

/**
 * A page of a list by salience. Reads change salience, so later pages follow the order that the
 * first one found, kept for 10 minutes after its last use. Throws 400 invalid_request after that.
 * Memories deleted meanwhile are left out.
 */
export async function listBySalience(
  ctx: Ctx,
  filter: MemoryFilter,
  { order, limit }: Pick<Query, 'order' | 'limit'>,
  position: SnapshotPosition | null,
): Promise<SaliencePage> {
  return position === null
    ? startList(ctx, filter, { order, limit })
    : continueList(ctx, filter, limit, position);
}

async function startList(
  ctx: Ctx,
  filter: MemoryFilter,
  { order, limit }: Pick<Query, 'order' | 'limit'>,
): Promise<SaliencePage> {
  const { engine, actor, clock, ids: idGenerator } = ctx;
  const { accountId } = actor;
  const memoryIds = await listIdsBySalience(engine.db, accountId, filter, { order, limit: idsMax });
  const records = await readInOrder(ctx, filter, memoryIds.slice(0, limit));
  if (memoryIds.length <= limit) return { records, next: null };
  const id = idGenerator.uuid();
  await insertListSnapshot(engine.db, { accountId, id, memoryIds, now: clock.now() });
  await keepNewestListSnapshots(engine.db, accountId, snapshotsPerAccount);
  return { records, next: { snapshotId: id, offset: limit } };
}

async function continueList(
  ctx: Ctx,
  filter: MemoryFilter,
  limit: number,
  { snapshotId, offset: start }: SnapshotPosition,
): Promise<SaliencePage> {
  const { engine, actor, clock } = ctx;
  const records: MemoryRecord[] = [];
  for (let offset = start; ; ) {
    const count = limit - records.length;
    const now = clock.now();
    const request = { offset, limit: count, now, usedSince: unusedSince(now) };
    const found = await readListSnapshot(engine.db, actor.accountId, snapshotId, request);
    if (!found) {
      throw new AppError('invalid_request', {
        message: 'The list was not read on for 10 minutes: start it again without the cursor.',
      });
    }
    records.push(...(await readInOrder(ctx, filter, found.ids)));
    offset += found.ids.length;
    if (offset >= found.total) return { records, next: null };
    if (records.length === limit) return { records, next: { snapshotId, offset } };
  }
}

/** Those that are still there and visible; whether they still match the filter does not matter. */
async function readInOrder(
  { engine, actor }: Ctx,
  { visible, includeDeleted, now }: MemoryFilter,
  ids: readonly string[],
): Promise<MemoryRecord[]> {
  const rows = await listMemoryRows(engine.db, actor.accountId, {
    ids,
    visible,
    includeDeleted,
    now,
    sort: 'created_at',
    order: 'asc',
    after: null,
    limit: ids.length,
  });
  const byId = new Map(rows.map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Removes the orders of lists that nobody has read on. */
export const pruneUnusedLists = ({ engine, clock }: Pick<Ctx, 'engine' | 'clock'>): Promise<void> =>
  pruneListSnapshots(engine.db, unusedSince(clock.now()));
