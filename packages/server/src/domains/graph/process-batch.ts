import { type EventType, limits } from '@mneme/contract';
import { HeldLease, leaseExpiry } from '../../database/index.ts';
import { readEventBatch, type StoredEvent } from '../../events/outbox.ts';
import { sharedOwner } from '../../events/shared-owner.ts';
import { LeaseLost } from '../../kernel/lease.ts';
import type { Extraction, SourceText, SpeakerFact } from '../../providers/language/index.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../ctx.ts';
import {
  findLinkTargets,
  isUnverifiedMail,
  lockMemoriesForKeyShare,
  type MemoryRecord,
  memoryPages,
} from '../memories/index.ts';
import type { GraphExtraction } from './graph-extraction.ts';
import { beforeExtractionWrite, type ExtractionBatch } from './hooks.ts';
import {
  type MemoryExtraction,
  type RecordedMentions,
  recordExtractions,
} from './record-extractions.ts';
import { speakersOf, withSpeakerFacts } from './speakers.ts';
import { lockAccountGraph } from './store/assertion-log.ts';
import { findEntities } from './store/entities.ts';
import {
  acquireExtractionLease,
  advanceExtractionCursor,
  leasedCursor,
} from './store/extraction-cursors.ts';

export const relevantEventTypes = [
  'memory.created',
  'memory.updated',
  'memory.deleted',
  'memory.restored',
] as const satisfies readonly EventType[];
const relevantChanges: ReadonlySet<string> = new Set(['content', 'space_id', 'occurred_at']);

/** Events after which a memory may have other content to extract. */
const isRelevant = ({ type, changes, data }: StoredEvent): boolean =>
  type !== 'memory.updated' ||
  (changes ?? []).some((field) => relevantChanges.has(field)) ||
  ((changes ?? []).includes('metadata') && concernsAuthor(Object(data.metadata)));

/** A caller may have confirmed that a mail is genuine, or told who speaks. */
const concernsAuthor = ({ source, speaker, role }: Record<string, unknown>): boolean =>
  source === 'email' || speaker !== undefined || role !== undefined;

const memoryIdOf = ({ data }: StoredEvent): string => String(data.id);

/** Options of one extraction batch. */
export interface ExtractionBatchOptions {
  readonly holder: string;
  /** Number of changes that are processed and written together. */
  readonly count: number;
  /**
   * A memory whose extraction failed to be written repeatedly counts as empty, so that the rest
   * continues.
   */
  readonly skipExtraction: boolean;
  /** Aborts the batch without writing anything. */
  readonly signal: AbortSignal;
  /** Called after each step with its duration in milliseconds: other work has priority. */
  throttle(tookMs: number): Promise<void>;
}

/** Controls the extraction of several memories. */
export interface ExtractionControl {
  /** If true, no further memory is started; at least one is processed. */
  shouldStop(): boolean;
  throttle?(tookMs: number): Promise<void>;
  /** Aborted when nothing of the batch will be written. */
  readonly signal?: AbortSignal;
}

/**
 * Processes the next changes of an account and writes what the memories state now. The cursor moves
 * in the same transaction, so that each change is processed once, even after a crash. Returns
 * whether there are more changes.
 */
export async function processNextExtractionBatch(
  app: App,
  accountId: string,
  options: ExtractionBatchOptions,
): Promise<boolean> {
  const ctx = systemCtx(app, accountId);
  const { holder, count, skipExtraction } = options;
  const changes = await app.engine.transaction(async (tx) => {
    const lease = { holder, until: leaseExpiry(app) };
    const after = await acquireExtractionLease(tx, accountId, lease, app.clock.now());
    if (after === null) return null;
    const batch = await readEventBatch(tx, accountId, {
      after,
      limit: count,
      types: relevantEventTypes,
    });
    const ids = [...new Set(batch.events.filter(isRelevant).map(memoryIdOf))];
    // Nothing to extract, as after accesses.
    if (ids.length === 0) await advanceExtractionCursor(tx, accountId, holder, batch.upTo);
    return { ...batch, ids };
  });
  if (changes === null) return false;
  const { ids } = changes;
  if (ids.length === 0) return changes.more;
  await using lease = new HeldLease(app, {
    name: 'extraction',
    row: leasedCursor(accountId),
    holder,
  });
  const stopSignal = AbortSignal.any([options.signal, lease.lost]);
  if (skipExtraction) app.log.error({ memories: ids }, 'memories skipped by extraction');
  try {
    const steps: ExtractionControl = {
      shouldStop: () => stopSignal.aborted,
      throttle: options.throttle,
      signal: stopSignal,
    };
    const reading = skipExtraction ? emptyBatch(ctx, ids) : extractMemories(ctx, ids, steps);
    const { extractions, batch } = await raceAbort(reading, stopSignal);
    const startedAtMs = app.clock.monotonicMs();
    await withTransaction(ctx, async (inTx) => {
      // First, because they lock rows of memories: the graph lock comes after those.
      for (const write of batch.writes) await write(inTx);
      const current = await filterExistingMemories(inTx, extractions);
      await lockAccountGraph(inTx.tx, accountId);
      if (!(await advanceExtractionCursor(inTx.tx, accountId, holder, changes.upTo)))
        throw new LeaseLost();
      await publishExtractionEvents(inTx, await recordExtractions(inTx, current));
    });
    lease.markReleased();
    await options.throttle(app.clock.monotonicMs() - startedAtMs);
  } catch (error) {
    if (error instanceof LeaseLost || stopSignal.aborted) return false;
    throw error;
  }
  return changes.more;
}

