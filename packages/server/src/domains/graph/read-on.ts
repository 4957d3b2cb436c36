import { readStretch, type StoredEvent } from '../../work/outbox.ts';
import { type App, type Ctx, systemCtx, withTransaction } from '../ctx.ts';
import { holdMemories, memoriesById, type MemoryRecord } from '../memories/index.ts';
import { type Reading, recordReadings, type Spoken } from './record.ts';
import { findEntities } from './store/entities.ts';
import { lockKnowledge } from './store/log.ts';
import { holdReading, moveReading } from './store/reading.ts';

/** Memories that are read in one go; their changes are written together. */
const batchEvents = 50;
export const leaseMs = 60_000;

const readTypes = ['memory.created', 'memory.updated', 'memory.deleted', 'memory.restored'];
const readChanges: ReadonlySet<string> = new Set(['content', 'space_id', 'occurred_at']);

/** Events after which a memory may say something else. */
const mayMatter = ({ type, changes }: StoredEvent): boolean =>
  type !== 'memory.updated' || (changes ?? []).some((field) => readChanges.has(field));

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
  const readings = await readMemories(ctx, [...new Set(ids)]);
  const place = { readTo: stretch.upTo, release: !stretch.more };
  await withTransaction(ctx, async (inTx) => {
    const current = await stillSo(inTx, readings);
    await lockKnowledge(inTx.tx, accountId);
    if (!(await moveReading(inTx.tx, accountId, holder, place))) throw new LeaseLost();
    tell(inTx, await recordReadings(inTx, current));
  }).catch((error: unknown) => {
    if (!(error instanceof LeaseLost)) throw error;
  });
  return stretch.more;
}
void memoriesById;
void findEntities;
void holdMemories;
