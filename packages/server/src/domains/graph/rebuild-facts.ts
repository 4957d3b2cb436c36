import type { TxCtx } from '../ctx.ts';
import type { DerivedFact } from './derive-facts.ts';
import { deriveFacts } from './derive-facts.ts';
import {
  type FactVersion,
  factKey,
  replayAssertionLog,
  toLoggedAssertion,
} from './fact-versions.ts';
import { markEnded } from './mark-ended.ts';
import { type FactRecord, factObjectKey, isSingleValued, parseFactObjectKey } from './model.ts';
import { type AssertionRecord, assertionsOfGroups, type FactGroup } from './store/assertion-log.ts';
import { deleteFacts, factsOfGroups, upsertFacts } from './store/facts.ts';

const groupKey = ({ subject_id, predicate }: FactGroup): string => `${subject_id} ${predicate}`;

const toDerivedFact = (fact: FactRecord): DerivedFact => ({
  object: factObjectKey(fact.object_id, fact.object_value),
  validFrom: fact.valid_from?.getTime() ?? null,
  validTo: fact.valid_to?.getTime() ?? null,
  confidence: fact.confidence,
  sources: fact.sources,
});

/** The row of a derived fact; its text is that of its most confident source. */
function toFactRow(
  inTx: TxCtx,
  group: FactGroup,
  derived: DerivedFact,
  assertionsById: ReadonlyMap<string, AssertionRecord>,
): Omit<FactRecord, 'recorded_at' | 'invalidated_at'> {
  const sourceAssertions = derived.sources.flatMap((id) => assertionsById.get(id) ?? []);
  const mostConfident = sourceAssertions.toSorted((a, b) => b.confidence - a.confidence)[0];
  if (!mostConfident) throw new Error('a derived fact has no source');
  const { id, value } = parseFactObjectKey(derived.object);
  return {
    account_id: inTx.actor.accountId,
    id: inTx.ids.uuid(),
    space_id: mostConfident.space_id,
    ...group,
    object_id: id,
    object_value: value,
    statement: mostConfident.statement,
    confidence: derived.confidence,
    valid_from: derived.validFrom === null ? null : new Date(derived.validFrom),
    valid_to: derived.validTo === null ? null : new Date(derived.validTo),
    sources: derived.sources,
  };
}

/**
 * Writes the facts that hold from `now` on, after assertions of these groups were added or removed.
 * @param memoryIds the memories of those assertions
 */
export async function updateFacts(
  inTx: TxCtx,
  groups: readonly FactGroup[],
  now: Date,
  memoryIds: readonly (string | null)[],
): Promise<void> {
  if (groups.length === 0) return;
  const { tx, actor } = inTx;
  const live = await assertionsOfGroups(tx, actor.accountId, groups, { liveOnly: true });
  const facts = await factsOfGroups(tx, actor.accountId, groups, { all: false });
  const assertionsById = new Map(live.map((record) => [record.id, record]));
  const liveOf = Map.groupBy(live, groupKey);
  const factsOf = Map.groupBy(facts, groupKey);
  const rows = groups.flatMap((group) => {
    const currentFacts = new Map(
      (factsOf.get(groupKey(group)) ?? []).map((fact) => [factKey(toDerivedFact(fact)), fact]),
    );
    const assertions = (liveOf.get(groupKey(group)) ?? []).map(toLoggedAssertion);
    const derivedFacts = deriveFacts(assertions, isSingleValued(group.predicate));
    const upserts = derivedFacts.flatMap((derived): FactRecord[] => {
      const same = currentFacts.get(factKey(derived));
      // Its sources are unchanged: of a thousand facts of a group, few change.
      if (same && String(same.sources) === String(derived.sources)) return [];
      const row = toFactRow(inTx, group, derived, assertionsById);
      return same
        ? [{ ...row, id: same.id, recorded_at: same.recorded_at, invalidated_at: null }]
        : [{ ...row, recorded_at: now, invalidated_at: null }];
    });
    const keptIds = new Set(derivedFacts.map(factKey));
    const invalidated = [...currentFacts]
      .filter(([key]) => !keptIds.has(key))
      .map(([, fact]): FactRecord => ({ ...fact, invalidated_at: now }));
    return [...invalidated, ...upserts];
  });
  await upsertFacts(tx, actor.accountId, rows);
  await markEnded(inTx, live, memoryIds);
}

/** Rebuilds the history of these groups, after assertions were erased from their log. */
export async function rebuildFacts(inTx: TxCtx, groups: readonly FactGroup[]): Promise<void> {
  if (groups.length === 0) return;
  const { tx, actor } = inTx;
  const records = await assertionsOfGroups(tx, actor.accountId, groups, { liveOnly: false });
  const facts = await factsOfGroups(tx, actor.accountId, groups, { all: true });
  const assertionsById = new Map(records.map((record) => [record.id, record]));
  const logOf = Map.groupBy(records, groupKey);
  const factsOf = Map.groupBy(facts, groupKey);
  const upserts = groups.flatMap((group) => {
    const idsByVersion = new Map(
      (factsOf.get(groupKey(group)) ?? []).map((fact) => [
        versionKey(toFactVersion(fact)),
        fact.id,
      ]),
    );
    const versions = replayAssertionLog(
      (logOf.get(groupKey(group)) ?? []).map(toLoggedAssertion),
      isSingleValued(group.predicate),
    );
    return versions.map((version): FactRecord => {
      const row = toFactRow(inTx, group, version, assertionsById);
      return {
        ...row,
        id: idsByVersion.get(versionKey(version)) ?? row.id,
        recorded_at: new Date(version.recordedAt),
        invalidated_at: version.invalidatedAt === null ? null : new Date(version.invalidatedAt),
      };
    });
  });
  const keptIds = new Set(upserts.map(({ id }) => id));
  await deleteFacts(
    tx,
    actor.accountId,
    facts.map(({ id }) => id).filter((id) => !keptIds.has(id)),
  );
  await upsertFacts(tx, actor.accountId, upserts);
  const live = records.filter(({ retracted_at }) => retracted_at === null);
  await markEnded(inTx, live, []);
}

export const toFactVersion = (fact: FactRecord): FactVersion => ({
  ...toDerivedFact(fact),
  recordedAt: fact.recorded_at.getTime(),
  invalidatedAt: fact.invalidated_at?.getTime() ?? null,
});

const versionKey = (version: DerivedFact & { readonly recordedAt: number }): string =>
  `${factKey(version)} ${version.recordedAt}`;
