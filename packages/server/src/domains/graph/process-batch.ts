import { limits } from '@mneme/contract';
import { readEventBatch, type StoredEvent } from '../../events/outbox.ts';
import type { Extraction, SourceText } from '../../providers/language/index.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../ctx.ts';
import {
  isUnverifiedMail,
  lockMemoriesForKeyShare,
  type MemoryRecord,
  memoryPages,
} from '../memories/index.ts';
import { beforeExtractionWrite, type ExtractionBatch } from './hooks.ts';
import { ExtractionLease, LeaseLost, leaseExpiry } from './lease.ts';
import {
  type MemoryExtraction,
  type RecordedMentions,
  recordExtractions,
} from './record-extractions.ts';
import { lockAccountGraph } from './store/assertion-log.ts';
import { findEntities } from './store/entities.ts';
import { acquireExtractionLease, advanceExtractionCursor } from './store/extraction-cursors.ts';

const relevantEventTypes = [
  'memory.created',
  'memory.updated',
  'memory.deleted',
  'memory.restored',
];
const relevantChanges: ReadonlySet<string> = new Set(['content', 'space_id', 'occurred_at']);

/** Events after which a memory may say something else. */
const isRelevant = ({ type, changes, data }: StoredEvent): boolean =>
  type !== 'memory.updated' ||
  (changes ?? []).some((field) => relevantChanges.has(field)) ||
  // Somebody may have confirmed that the mail is genuine.
  ((changes ?? []).includes('metadata') && Object(data.metadata).source === 'email');

const memoryIdOf = ({ data }: StoredEvent): string => String(data.id);

/** How a pass goes. */
export interface BatchOptions {
  readonly holder: string;
  /** Changes that are read in one go; what they say is written together. */
  readonly count: number;
  /** What could not be written time and again is taken to say nothing, so that the rest goes on. */
  readonly skipExtraction: boolean;
  /** Ends the pass with nothing written. */
  readonly signal: AbortSignal;
  /** After each step, with the milliseconds that it took: others come first. */
  throttle(tookMs: number): Promise<void>;
}

/** What ends the reading of several early, and what comes in between. */
export interface ExtractionControl {
  /** Then no further memory is begun; one is read in any case. */
  shouldStop(): boolean;
  throttle?(tookMs: number): Promise<void>;
}

/**
 * Reads the next changes of an account and writes what the memories say now; the place in the
 * outbox moves in the same transaction, so that each change is read once, whatever stops.
 * Returns whether there is more to read.
 */
export async function processNextBatch(
  app: App,
  accountId: string,
  going: BatchOptions,
): Promise<boolean> {
  const ctx = systemCtx(app, accountId);
  const { holder, count, skipExtraction } = going;
  const stretch = await app.engine.transaction(async (tx) => {
    const lease = { holder, until: leaseExpiry(app) };
    const after = await acquireExtractionLease(tx, accountId, lease, app.clock.now());
    if (after === null) return null;
    return readEventBatch(tx, accountId, { after, limit: count, types: relevantEventTypes });
  });
  if (stretch === null) return false;
  await using lease = new ExtractionLease(app, accountId, holder);
  const ended = AbortSignal.any([going.signal, lease.lost]);
  const ids = [...new Set(stretch.events.filter(isRelevant).map(memoryIdOf))];
  if (skipExtraction) app.log.error({ memories: ids }, 'memories are left unread');
  try {
    const steps: ExtractionControl = { shouldStop: () => ended.aborted, throttle: going.throttle };
    const reading = skipExtraction ? emptyBatch(ctx, ids) : extractMemories(ctx, ids, steps);
    const { extractions, batch } = await raceAbort(reading, ended);
    const began = app.clock.monotonicMs();
    await withTransaction(ctx, async (inTx) => {
      // First, since they lock rows of memories: knowledge comes after those.
      for (const write of batch.writes) await write(inTx);
      const current = await filterExisting(inTx, extractions);
      await lockAccountGraph(inTx.tx, accountId);
      if (!(await advanceExtractionCursor(inTx.tx, accountId, holder, stretch.upTo)))
        throw new LeaseLost();
      await publishExtracted(inTx, await recordExtractions(inTx, current));
    });
    lease.markReleased();
    await going.throttle(app.clock.monotonicMs() - began);
  } catch (error) {
    if (error instanceof LeaseLost || ended.aborted) return false;
    throw error;
  }
  return stretch.more;
}

