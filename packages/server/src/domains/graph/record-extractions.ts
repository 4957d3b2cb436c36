import { parseTimestamp } from '@mneme/contract';
import type { TxCtx } from '../ctx.ts';
import type { GraphExtraction, NamedEntity } from './graph-extraction.ts';
import { factObjectKey } from './model.ts';
import { pruneEntities } from './prune-entities.ts';
import { updateFacts } from './rebuild-facts.ts';
import { resolveEntityNames } from './resolve-entity-names.ts';
import {
  type AssertionRecord,
  assertionsOfMemories,
  type FactGroup,
  insertAssertions,
  lastAssertionTime,
  retractAssertions,
} from './store/assertion-log.ts';
import { type Mention, replaceMentions } from './store/entities.ts';

/** The current extraction of a memory. Null: it is soft-deleted or erased, and states nothing. */
export interface MemoryExtraction {
  readonly memoryId: string;
  readonly spaceId: string | null;
  /** When the events in it happened. */
  readonly observedAt: Date;
  readonly extraction: GraphExtraction | null;
}

/** The entities that a memory mentions. */
export interface RecordedMentions {
  readonly memoryId: string;
  readonly spaceId: string | null;
  readonly entityIds: readonly string[];
  /** By entity, 0..1. */
  readonly confidences: ReadonlyMap<string, number>;
}

type AssertionDraft = Omit<AssertionRecord, 'id' | 'recorded_at' | 'retracted_at' | 'retracted_by'>;

/**
 * Makes the log agree with what these memories state now. The caller holds the account's graph
 * lock. Statements that disappeared are retracted, new ones are recorded, and those that were
 * retracted manually are not asserted again.
 */
export async function recordExtractions(
  inTx: TxCtx,
  readings: readonly MemoryExtraction[],
): Promise<RecordedMentions[]> {
  const { tx, actor, clock } = inTx;
  const { accountId } = actor;
  const clockNow = clock.now();
  const names = readings.flatMap((reading) =>
    (reading.extraction?.entities ?? []).map(
      ({ name, type, mentions, speakerKey }): NamedEntity => ({
        spaceId: reading.spaceId,
        type,
        name,
        variants: mentions,
        ...(speakerKey === undefined ? {} : { speakerKey }),
      }),
    ),
  );
  const entityIds = await resolveEntityNames(inTx, names, clockNow);
  let at = 0;
  const resolved = readings.map((reading) => {
    const count = reading.extraction?.entities.length ?? 0;
    at += count;
    return { reading, ids: entityIds.slice(at - count, at) };
  });
  const memoryIds = readings.map(({ memoryId }) => memoryId);
  // A soft-deleted memory may be restored: it keeps its mentions, which are hidden until then.
  const activeMemoryIds = readings.flatMap((one) =>
    one.extraction === null ? [] : [one.memoryId],
  );
  const mentions = resolved.flatMap((one) => toMentions(one, clockNow));
  const previousEntityIds = await replaceMentions(tx, accountId, activeMemoryIds, mentions);
  const previousAssertions = await assertionsOfMemories(tx, accountId, memoryIds);
  const drafts = [
    ...resolved.flatMap(toAssertionDrafts),
    ...manualAssertions(previousAssertions, new Set(activeMemoryIds)),
  ];
  const { retracted, added } = diffAssertions(previousAssertions, drafts);
  const groups = uniqueFactGroups([...retracted, ...added]);
  const now = await nextRecordedAt(inTx, groups, clockNow);
  const retractedIds = retracted.map(({ id }) => id);
  await retractAssertions(tx, accountId, retractedIds, 'text', now);
  await insertAssertions(
    tx,
    accountId,
    added.map((draft) => ({
      ...draft,
      id: inTx.ids.uuid(),
      recorded_at: now,
      retracted_at: null,
      retracted_by: null,
    })),
  );
  await updateFacts(inTx, groups, now, memoryIds);
  await pruneEntities(inTx, previousEntityIds);
  return resolved.map(({ reading, ids }) => ({
    memoryId: reading.memoryId,
    spaceId: reading.spaceId,
    entityIds: [...new Set(ids)],
    confidences: confidencesOf({ reading, ids }),
  }));
}

interface ResolvedExtraction {
  readonly reading: MemoryExtraction;
  /** Entity ids, in the order of the extraction's entities. */
  readonly ids: readonly string[];
}

function confidencesOf({ reading, ids }: ResolvedExtraction): Map<string, number> {
  const best = new Map<string, number>();
  for (const [i, entity] of (reading.extraction?.entities ?? []).entries()) {
    const id = ids[i] ?? '';
    best.set(id, Math.max(best.get(id) ?? 0, entity.confidence));
  }
  return best;
}

