import { isStorageFault } from '../../engine/index.ts';
import { again, type RunningJob } from '../../work/worker.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../ctx.ts';
import { type MemoryRecord, memoriesAfter, memoriesInTx } from '../memories/index.ts';
import { type Read, readRecords, stillThere, tell } from './read-on.ts';
import { recordReadings } from './record.ts';
import { lockKnowledge } from './store/log.ts';

/** Queued by migration 0014, for each account that had memories. */
export const readStoredKind = 'knowledge.read_stored';

const page = { rows: 50, bytes: 1_048_576 };

/** Where it is: the payload of its job. */
interface State {
  /** The memory that was read last; null: none. */
  after: string | null;
  /** The last one to be read: what came later was read as it came. */
  readonly last: string;
  rows: number;
  readonly expected: number;
}

/**
 * Job: reads the memories that an account had before there was knowledge, in the order of their
 * ids. What was read is recorded as a difference, so that reading it twice changes nothing.
 */
export async function readStored(app: App, job: RunningJob): Promise<typeof again | undefined> {
  if (job.accountId === null) throw new Error('a job that reads has an account');
  const ctx = systemCtx(app, job.accountId);
  const state = { ...job.payload } as unknown as State;
  for (;;) {
    const found = await memoriesAfter(ctx.engine.db, job.accountId, state.after, page);
    const stored = found.filter(({ id }) => id <= state.last);
    if (stored.length === 0) return undefined;
    const read = await readSome(ctx, stored, () => job.turnIsOver());
    state.after = stored[read - 1]?.id ?? state.last;
    state.rows += read;
    await job.progress(Math.min(1, state.rows / Math.max(state.expected, 1)), { ...state });
    if (job.turnIsOver()) return again;
  }
}

/**
 * Reads and records these, or the first of them, and returns how many. Where that fails, half as
 * many: what fails by itself is left unread, and holds up no other.
 */
async function readSome(
  ctx: Ctx,
  stored: readonly MemoryRecord[],
  isOver: () => boolean,
): Promise<number> {
  try {
    return await readTogether(ctx, stored, isOver);
  } catch (error) {
    if (isStorageFault(error)) throw error;
    if (stored.length > 1) return readSome(ctx, stored.slice(0, stored.length >> 1), isOver);
    ctx.log.error({ err: error, memory: stored[0]?.id }, 'a stored memory is left unread');
    return 1;
  }
}

async function readTogether(
  ctx: Ctx,
  stored: readonly MemoryRecord[],
  isOver: () => boolean,
): Promise<number> {
  // What is softly deleted is read when it returns.
  const records = stored.filter(({ deleted_at: deleted }) => deleted === null);
  if (records.length === 0) return stored.length;
  const read = await readRecords(ctx, records, { isOver });
  await withTransaction(ctx, async (inTx) => {
    // First, since they lock rows of memories: knowledge comes after those.
    for (const write of read.pass.writes) await write(inTx);
    const there = await stillThere(inTx, read.readings);
    await lockKnowledge(inTx.tx, inTx.actor.accountId);
    const same = await unchanged(inTx, read.pass);
    const current = there.filter(({ memoryId }) => same.has(memoryId));
    await tell(inTx, await recordReadings(inTx, current));
  });
  const { id } = records[read.readings.length - 1] ?? {};
  return stored.findIndex((one) => one.id === id) + 1;
}

/** Those that say what was read: of another one, an event tells the reader. */
async function unchanged(inTx: TxCtx, { records }: Read['pass']): Promise<Set<string>> {
  const ids = records.map(({ id }) => id);
  const current = await memoriesInTx(inTx, ids);
  const isSame = (before: MemoryRecord): boolean => {
    const now = current.get(before.id);
    return (
      now?.content === before.content &&
      now.space_id === before.space_id &&
      now.occurred_at?.getTime() === before.occurred_at?.getTime()
    );
  };
  return new Set(records.filter(isSame).map(({ id }) => id));
}
