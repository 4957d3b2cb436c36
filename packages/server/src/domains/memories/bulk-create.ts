import type { CreateMemoryBody, ResponseBody, routes, ValidatedItem } from '@mneme/contract';
import { batchBySize } from '../../kernel/batches.ts';
import { AppError } from '../../kernel/errors.ts';
import { requireValidItem } from '../../kernel/validate.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { retryOnModelChange } from '../search-index/index.ts';
import { withConflictRetry } from './change.ts';
import { publishBulkEvents } from './events.ts';
import { memoriesById } from './find.ts';
import { batchCharactersMax, insertPreparedMemories, type PreparedMemory } from './insert.ts';
import { asItemError, throwFirstError, toFailedItems } from './item-errors.ts';
import { type MemoryRecord, presentCurrentMemory } from './model.ts';
import { prepareMemories } from './prepare.ts';

type Created = ResponseBody<typeof routes.memories.bulkCreate>;

/** Keyed by the index in the request. */
type ItemErrors = Map<number, AppError>;
type ItemResults = Map<number, MemoryRecord | AppError>;

/**
 * Stores up to 100 memories independently; `atomic` rejects all at the first error, which is
 * thrown with the index of the item. Otherwise, much content is stored in several transactions,
 * and a repeated request with the same Idempotency-Key continues after the committed ones.
 */
export async function bulkCreate(
  ctx: Ctx,
  items: readonly ValidatedItem<CreateMemoryBody>[],
  atomic: boolean,
): Promise<Created> {
  const results = await readCommittedResults(ctx);
  return retryOnModelChange(ctx, async () => {
    const { prepared, itemErrors } = await prepareItems(ctx, items, results, atomic);
    const charactersOf = ({ item }: PreparedItem): number => item.record.content.length;
    const batches = atomic
      ? [prepared]
      : [...batchBySize(prepared, charactersOf, batchCharactersMax)];
    const last = batches.pop() ?? [];
    for (const batch of batches) await storeBatch(ctx, batch, results);
    return storeLastBatch(ctx, last, new Map([...results, ...itemErrors]), atomic);
  });
}

/** Reads the results committed by an interrupted request with the same Idempotency-Key. */
async function readCommittedResults(ctx: Ctx): Promise<ItemResults> {
  const stored = ctx.progress?.committed?.stored ?? [];
  const ids = stored.flatMap(([, id]) => id ?? []);
  const records = await memoriesById(ctx, ids);
  return new Map(
    stored.map(([index, id]) => {
      const record = id === null ? undefined : records.get(id);
      return [index, record ?? new AppError('memory_not_found')];
    }),
  );
}

interface PreparedItem {
  readonly index: number;
  readonly item: PreparedMemory;
}

/** Validates and embeds the items without a result. */
async function prepareItems(
  ctx: Ctx,
  items: readonly ValidatedItem<CreateMemoryBody>[],
  results: ItemResults,
  atomic: boolean,
): Promise<{ prepared: PreparedItem[]; itemErrors: ItemErrors }> {
  const due = [...items.entries()].filter(([index]) => !results.has(index));
  const bodies = due.map(([index, item]) => {
    try {
      return requireValidItem(item, atomic ? `memories.${index}` : '');
    } catch (error) {
      return asItemError(error);
    }
  });
  const itemErrors: ItemErrors = new Map();
  const prepared: PreparedItem[] = [];
  const outcomes = await prepareMemories(ctx, bodies, { allOrNone: atomic });
  for (const [i, item] of outcomes.entries()) {
    const index = due[i]?.[0] ?? i;
    if (item instanceof AppError) itemErrors.set(index, item);
    else prepared.push({ index, item });
  }
  return { prepared, itemErrors };
}

/** Commits some of the items, and adds their results. */
async function storeBatch(
  ctx: Ctx,
  batch: readonly PreparedItem[],
  results: ItemResults,
): Promise<void> {
  const { beforeCommit: _, ...withoutHook } = ctx;
  const stored = await withConflictRetry(withoutHook, async (inTx) => {
    const batchResults = await storeItems(inTx, batch);
    const before = ctx.progress?.committed?.stored ?? [];
    const ids = recordsOf(batchResults).map(([index, { id }]) => [index, id] as const);
    await ctx.progress?.record(inTx, { stored: [...before, ...ids] });
    return batchResults;
  });
  for (const [index, result] of stored) results.set(index, result);
}

/** Commits the last items together with the response for all. */
const storeLastBatch = (
  ctx: Ctx,
  batch: readonly PreparedItem[],
  before: ItemResults,
  atomic: boolean,
): Promise<Created> =>
  withConflictRetry(ctx, async (inTx) => {
    const results = new Map([...before, ...(await storeItems(inTx, batch))]);
    const itemErrors = itemErrorsOf(results);
    // Atomic requests have one batch: the results are in the order of the items.
    if (atomic) throwFirstError([...results.values()]);
    const records = recordsOf(results).map(([, record]) => record);
    publishBulkEvents(inTx, 'memory.bulk_created', records);
    return {
      created: records.length,
      memories: records.map((record) => presentCurrentMemory(record, inTx.clock.now())),
      failed: toFailedItems(itemErrors),
    };
  });

async function storeItems(inTx: TxCtx, batch: readonly PreparedItem[]): Promise<ItemResults> {
  const items = batch.map(({ item }) => item);
  const stored = await insertPreparedMemories(inTx, items);
  return new Map(stored.map((result, i) => [batch[i]?.index ?? i, result]));
}

/** In the order of the request. */
const recordsOf = (results: ItemResults): [number, MemoryRecord][] =>
  [...results]
    .filter((entry): entry is [number, MemoryRecord] => !(entry[1] instanceof AppError))
    .sort(([a], [b]) => a - b);

const itemErrorsOf = (results: ItemResults): ItemErrors =>
  new Map(
    [...results].filter((entry): entry is [number, AppError] => entry[1] instanceof AppError),
  );
