import type { CreateMemoryBody, ResponseBody, routes, ValidatedItem } from '@mneme/contract';
import { batchBySize } from '../../kernel/batches.ts';
import { AppError } from '../../kernel/errors.ts';
import { requireValid } from '../../kernel/validate.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { resolveAccountModel, retryOnModelChange } from '../search-index/index.ts';
import { withConflictRetry } from './change.ts';
import { prepareIndividually, requireValidMemory } from './create.ts';
import { publishBulk } from './events.ts';
import { memoriesById } from './find.ts';
import { batchCharactersMax, insertPreparedMemories, type PreparedMemory } from './insert.ts';
import { asItemError, toFailedItems, withItemIndex } from './item-errors.ts';
import { type MemoryRecord, presentMemory } from './model.ts';

type Created = ResponseBody<typeof routes.memories.bulkCreate>;

/** By their places in the request. */
type ItemErrors = Map<number, AppError>;
type ItemResults = Map<number, MemoryRecord | AppError>;

/**
 * Stores up to 100 memories, each on its own; `atomic` refuses all for the first fault, which
 * is then thrown with the index in its fields. Without it, much content is stored in several
 * transactions, and a request with an Idempotency-Key continues after those that were committed.
 */
export async function bulkCreate(
  ctx: Ctx,
  items: readonly ValidatedItem<CreateMemoryBody>[],
  atomic: boolean,
): Promise<Created> {
  const outcomes = await readCommittedResults(ctx);
  return retryOnModelChange(ctx, async () => {
    const { prepared, faults } = await prepareItems(ctx, items, outcomes, atomic);
    const charactersOf = ({ item }: PreparedItem): number => item.record.content.length;
    const steps = atomic
      ? [prepared]
      : [...batchBySize(prepared, charactersOf, batchCharactersMax)];
    const last = steps.pop() ?? [];
    for (const step of steps) await storeBatch(ctx, step, outcomes);
    return storeLastBatch(ctx, last, new Map([...outcomes, ...faults]), atomic);
  });
}

/** By an interrupted request with the same Idempotency-Key. */
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

/**
 * Checks and embeds those without an outcome; all that can be refused without looking at stored
 * memories is a fault.
 */
async function prepareItems(
  ctx: Ctx,
  items: readonly ValidatedItem<CreateMemoryBody>[],
  outcomes: ItemResults,
  atomic: boolean,
): Promise<{ prepared: PreparedItem[]; faults: ItemErrors }> {
  const model = await resolveAccountModel(ctx);
  const faults: ItemErrors = new Map();
  const bodies: { index: number; body: CreateMemoryBody }[] = [];
  for (const [index, item] of items.entries()) {
    if (outcomes.has(index)) continue;
    try {
      const body = requireValid(item, atomic ? `memories.${index}` : '');
      requireValidMemory(ctx, body, model);
      bodies.push({ index, body });
    } catch (error) {
      faults.set(index, asItemError(error));
    }
  }
  if (atomic) throwFirstError(faults);
  const embedded = await prepareIndividually(
    ctx,
    bodies.map(({ body }) => body),
  );
  const prepared: PreparedItem[] = [];
  for (const [i, item] of embedded.entries()) {
    const index = bodies[i]?.index ?? i;
    if (item instanceof AppError) faults.set(index, item);
    else prepared.push({ index, item });
  }
  if (atomic) throwFirstError(faults);
  return { prepared, faults };
}

/** Commits some of the items, and adds their outcomes. */
async function storeBatch(
  ctx: Ctx,
  step: readonly PreparedItem[],
  outcomes: ItemResults,
): Promise<void> {
  const { beforeCommit: _, ...unsealed } = ctx;
  const stored = await withConflictRetry(unsealed, async (inTx) => {
    const own = await storeItems(inTx, step);
    const before = ctx.progress?.committed?.stored ?? [];
    const ids = recordsOf(own).map(([index, { id }]) => [index, id] as const);
    await ctx.progress?.record(inTx, { stored: [...before, ...ids] });
    return own;
  });
  for (const [index, outcome] of stored) outcomes.set(index, outcome);
}

/** With the answer for all. */
const storeLastBatch = (
  ctx: Ctx,
  step: readonly PreparedItem[],
  before: ItemResults,
  atomic: boolean,
): Promise<Created> =>
  withConflictRetry(ctx, async (inTx) => {
    const outcomes = new Map([...before, ...(await storeItems(inTx, step))]);
    const faults = itemErrorsOf(outcomes);
    if (atomic) throwFirstError(faults);
    const records = recordsOf(outcomes).map(([, record]) => record);
    publishBulk(inTx, 'memory.bulk_created', records);
    return {
      created: records.length,
      memories: records.map((record) => presentMemory(record, inTx.clock.now())),
      failed: toFailedItems(faults),
    };
  });

async function storeItems(inTx: TxCtx, step: readonly PreparedItem[]): Promise<ItemResults> {
  const items = step.map(({ item }) => item);
  const stored = await insertPreparedMemories(inTx, items);
  return new Map(stored.map((outcome, i) => [step[i]?.index ?? i, outcome]));
}

/** In the order of the request. */
const recordsOf = (outcomes: ItemResults): [number, MemoryRecord][] =>
  [...outcomes]
    .filter((entry): entry is [number, MemoryRecord] => !(entry[1] instanceof AppError))
    .sort(([a], [b]) => a - b);

const itemErrorsOf = (outcomes: ItemResults): ItemErrors =>
  new Map(
    [...outcomes].filter((entry): entry is [number, AppError] => entry[1] instanceof AppError),
  );

function throwFirstError(faults: ItemErrors): void {
  const index = Math.min(...faults.keys());
  const first = faults.get(index);
  if (first) throw withItemIndex(first, index);
}
