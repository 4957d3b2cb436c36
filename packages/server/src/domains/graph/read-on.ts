import type { SourceText } from '../../providers/language/index.ts';
import { readStretch, type StoredEvent } from '../../work/outbox.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../ctx.ts';
import { holdMemories, type MemoryRecord, memoriesById } from '../memories/index.ts';
import { type Pass, readingMemories } from './hooks.ts';
import { type Reading, recordReadings, type Spoken } from './record.ts';
import { findEntities } from './store/entities.ts';
import { lockKnowledge } from './store/log.ts';
import { holdReading, moveReading } from './store/reading.ts';

/** Memories that are read in one go; their changes are written together. */
const batchEvents = 50;
const leaseMs = 60_000;

const readTypes = ['memory.created', 'memory.updated', 'memory.deleted', 'memory.restored'];
const readChanges: ReadonlySet<string> = new Set(['content', 'space_id', 'occurred_at']);

/** Events after which a memory may say something else. */
const mayMatter = ({ type, changes }: StoredEvent): boolean =>
  type !== 'memory.updated' || (changes ?? []).some((field) => readChanges.has(field));

const memoryOf = ({ data }: StoredEvent): string => String(data.id);

class LeaseLost extends Error {}

/**
 * Reads the next changes of an account and writes what the memories say now; the place in the
 * outbox moves in the same transaction, so that each change is read once, whatever stops.
 * Returns whether there is more to read.
 */
export async function readOn(app: App, accountId: string, holder: string): Promise<boolean> {
  const ctx = systemCtx(app, accountId);
  const until = new Date(app.clock.now().getTime() + leaseMs);
  const stretch = await app.engine.transaction(async (tx) => {
    const after = await holdReading(tx, accountId, { holder, until }, app.clock.now());
    if (after === null) return null;
    return readStretch(tx, accountId, { after, count: batchEvents, types: readTypes });
  });
  if (stretch === null) return false;
  const ids = stretch.events.filter(mayMatter).map(memoryOf);
  const { readings, records } = await readMemories(ctx, [...new Set(ids)]);
  const pass: Pass = { records, writes: [] };
  await readingMemories.run(ctx, ctx, pass);
  const place = { readTo: stretch.upTo, release: !stretch.more };
  await withTransaction(ctx, async (inTx) => {
    // First, since they lock rows of memories: knowledge comes after those.
    for (const write of pass.writes) await write(inTx);
    const current = await stillThere(inTx, readings);
    await lockKnowledge(inTx.tx, accountId);
    if (!(await moveReading(inTx.tx, accountId, holder, place))) throw new LeaseLost();
    await tell(inTx, await recordReadings(inTx, current));
  }).catch((error: unknown) => {
    if (!(error instanceof LeaseLost)) throw error;
  });
  return stretch.more;
}

/** Extraction takes as long as its provider does, so it is done before the transaction. */
async function readMemories(
  ctx: Ctx,
  ids: readonly string[],
): Promise<{ readings: Reading[]; records: MemoryRecord[] }> {
  const records = await memoriesById(ctx, ids);
  const readings: Reading[] = [];
  for (const id of ids) {
    const record = records.get(id);
    readings.push(record ? (await readMemory(ctx, record)).reading : saysNothing(ctx, id));
    // Others' requests come in between.
    await new Promise(setImmediate);
  }
  return { readings, records: [...records.values()] };
}

const saysNothing = (ctx: Ctx, memoryId: string): Reading => ({
  memoryId,
  spaceId: null,
  observedAt: ctx.clock.now(),
  extraction: null,
});

/** A memory as its text is read: from when it is, and who speaks. */
export function sourceOf(record: MemoryRecord): SourceText {
  const { speaker } = record.metadata;
  return {
    text: record.content,
    at: record.occurred_at ?? record.created_at,
    ...(typeof speaker === 'string' ? { speaker } : {}),
  };
}

/** What a memory says, and who read it. */
export async function readMemory(
  ctx: Ctx,
  record: MemoryRecord,
): Promise<{ reading: Reading; model: string }> {
  const source = sourceOf(record);
  const { value, model } = await ctx.language.extract(source);
  const observedAt = source.at;
  const { id: memoryId, space_id: spaceId } = record;
  return { reading: { memoryId, spaceId, observedAt, extraction: value }, model };
}

/** Without those that were deleted meanwhile. Other changes are told by an event to come. */
export async function stillThere(
  { tx, actor }: TxCtx,
  readings: readonly Reading[],
): Promise<Reading[]> {
  const ids = readings.map(({ memoryId }) => memoryId);
  const there = await holdMemories(tx, actor.accountId, ids);
  return readings.filter(({ memoryId }) => there.has(memoryId));
}

/** An event for each memory that speaks of somebody or something. */
export async function tell(
  { tx, actor, journal }: TxCtx,
  spoken: readonly Spoken[],
): Promise<void> {
  const ids = [...new Set(spoken.flatMap(({ entityIds }) => entityIds))];
  const records = await findEntities(tx, actor.accountId, ids);
  const entities = new Map(records.map(({ id, name, type }) => [id, { id, name, type }]));
  for (const { memoryId, spaceId, entityIds } of spoken) {
    if (entityIds.length === 0) continue;
    journal.event({
      accountId: actor.accountId,
      type: 'entity.extracted',
      spaceId,
      data: {
        memory_id: memoryId,
        entities: entityIds.flatMap((id) => entities.get(id) ?? []),
      },
    });
  }
}