/** The promise's result, or a rejection with the signal's reason as soon as it is aborted. */
async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([promise, aborted.promise]);
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
  const existingIds = new Set(records.map(({ id }) => id));
  const silent = ids.filter((id) => !existingIds.has(id)).map((id) => emptyExtraction(ctx, id));
  const { extractions, batch } = await extractMemoryRecords(ctx, records, steps);
  return { extractions: [...extractions, ...silent], batch };
}

/** Before the transaction, because extraction takes as long as its provider does. */
export async function extractMemoryRecords(
  ctx: Ctx,
  records: readonly MemoryRecord[],
  { shouldStop, throttle, signal }: ExtractionControl,
): Promise<ExtractedBatch> {
  const readings: MemoryExtraction[] = [];
  for (const record of records) {
    const startedAtMs = ctx.clock.monotonicMs();
    readings.push((await extractMemory(ctx, record)).reading);
    // Let other requests run.
    await new Promise(setImmediate);
    await throttle?.(ctx.clock.monotonicMs() - startedAtMs);
    if (shouldStop()) break;
  }
  signal?.throwIfAborted();
  const batch: ExtractionBatch = {
    records: records.slice(0, readings.length),
    writes: [],
    ...(throttle && { throttle }),
    ...(signal && { signal }),
  };
  await beforeExtractionWrite.run(ctx, ctx, batch);
  return { extractions: readings, batch };
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

/** The text of a memory with its time and its speaker. */
export function toSourceText(record: MemoryRecord): SourceText {
  const { speaker } = record.metadata;
  return {
    text: record.content,
    at: record.occurred_at ?? record.created_at,
    ...(typeof speaker === 'string' ? { speaker } : {}),
  };
}

/** Extracts a memory; the result names the model. */
export async function extractMemory(
  ctx: Ctx,
  record: MemoryRecord,
): Promise<{ reading: MemoryExtraction; model: string }> {
  const source = toSourceText(record);
  const { value, model } = await ctx.language.extract(source);
  const observedAt = source.at;
  const { id: memoryId, space_id: spaceId } = record;
  const found = isUnverifiedMail(record) ? withoutFacts(value) : value;
  const speakers = speakersOf(record);
  const stated = await readSpeakerFacts(ctx, record);
  const extraction = withSpeakerFacts(found, speakers, stated, observedAt);
  return {
    reading: { memoryId, spaceId, observedAt, extraction: dropLongNames(extraction) },
    model,
  };
}

/** What a memory says of its speakers; in mails and quoted pages nobody is known who says it. */
export async function readSpeakerFacts(ctx: Ctx, record: MemoryRecord): Promise<SpeakerFact[]> {
  if (record.metadata.source === 'email') return [];
  const { author } = speakersOf(record);
  const facts = await ctx.language.speakerFacts(record.content);
  return facts.filter(({ about }) => about === 'user' || author !== null);
}

/**
 * From an unverified sender only entities are used, without variants: facts could end believed
 * ones, such as an employer or an address, and other names could link later statements to the wrong
 * entity.
 */
const withoutFacts = ({ entities }: Extraction): Extraction => ({
  entities: entities.map((one) => ({ ...one, mentions: [one.name] })),
  facts: [],
});

const hasNameLength = (text: string): boolean => text.length <= limits.nameCharactersMax;

/** Drops names that are too long, and facts about them: they identify nothing. */
function dropLongNames({ entities, facts }: GraphExtraction): GraphExtraction {
  const named = entities.map((one) => ({ ...one, mentions: one.mentions.filter(hasNameLength) }));
  const newIndices = new Map<number, number>();
  for (const [at, { name }] of named.entries())
    if (hasNameLength(name)) newIndices.set(at, newIndices.size);
  return {
    entities: named.filter(({ name }) => hasNameLength(name)),
    facts: facts.flatMap((fact) => {
      const subject = newIndices.get(fact.subject);
      const object = fact.object === null ? null : newIndices.get(fact.object);
      return subject === undefined || object === undefined ? [] : [{ ...fact, subject, object }];
    }),
  };
}

/** Without memories deleted in the meantime. Other changes have an event of their own. */
export async function filterExistingMemories(
  { tx, actor }: TxCtx,
  readings: readonly MemoryExtraction[],
): Promise<MemoryExtraction[]> {
  const ids = readings.map(({ memoryId }) => memoryId);
  const existing = await lockMemoriesForKeyShare(tx, actor.accountId, ids);
  return readings.filter(({ memoryId }) => existing.has(memoryId));
}

/** Publishes one event per memory that mentions an entity. */
export async function publishExtractionEvents(
  { tx, actor, journal }: TxCtx,
  mentions: readonly RecordedMentions[],
): Promise<void> {
  const ids = [...new Set(mentions.flatMap(({ entityIds }) => entityIds))];
  const records = await findEntities(tx, actor.accountId, ids);
  const entities = new Map(records.map(({ id, name, type }) => [id, { id, name, type }]));
  const memoryIds = mentions.map(({ memoryId }) => memoryId);
  const targets = await findLinkTargets(tx, actor.accountId, memoryIds);
  const memories = new Map(targets.map((memory) => [memory.id, memory]));
  for (const { memoryId, spaceId, entityIds } of mentions) {
    if (entityIds.length === 0) continue;
    journal.addEvent({
      accountId: actor.accountId,
      type: 'entity.extracted',
      spaceId,
      owner: sharedOwner([memories.get(memoryId) ?? []].flat()),
      data: {
        memory_id: memoryId,
        entities: entityIds.flatMap((id) => entities.get(id) ?? []),
      },
    });
  }
}
