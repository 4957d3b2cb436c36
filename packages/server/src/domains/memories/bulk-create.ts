import type { Answer, CheckedItem, CreateMemory, routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { requireValid } from '../../kernel/validate.ts';
import type { Ctx } from '../ctx.ts';
import { accountModel, untilModelHolds } from '../index/index.ts';
import { storingTransaction } from './change.ts';
import { prepareEach, requireStorable } from './create.ts';
import { announceBulk } from './events.ts';
import { asItemFault, failuresOf, withIndex } from './faults.ts';
import { type MemoryRecord, presentMemory } from './model.ts';
import { type Prepared, storeMemories } from './storing.ts';

type Created = Answer<typeof routes.memories.bulkCreate>;

/** By their places in the request. */
type Faults = Map<number, AppError>;

/**
 * Stores up to 100 memories, each on its own; `atomic` refuses all for the first fault, which
 * is then thrown with the index in its fields.
 */
export const bulkCreate = (
  ctx: Ctx,
  items: readonly CheckedItem<CreateMemory>[],
  atomic: boolean,
): Promise<Created> =>
  untilModelHolds(ctx, async () => {
    const { prepared, faults } = await prepareItems(ctx, items, atomic);
    return storeItems(ctx, prepared, faults, atomic);
  });

interface PreparedItem {
  readonly index: number;
  readonly item: Prepared;
}

/** Checks and embeds; all that can be refused without looking at stored memories is a fault. */
async function prepareItems(
  ctx: Ctx,
  items: readonly CheckedItem<CreateMemory>[],
  atomic: boolean,
): Promise<{ prepared: PreparedItem[]; faults: Faults }> {
  const model = await accountModel(ctx);
  const faults: Faults = new Map();
  const bodies: { index: number; body: CreateMemory }[] = [];
  for (const [index, item] of items.entries()) {
    try {
      const body = requireValid(item, atomic ? `memories.${index}` : '');
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
  const prepared: PreparedItem[] = [];
  for (const [i, item] of outcomes.entries()) {
    const index = bodies[i]?.index ?? i;
    if (item instanceof AppError) faults.set(index, item);
    else prepared.push({ index, item });
  }
  if (atomic) throwFirst(faults);
  return { prepared, faults };
}

async function storeItems(
  ctx: Ctx,
  prepared: readonly PreparedItem[],
  before: Faults,
  atomic: boolean,
): Promise<Created> {
  return storingTransaction(ctx, async (inTx) => {
    const stored = await storeMemories(
      inTx,
      prepared.map(({ item }) => item),
    );
    // Anew in each attempt.
    const faults = new Map(before);
    const records: MemoryRecord[] = [];
    for (const [i, outcome] of stored.entries()) {
      if (outcome instanceof AppError) faults.set(prepared[i]?.index ?? i, outcome);
      else records.push(outcome);
    }
    if (atomic) throwFirst(faults);
    announceBulk(inTx, 'memory.bulk_created', records);
    return {
      created: records.length,
      memories: records.map((record) => presentMemory(record, inTx.clock.now())),
      failed: failuresOf(faults),
    };
  });
}

function throwFirst(faults: Faults): void {
  const index = Math.min(...faults.keys());
  const first = faults.get(index);
  if (first) throw withIndex(first, index);
}