/** What is promised, or the signal's reason as soon as it is aborted. */
async function raceAbort<T>(promised: Promise<T>, signal: AbortSignal): Promise<T> {
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

export interface ExtractedBatch {
  readonly extractions: readonly MemoryExtraction[];
  readonly batch: ExtractionBatch;
}

async function extractMemories(
  ctx: Ctx,
  ids: readonly string[],
  steps: ExtractionControl,
): Promise<ExtractedBatch> {
  const records: MemoryRecord[] = [];
  for await (const page of memoryPages(ctx, ids)) records.push(...page);
  const known = new Set(records.map(({ id }) => id));
  const silent = ids.filter((id) => !known.has(id)).map((id) => emptyExtraction(ctx, id));
  const { extractions, batch } = await extractRecords(ctx, records, steps);
  return { extractions: [...extractions, ...silent], batch };
}

/** Extraction takes as long as its provider does, so it is done before the transaction. */
export async function extractRecords(
  ctx: Ctx,
  records: readonly MemoryRecord[],
  { shouldStop, throttle }: ExtractionControl,
): Promise<ExtractedBatch> {
  const readings: MemoryExtraction[] = [];
  for (const record of records) {
    const began = ctx.clock.monotonicMs();
    readings.push((await extractMemory(ctx, record)).reading);
    // Others' requests come in between.
    await new Promise(setImmediate);
    await throttle?.(ctx.clock.monotonicMs() - began);
    if (shouldStop()) break;
  }
  const pass: ExtractionBatch = { records: records.slice(0, readings.length), writes: [] };
  await beforeExtractionWrite.run(ctx, ctx, pass);
  return { extractions: readings, batch: pass };
}

async function emptyBatch(ctx: Ctx, ids: readonly string[]): Promise<ExtractedBatch> {
  const readings = ids.map((id) => emptyExtraction(ctx, id));
  return { extractions: readings, batch: { records: [], writes: [] } };
}

const emptyExtraction = (ctx: Ctx, memoryId: string): MemoryExtraction => ({
  memoryId,
  spaceId: null,
  observedAt: ctx.clock.now(),
  extraction: null,
});

/** A memory as its text is read: from when it is, and who speaks. */
export function toSourceText(record: MemoryRecord): SourceText {
  const { speaker } = record.metadata;
  return {
    text: record.content,
    at: record.occurred_at ?? record.created_at,
    ...(typeof speaker === 'string' ? { speaker } : {}),
  };
}

/** What a memory says, and who read it. */
export async function extractMemory(
  ctx: Ctx,
  record: MemoryRecord,
): Promise<{ reading: MemoryExtraction; model: string }> {
  const source = toSourceText(record);
  const { value, model } = await ctx.language.extract(source);
  const observedAt = source.at;
  const { id: memoryId, space_id: spaceId } = record;
  const said = isUnverifiedMail(record) ? withoutFacts(value) : value;
  return { reading: { memoryId, spaceId, observedAt, extraction: dropLongNames(said) }, model };
}

/**
 * Whom a stranger speaks of, and no more: facts would end those that are believed, of an employer
 * or an address, and other names would lead what is said later to the wrong entity.
 */
const withoutFacts = ({ entities }: Extraction): Extraction => ({
  entities: entities.map((one) => ({ ...one, mentions: [one.name] })),
  facts: [],
});

const hasNameLength = (text: string): boolean => text.length <= limits.nameCharactersMax;

/** Without what is too long for a name, and what is said of it: it names nothing. */
function dropLongNames({ entities, facts }: Extraction): Extraction {
  const named = entities.map((one) => ({ ...one, mentions: one.mentions.filter(hasNameLength) }));
  const places = new Map<number, number>();
  for (const [at, { name }] of named.entries())
    if (hasNameLength(name)) places.set(at, places.size);
  return {
    entities: named.filter(({ name }) => hasNameLength(name)),
    facts: facts.flatMap((fact) => {
      const [subject, object] = [places.get(fact.subject), places.get(fact.object)];
      return subject === undefined || object === undefined ? [] : [{ ...fact, subject, object }];
    }),
  };
}

/** Without those that were deleted meanwhile. Other changes are told by an event to come. */
export async function filterExisting(
  { tx, actor }: TxCtx,
  readings: readonly MemoryExtraction[],
): Promise<MemoryExtraction[]> {
  const ids = readings.map(({ memoryId }) => memoryId);
  const there = await lockMemoriesForKeyShare(tx, actor.accountId, ids);
  return readings.filter(({ memoryId }) => there.has(memoryId));
}

/** An event for each memory that speaks of somebody or something. */
export async function publishExtracted(
  { tx, actor, journal }: TxCtx,
  spoken: readonly RecordedMentions[],
): Promise<void> {
  const ids = [...new Set(spoken.flatMap(({ entityIds }) => entityIds))];
  const records = await findEntities(tx, actor.accountId, ids);
  const entities = new Map(records.map(({ id, name, type }) => [id, { id, name, type }]));
  for (const { memoryId, spaceId, entityIds } of spoken) {
    if (entityIds.length === 0) continue;
    journal.addEvent({
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
