import type { Answer, CheckedItem, CreateMemory, routes } from '@mneme/contract';
import { batchesOf } from '../../kernel/batches.ts';
import { AppError } from '../../kernel/errors.ts';
import { requireValid } from '../../kernel/validate.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { accountModel, untilModelHolds } from '../index/index.ts';
import { storingTransaction } from './change.ts';
import { prepareEach, requireStorable } from './create.ts';
import { announceBulk } from './events.ts';
import { asItemFault, failuresOf, withIndex } from './faults.ts';
import { memoriesById } from './find.ts';
import { type MemoryRecord, presentMemory } from './model.ts';
import { type Prepared, stepCharacters, storeMemories } from './storing.ts';

type Created = Answer<typeof routes.memories.bulkCreate>;

/** By their places in the request. */
type Faults = Map<number, AppError>;
type Outcomes = Map<number, MemoryRecord | AppError>;

/**
 * Stores up to 100 memories, each on its own; `atomic` refuses all for the first fault, which
 * is then thrown with the index in its fields. Without it, much content is stored in several
 * transactions, and a request with an Idempotency-Key continues after those that were committed.
 */
export async function bulkCreate(
  ctx: Ctx,
  items: readonly CheckedItem<CreateMemory>[],
  atomic: boolean,
): Promise<Created> {
  const outcomes = await committedBefore(ctx);
  return untilModelHolds(ctx, async () => {
    const { prepared, faults } = await prepareItems(ctx, items, outcomes, atomic);
    const charactersOf = ({ item }: PreparedItem): number => item.record.content.length;
    const steps = atomic ? [prepared] : [...batchesOf(prepared, charactersOf, stepCharacters)];
    const last = steps.pop() ?? [];
    for (const step of steps) await storeStep(ctx, step, outcomes);
    return storeLast(ctx, last, new Map([...outcomes, ...faults]), atomic);
  });
}

/** By an interrupted request with the same Idempotency-Key. */
async function committedBefore(ctx: Ctx): Promise<Outcomes> {
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
  readonly item: Prepared;
}

/**
 * Checks and embeds those without an outcome; all that can be refused without looking at stored
 * memories is a fault.
 */
async function prepareItems(
  ctx: Ctx,
  items: readonly CheckedItem<CreateMemory>[],
  outcomes: Outcomes,
  atomic: boolean,
): Promise<{ prepared: PreparedItem[]; faults: Faults }> {
  const model = await accountModel(ctx);
  const faults: Faults = new Map();
  const bodies: { index: number; body: CreateMemory }[] = [];
  for (const [index, item] of items.entries()) {
    if (outcomes.has(index)) continue;
    try {
      const body = requireValid(item, atomic ? `memories.${index}` : '');
      requireStorable(ctx, body, model);
      bodies.push({ index, body });
    } catch (error) {
      faults.set(index, asItemFault(error));
    }
  }
  if (atomic) throwFirst(faults);
  const embedded = await prepareEach(
    ctx,
    bodies.map(({ body }) => body),
  );
  const prepared: PreparedItem[] = [];
  for (const [i, item] of embedded.entries()) {
    const index = bodies[i]?.index ?? i;
    if (item instanceof AppError) faults.set(index, item);
    else prepared.push({ index, item });
  }
  if (atomic) throwFirst(faults);
  return { prepared, faults };
}

/** Commits some of the items, and adds their outcomes. */
async function storeStep(
  ctx: Ctx,
  step: readonly PreparedItem[],
  outcomes: Outcomes,
): Promise<void> {
  const { seal: _, ...unsealed } = ctx;
  const stored = await storingTransaction(unsealed, async (inTx) => {
    const own = await storeItems(inTx, step);
    const before = ctx.progress?.committed?.stored ?? [];
    const ids = recordsOf(own).map(([index, { id }]) => [index, id] as const);
    await ctx.progress?.record(inTx, { stored: [...before, ...ids] });
    return own;
  });
  for (const [index, outcome] of stored) outcomes.set(index, outcome);
}

/** With the answer for all. */
const storeLast = (
  ctx: Ctx,
  step: readonly PreparedItem[],
  before: Outcomes,
  atomic: boolean,
): Promise<Created> =>
  storingTransaction(ctx, async (inTx) => {
    const outcomes = new Map([...before, ...(await storeItems(inTx, step))]);
    const faults = faultsOf(outcomes);
    if (atomic) throwFirst(faults);
    const records = recordsOf(outcomes).map(([, record]) => record);
    announceBulk(inTx, 'memory.bulk_created', records);
    return {
      created: records.length,
      memories: records.map((record) => presentMemory(record, inTx.clock.now())),
      failed: failuresOf(faults),
    };
  });

async function storeItems(inTx: TxCtx, step: readonly PreparedItem[]): Promise<Outcomes> {
  const items = step.map(({ item }) => item);
  const stored = await storeMemories(inTx, items);
  return new Map(stored.map((outcome, i) => [step[i]?.index ?? i, outcome]));
}

/** In the order of the request. */
const recordsOf = (outcomes: Outcomes): [number, MemoryRecord][] =>
  [...outcomes]
    .filter((entry): entry is [number, MemoryRecord] => !(entry[1] instanceof AppError))
    .sort(([a], [b]) => a - b);

const faultsOf = (outcomes: Outcomes): Faults =>
  new Map(
    [...outcomes].filter((entry): entry is [number, AppError] => entry[1] instanceof AppError),
  );

function throwFirst(faults: Faults): void {
  const index = Math.min(...faults.keys());
  const first = faults.get(index);
  if (first) throw withIndex(first, index);
}
