import { limits } from '@mneme/contract';
import type { Extraction, SourceText } from '../../providers/language/index.ts';
import { readStretch, type StoredEvent } from '../../work/outbox.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../ctx.ts';
import {
  holdMemories,
  isUnverifiedMail,
  type MemoryRecord,
  memoryPages,
} from '../memories/index.ts';
import { type Pass, readingMemories } from './hooks.ts';
import { Lease, LeaseLost, leaseEnd } from './lease.ts';
import { type Reading, recordReadings, type Spoken } from './record.ts';
import { findEntities } from './store/entities.ts';
import { lockKnowledge } from './store/log.ts';
import { holdReading, moveReading } from './store/reading.ts';

const readTypes = ['memory.created', 'memory.updated', 'memory.deleted', 'memory.restored'];
const readChanges: ReadonlySet<string> = new Set(['content', 'space_id', 'occurred_at']);

/** Events after which a memory may say something else. */
const mayMatter = ({ type, changes, data }: StoredEvent): boolean =>
  type !== 'memory.updated' ||
  (changes ?? []).some((field) => readChanges.has(field)) ||
  // Somebody may have confirmed that the mail is genuine.
  ((changes ?? []).includes('metadata') && Object(data.metadata).source === 'email');

const memoryOf = ({ data }: StoredEvent): string => String(data.id);

/** How a pass goes. */
export interface Going {
  readonly holder: string;
  /** Changes that are read in one go; what they say is written together. */
  readonly count: number;
  /** What could not be written time and again is taken to say nothing, so that the rest goes on. */
  readonly asSilent: boolean;
  /** Ends the pass with nothing written. */
  readonly signal: AbortSignal;
  /** After each step, with the milliseconds that it took: others come first. */
  rest(tookMs: number): Promise<void>;
}

/** What ends the reading of several early, and what comes in between. */
export interface Steps {
  /** Then no further memory is begun; one is read in any case. */
  isOver(): boolean;
  rest?(tookMs: number): Promise<void>;
}

/**
 * Reads the next changes of an account and writes what the memories say now; the place in the
 * outbox moves in the same transaction, so that each change is read once, whatever stops.
 * Returns whether there is more to read.
 */
export async function readOn(app: App, accountId: string, going: Going): Promise<boolean> {
  const ctx = systemCtx(app, accountId);
  const { holder, count, asSilent } = going;
  const stretch = await app.engine.transaction(async (tx) => {
    const lease = { holder, until: leaseEnd(app) };
    const after = await holdReading(tx, accountId, lease, app.clock.now());
    if (after === null) return null;
    return readStretch(tx, accountId, { after, count, types: readTypes });
  });
  if (stretch === null) return false;
  await using lease = new Lease(app, accountId, holder);
  const ended = AbortSignal.any([going.signal, lease.lost]);
  const ids = [...new Set(stretch.events.filter(mayMatter).map(memoryOf))];
  if (asSilent) app.log.error({ memories: ids }, 'memories are left unread');
  try {
    const steps: Steps = { isOver: () => ended.aborted, rest: going.rest };
    const reading = asSilent ? asThoughSilent(ctx, ids) : readMemories(ctx, ids, steps);
    const { readings, pass } = await unlessAborted(reading, ended);
    const began = app.clock.monotonicMs();
    await withTransaction(ctx, async (inTx) => {
      // First, since they lock rows of memories: knowledge comes after those.
      for (const write of pass.writes) await write(inTx);
      const current = await stillThere(inTx, readings);
      await lockKnowledge(inTx.tx, accountId);
      if (!(await moveReading(inTx.tx, accountId, holder, stretch.upTo))) throw new LeaseLost();
      await tell(inTx, await recordReadings(inTx, current));
    });
    lease.end();
    await going.rest(app.clock.monotonicMs() - began);
  } catch (error) {
    if (error instanceof LeaseLost || ended.aborted) return false;
    throw error;
  }
  return stretch.more;
}

/** What is promised, or the signal's reason as soon as it is aborted. */
async function unlessAborted<T>(promised: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([promised, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

export interface Read {
  readonly readings: readonly Reading[];
  readonly pass: Pass;
}

async function readMemories(ctx: Ctx, ids: readonly string[], steps: Steps): Promise<Read> {
  const records: MemoryRecord[] = [];
  for await (const page of memoryPages(ctx, ids)) records.push(...page);
  const known = new Set(records.map(({ id }) => id));
  const silent = ids.filter((id) => !known.has(id)).map((id) => saysNothing(ctx, id));
  const { readings, pass } = await readRecords(ctx, records, steps);
  return { readings: [...readings, ...silent], pass };
}

/** Extraction takes as long as its provider does, so it is done before the transaction. */
export async function readRecords(
  ctx: Ctx,
  records: readonly MemoryRecord[],
  { isOver, rest }: Steps,
): Promise<Read> {
  const readings: Reading[] = [];
  for (const record of records) {
    const began = ctx.clock.monotonicMs();
    readings.push((await readMemory(ctx, record)).reading);
    // Others' requests come in between.
    await new Promise(setImmediate);
    await rest?.(ctx.clock.monotonicMs() - began);
    if (isOver()) break;
  }
  const pass: Pass = { records: records.slice(0, readings.length), writes: [] };
  await readingMemories.run(ctx, ctx, pass);
  return { readings, pass };
}

async function asThoughSilent(ctx: Ctx, ids: readonly string[]): Promise<Read> {
  const readings = ids.map((id) => saysNothing(ctx, id));
  return { readings, pass: { records: [], writes: [] } };
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
  const said = isUnverifiedMail(record) ? harmless(value) : value;
  return { reading: { memoryId, spaceId, observedAt, extraction: bounded(said) }, model };
}

/**
 * Whom a stranger speaks of, and no more: facts would end those that are believed, of an employer
 * or an address, and other names would lead what is said later to the wrong entity.
 */
const harmless = ({ entities }: Extraction): Extraction => ({
  entities: entities.map((one) => ({ ...one, mentions: [one.name] })),
  facts: [],
});

const isName = (text: string): boolean => text.length <= limits.nameCharactersMax;

/** Without what is too long for a name, and what is said of it: it names nothing. */
function bounded({ entities, facts }: Extraction): Extraction {
  const named = entities.map((one) => ({ ...one, mentions: one.mentions.filter(isName) }));
  const places = new Map<number, number>();
  for (const [at, { name }] of named.entries()) if (isName(name)) places.set(at, places.size);
  return {
    entities: named.filter(({ name }) => isName(name)),
    facts: facts.flatMap((fact) => {
      const [subject, object] = [places.get(fact.subject), places.get(fact.object)];
      return subject === undefined || object === undefined ? [] : [{ ...fact, subject, object }];
    }),
  };
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