function toMentions(resolved: ResolvedExtraction, now: Date): Mention[] {
  const { reading, ids } = resolved;
  const recorded = reading.extraction?.entities ?? [];
  const namesOf = (id: string): string[] =>
    recorded.flatMap(({ name, mentions }, i) => (ids[i] === id ? [name, ...mentions] : []));
  return [...confidencesOf(resolved)].map(([entityId, confidence]) => ({
    memory_id: reading.memoryId,
    entity_id: entityId,
    confidence,
    names: [...new Set(namesOf(entityId))],
    observed_at: reading.observedAt,
    recorded_at: now,
  }));
}

function toAssertionDrafts({ reading, ids }: ResolvedExtraction): AssertionDraft[] {
  const drafts = (reading.extraction?.facts ?? []).map(
    (fact): AssertionDraft => ({
      space_id: reading.spaceId,
      subject_id: ids[fact.subject] ?? '',
      predicate: fact.predicate,
      object_id: fact.object === null ? null : (ids[fact.object] ?? ''),
      object_value: fact.value ?? null,
      statement: fact.statement,
      confidence: fact.confidence,
      valid_from: fact.validFrom === undefined ? null : parsePeriodStart(fact.validFrom),
      valid_to: fact.validTo === undefined ? (fact.endedAt ?? null) : parsePeriodEnd(fact.validTo),
      observed_at: reading.observedAt,
      memory_id: reading.memoryId,
      is_manual: false,
    }),
  );
  const extraction = drafts.filter((draft) => draft.subject_id !== draft.object_id);
  return [...new Map(extraction.map((draft) => [assertionKey(draft), draft])).values()];
}

/** The first moment of a day, month or year (ISO 8601), in UTC; null: not a supported time. */
function parsePeriodStart(value: string): Date | null {
  return toStorableTimestamp(new Date(value.split('/')[0] ?? value));
}

/** The first moment after the period. */
function parsePeriodEnd(value: string): Date | null {
  const last = value.split('/').at(-1) ?? value;
  const [year = 0, month, day] = last.split('-').map(Number);
  if (month === undefined) return toStorableTimestamp(new Date(Date.UTC(year + 1, 0, 1)));
  if (day === undefined) return toStorableTimestamp(new Date(Date.UTC(year, month, 1)));
  return toStorableTimestamp(new Date(Date.UTC(year, month - 1, day + 1)));
}

/** "9999-12-31" would end after all timestamps: it means never. */
const toStorableTimestamp = (at: Date): Date | null => parseTimestamp(at.toISOString());

const assertionKey = (one: Omit<AssertionDraft, 'statement' | 'confidence'>): string =>
  JSON.stringify([
    one.memory_id,
    one.is_manual,
    one.space_id,
    one.subject_id,
    one.predicate,
    factObjectKey(one.object_id, one.object_value),
    one.valid_from?.getTime() ?? null,
    one.valid_to?.getTime() ?? null,
    one.observed_at.getTime(),
  ]);

/**
 * Manual assertions of active memories remain whatever their texts state; they return when their
 * soft-deleted memory is restored.
 */
function manualAssertions(
  previousAssertions: readonly AssertionRecord[],
  activeMemoryIds: ReadonlySet<string>,
): AssertionDraft[] {
  const byHand = previousAssertions.filter(
    (one) => one.is_manual && activeMemoryIds.has(one.memory_id ?? ''),
  );
  const last = new Map(byHand.map((one) => [assertionKey(one), one]));
  return [...last.values()].filter(
    ({ retracted_by: by, subject_id, object_id }) =>
      (by === null || by === 'text') && subject_id !== object_id,
  );
}

function diffAssertions(
  previousAssertions: readonly AssertionRecord[],
  drafts: readonly AssertionDraft[],
): { retracted: AssertionRecord[]; added: AssertionDraft[] } {
  const live = previousAssertions.filter(({ retracted_at }) => retracted_at === null);
  const settled = new Set(
    previousAssertions
      .filter((one) => one.retracted_at === null || (one.retracted_by === 'hand' && !one.is_manual))
      .map(assertionKey),
  );
  const now = new Set(drafts.map(assertionKey));
  return {
    retracted: live.filter((one) => !now.has(assertionKey(one))),
    added: drafts.filter((draft) => !settled.has(assertionKey(draft))),
  };
}

export const uniqueFactGroups = (list: readonly FactGroup[]): FactGroup[] => [
  ...new Map(
    list.map(({ subject_id, predicate }) => [
      `${subject_id} ${predicate}`,
      { subject_id, predicate },
    ]),
  ).values(),
];

/** The log of a group is ordered by its times, even if the clock was set back. */
export async function nextRecordedAt(
  { tx, actor }: TxCtx,
  groups: readonly FactGroup[],
  now: Date,
): Promise<Date> {
  const last = await lastAssertionTime(tx, actor.accountId, groups);
  return last && last > now ? last : now;
}
