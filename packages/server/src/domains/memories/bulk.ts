import {
  type Answer,
  type Checked,
  type CreateMemory,
  createMemory as createSchema,
  type routes,
  tags as tagsSchema,
} from '@mneme/contract';
import { AppError, itemError } from '../../kernel/errors.ts';
import { validate } from '../../kernel/validate.ts';
import { type Ctx, maySee, type TxCtx } from '../ctx.ts';
import { accountModel, untilModelHolds } from '../index/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { announceChange, applyToIndex, type Changed, storingTransaction } from './change.ts';
import { prepareEach, requireStorable } from './create.ts';
import { changedMemories } from './hooks.ts';
import {
  distinct,
  type MemoryRecord,
  presentMemory,
  requirePresent,
  requireUnprotected,
} from './model.ts';
import { lockMemories, saveMemories } from './store.ts';
import { duplicateOf, type Prepared, storeMemories } from './storing.ts';
import { patched } from './update.ts';

type Created = Answer<typeof routes.memories.bulkCreate>;
type Failure = Created['failed'][number];

/**
 * Stores up to 100 memories, each on its own; `atomic` refuses all for the first fault, which
 * is then thrown with the index in its fields.
 */
export const bulkCreate = (
  ctx: Ctx,
  items: readonly unknown[],
  atomic: boolean,
): Promise<Created> => untilModelHolds(ctx, () => createMany(ctx, items, atomic));

async function createMany(ctx: Ctx, items: readonly unknown[], atomic: boolean): Promise<Created> {
  const model = await accountModel(ctx);
  const faults = new Map<number, AppError>();
  const bodies: { index: number; body: CreateMemory }[] = [];
  for (const [index, item] of items.entries()) {
    try {
      const body = validate(createSchema, item, atomic ? `memories.${index}` : '');
      requireStorable(ctx, body, model);
      bodies.push({ index, body });
    } catch (error) {
      faults.set(index, asItemFault(error));
    }
  }
  if (atomic) throwFirst(faults);
  const outcomes = await prepareEach(
    ctx,
    bodies.map(({ body }) => body),
  );
  const prepared: { index: number; item: Prepared }[] = [];
  for (const [i, item] of outcomes.entries()) {
    const index = bodies[i]?.index ?? i;
    if (item instanceof AppError) faults.set(index, item);
    else prepared.push({ index, item });
  }
  if (atomic) throwFirst(faults);
  return storingTransaction(ctx, async (inTx) => {
    const stored = await storeMemories(
      inTx,
      prepared.map(({ item }) => item),
    );
    const failed = new Map(faults);
    const records: MemoryRecord[] = [];
    for (const [i, outcome] of stored.entries()) {
      if (outcome instanceof AppError) failed.set(prepared[i]?.index ?? i, outcome);
      else records.push(outcome);
    }
    if (atomic) throwFirst(failed);
    announceBulk(inTx, 'memory.bulk_created', records);
    return {
      created: records.length,
      memories: records.map((record) => presentMemory(record, inTx.clock.now())),
      failed: failuresOf(failed),
    };
  });
}

function asItemFault(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

function throwFirst(faults: ReadonlyMap<number, AppError>): void {
  const index = Math.min(...faults.keys());
  const first = faults.get(index);
  if (!first) return;
  const { code, message, status, headers } = first;
  throw new AppError(code, { message, status, headers, details: { ...first.details, index } });
}

export const failuresOf = (
  faults: ReadonlyMap<number, AppError>,
  ids?: readonly string[],
): Failure[] =>
  [...faults]
    .sort(([a], [b]) => a - b)
    .map(([index, error]) => ({
      index,
      ...(ids?.[index] === undefined ? {} : { id: ids[index] }),
      error: itemError(error),
    }));

type BulkEvent =
  | 'memory.bulk_created'
  | 'memory.bulk_updated'
  | 'memory.bulk_deleted'
  | 'memory.bulk_tags_updated';

/** One event per space, so that a listener of one space learns no other's ids. */
export function announceBulk(
  { journal, actor }: TxCtx,
  type: BulkEvent,
  records: readonly Pick<MemoryRecord, 'id' | 'space_id'>[],
): void {
  for (const [spaceId, group] of Map.groupBy(records, (record) => record.space_id)) {
    const data = { ids: group.map(({ id }) => id), count: group.length };
    journal.event({ accountId: actor.accountId, type, spaceId, data });
  }
}

export interface Picked {
  /** Allowed and fit for the change, with their places in the request. */
  readonly records: readonly { readonly index: number; readonly record: MemoryRecord }[];
  readonly faults: Map<number, AppError>;
}

/** Locks the named memories; what is missing, forbidden or refused by `check` is a fault. */
export async function pickMemories(
  { tx, actor }: TxCtx,
  ids: readonly string[],
  check: (record: MemoryRecord) => void,
): Promise<Picked> {
  const found = new Map(
    (await lockMemories(tx, actor.accountId, ids)).map((record) => [record.id, record]),
  );
  const faults = new Map<number, AppError>();
  const records: { index: number; record: MemoryRecord }[] = [];
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) < index) continue; // named twice: once is enough
    const record = found.get(id);
    if (!record) faults.set(index, new AppError('memory_not_found'));
    else if (!maySee(actor, record.space_id)) {
      faults.set(index, new AppError('space_access_denied'));
    } else {
      try {
        check(record);
        records.push({ index, record });
      } catch (error) {
        faults.set(index, asItemFault(error));
      }
    }
  }
  return { records, faults };
}

