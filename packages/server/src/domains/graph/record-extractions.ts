import { parseTimestamp } from '@mneme/contract';
import type { Extraction } from '../../providers/language/index.ts';
import type { TxCtx } from '../ctx.ts';
import { objectKey } from './model.ts';
import { pruneEntities } from './prune-entities.ts';
import { updateFacts } from './rebuild-facts.ts';
import { type NamedEntity, resolveNames } from './resolve.ts';
import {
  type AssertionRecord,
  assertionsOf,
  type FactGroup,
  insertAssertions,
  lastLogTime,
  retractAssertions,
} from './store/assertion-log.ts';
import { type Mention, replaceMentions } from './store/entities.ts';

/** What a memory says, as it is now. Null: it is softly deleted or gone, and says nothing. */
export interface MemoryExtraction {
  readonly memoryId: string;
  readonly spaceId: string | null;
  /** When what it tells happened. */
  readonly observedAt: Date;
  readonly extraction: Extraction | null;
}

/** The entities that a memory speaks of. */
export interface RecordedMentions {
  readonly memoryId: string;
  readonly spaceId: string | null;
  readonly entityIds: readonly string[];
  /** By entity, 0..1. */
  readonly confidences: ReadonlyMap<string, number>;
}

type AssertionDraft = Omit<AssertionRecord, 'id' | 'recorded_at' | 'retracted_at' | 'retracted_by'>;

/**
 * Makes the log agree with what these memories say now. To be called by who holds the account's
 * knowledge. What a memory says no longer is retracted, what it newly says is recorded, and what
 * was taken back by hand is not asserted again.
 */
export async function recordExtractions(
  inTx: TxCtx,
  readings: readonly MemoryExtraction[],
): Promise<RecordedMentions[]> {
  const { tx, actor, clock } = inTx;
  const { accountId } = actor;
  const clockNow = clock.now();
  const named = readings.flatMap((reading) =>
    (reading.extraction?.entities ?? []).map(
      ({ name, type, mentions }): NamedEntity => ({
        spaceId: reading.spaceId,
        type,
        name,
        variants: mentions,
      }),
    ),
  );
  const entityIds = await resolveNames(inTx, named, clockNow);
  let at = 0;
  const resolved = readings.map((reading) => {
    const count = reading.extraction?.entities.length ?? 0;
    at += count;
    return { reading, ids: entityIds.slice(at - count, at) };
  });
  const memoryIds = readings.map(({ memoryId }) => memoryId);
  // What is softly deleted may return: it keeps its mentions, which nobody sees meanwhile.
  const speaking = readings.flatMap((one) => (one.extraction === null ? [] : [one.memoryId]));
  const mentions = resolved.flatMap((one) => toMentions(one, clockNow));
  const spokenBefore = await replaceMentions(tx, accountId, speaking, mentions);
  const before = await assertionsOf(tx, accountId, memoryIds);
  const drafts = [
    ...resolved.flatMap(toAssertionDrafts),
    ...manualAssertions(before, new Set(speaking)),
  ];
  const { retracted, added } = diffAssertions(before, drafts);
  const groups = uniqueGroups([...retracted, ...added]);
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
  await updateFacts(inTx, groups, now);
  await pruneEntities(inTx, spokenBefore);
  return resolved.map(({ reading, ids }) => ({
    memoryId: reading.memoryId,
    spaceId: reading.spaceId,
    entityIds: [...new Set(ids)],
    confidences: confidencesOf({ reading, ids }),
  }));
}

interface ResolvedExtraction {
  readonly reading: MemoryExtraction;
  /** Of the extraction's entities, in their order. */
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
  const said = reading.extraction?.entities ?? [];
  const namesOf = (id: string): string[] =>
    said.flatMap(({ name, mentions }, i) => (ids[i] === id ? [name, ...mentions] : []));
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
      object_id: ids[fact.object] ?? '',
      object_value: null,
      statement: fact.statement,
      confidence: fact.confidence,
      valid_from: fact.validFrom === undefined ? null : parsePeriodStart(fact.validFrom),
      valid_to: fact.validTo === undefined ? null : parsePeriodEnd(fact.validTo),
      observed_at: reading.observedAt,
      memory_id: reading.memoryId,
      by_hand: false,
    }),
  );
  const said = drafts.filter((draft) => draft.subject_id !== draft.object_id);
  return [...new Map(said.map((draft) => [assertionKey(draft), draft])).values()];
}

/** The first moment of a day, month or year (ISO 8601), in UTC; null: of no time that we know. */
function parsePeriodStart(value: string): Date | null {
  return toStorableTimestamp(new Date(value.split('/')[0] ?? value));
}

/** The first moment after it. */
function parsePeriodEnd(value: string): Date | null {
  const last = value.split('/').at(-1) ?? value;
  const [year = 0, month, day] = last.split('-').map(Number);
  if (month === undefined) return toStorableTimestamp(new Date(Date.UTC(year + 1, 0, 1)));
  if (day === undefined) return toStorableTimestamp(new Date(Date.UTC(year, month, 1)));
  return toStorableTimestamp(new Date(Date.UTC(year, month - 1, day + 1)));
}

/** "9999-12-31" ends after all timestamps, and so never. */
const toStorableTimestamp = (at: Date): Date | null => parseTimestamp(at.toISOString());

const assertionKey = (one: Omit<AssertionDraft, 'statement' | 'confidence'>): string =>
  JSON.stringify([
    one.memory_id,
    one.by_hand,
    one.space_id,
    one.subject_id,
    one.predicate,
    objectKey(one.object_id, one.object_value),
    one.valid_from?.getTime() ?? null,
    one.valid_to?.getTime() ?? null,
    one.observed_at.getTime(),
  ]);

/**
 * What was said by hand of memories that speak: whatever their texts say, it stands; and it is said
 * again with a memory that was softly deleted meanwhile.
 */
function manualAssertions(
  before: readonly AssertionRecord[],
  speaking: ReadonlySet<string>,
): AssertionDraft[] {
  const byHand = before.filter((one) => one.by_hand && speaking.has(one.memory_id ?? ''));
  const last = new Map(byHand.map((one) => [assertionKey(one), one]));
  return [...last.values()].filter(
    ({ retracted_by: by, subject_id, object_id }) =>
      (by === null || by === 'text') && subject_id !== object_id,
  );
}

function diffAssertions(
  before: readonly AssertionRecord[],
  drafts: readonly AssertionDraft[],
): { retracted: AssertionRecord[]; added: AssertionDraft[] } {
  const live = before.filter(({ retracted_at }) => retracted_at === null);
  const settled = new Set(
    before
      .filter((one) => one.retracted_at === null || (one.retracted_by === 'hand' && !one.by_hand))
      .map(assertionKey),
  );
  const now = new Set(drafts.map(assertionKey));
  return {
    retracted: live.filter((one) => !now.has(assertionKey(one))),
    added: drafts.filter((draft) => !settled.has(assertionKey(draft))),
  };
}

export const uniqueGroups = (list: readonly FactGroup[]): FactGroup[] => [
  ...new Map(
    list.map(({ subject_id, predicate }) => [
      `${subject_id} ${predicate}`,
      { subject_id, predicate },
    ]),
  ).values(),
];

/** The log of a group is in the order of its times, also where the clock was put back. */
export async function nextRecordedAt(
  { tx, actor }: TxCtx,
  groups: readonly FactGroup[],
  now: Date,
): Promise<Date> {
  const last = await lastLogTime(tx, actor.accountId, groups);
  return last && last > now ? last : now;
}