interface BulkChange {
  readonly ids: readonly string[];
  readonly confirmed: boolean;
  readonly event: 'memory.bulk_updated' | 'memory.bulk_tags_updated';
  readonly change: (before: MemoryRecord) => MemoryRecord;
}

type Updated = Answer<typeof routes.memories.bulkUpdate>;

/** Protection is checked per item; each changed memory tells its own memory.updated. */
async function bulkChange(
  ctx: Ctx,
  { ids, confirmed, event, change }: BulkChange,
): Promise<Updated> {
  return storingTransaction(ctx, async (inTx) => {
    const { records, faults } = await pickMemories(inTx, ids, (record) => {
      requirePresent(record);
      requireUnprotected(record, confirmed);
    });
    const now = inTx.clock.now();
    const done: MemoryRecord[] = [];
    const changes: Changed[] = [];
    for (const { index, record } of records) {
      const fault = await tryChange(inTx, record, change, changes, now);
      if (fault) faults.set(index, fault);
      else done.push(record);
    }
    await saveAll(inTx, changes);
    announceBulk(inTx, event, done);
    return { updated: done.length, failed: failuresOf(faults, ids) };
  });
}

async function tryChange(
  inTx: TxCtx,
  record: MemoryRecord,
  change: BulkChange['change'],
  changes: Changed[],
  now: Date,
): Promise<AppError | null> {
  let after: MemoryRecord;
  try {
    after = change(record);
  } catch (error) {
    return asItemFault(error);
  }
  if (after === record) return null;
  if (after.space_id !== record.space_id) {
    const duplicate = await duplicateOf(inTx, after);
    if (duplicate.details?.memory_id !== null) return duplicate;
    const moved = changes.find(
      (one) =>
        one.after.space_id === after.space_id &&
        JSON.stringify(one.after.content_hash) === JSON.stringify(after.content_hash),
    );
    if (moved && after.content_hash !== null) {
      return new AppError('duplicate_memory', { details: { memory_id: moved.after.id } });
    }
  }
  const saved = { ...after, revision: record.revision + 1, updated_at: now };
  changes.push({ before: record, after: saved });
  return null;
}

async function saveAll(inTx: TxCtx, changes: readonly Changed[]): Promise<void> {
  if (changes.length === 0) return;
  await saveMemories(
    inTx.tx,
    changes.map(({ after }) => after),
  );
  applyToIndex(inTx, changes);
  for (const one of changes) announceChange(inTx, one, 'memory.updated');
  await changedMemories.run(inTx, inTx, [...changes]);
}

export async function bulkUpdate(
  ctx: Ctx,
  body: Checked<typeof routes.memories.bulkUpdate>['body'],
  confirmed: boolean,
): Promise<Updated> {
  const { ids, set } = body;
  if (set.space_id !== undefined) await requireUsableSpace(ctx, set.space_id);
  const change = (before: MemoryRecord) => patched(before, set);
  return bulkChange(ctx, { ids, confirmed, event: 'memory.bulk_updated', change });
}

/** Adds after what is there, removes first; more than 100 tags on one memory is its fault. */
export async function bulkTags(
  ctx: Ctx,
  body: Checked<typeof routes.memories.bulkTags>['body'],
  confirmed: boolean,
): Promise<Updated> {
  const removed = new Set(body.remove ?? []);
  const change = (before: MemoryRecord): MemoryRecord => {
    const kept = before.tags.filter((tag) => !removed.has(tag));
    const tags = validate(tagsSchema, distinct([...kept, ...(body.add ?? [])]), 'tags');
    return patched(before, { tags });
  };
  return bulkChange(ctx, { ids: body.ids, confirmed, event: 'memory.bulk_tags_updated', change });
}
