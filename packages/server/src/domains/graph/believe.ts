import type { TxCtx } from '../ctx.ts';
import type { Derived } from './derive.ts';
import { derive } from './derive.ts';
import { type FactRecord, isSingleValued, objectKey, parseObjectKey } from './model.ts';
import { deleteFacts, factsOfGroups, putFacts } from './store/facts.ts';
import { type AssertionRecord, type Group, readGroups } from './store/log.ts';
import { type LoggedAssertion, replay, sameness, type Version } from './versions.ts';

const groupKey = ({ subject_id, predicate }: Group): string => `${subject_id} ${predicate}`;

export const logged = (record: AssertionRecord): LoggedAssertion => ({
  id: record.id,
  object: objectKey(record.object_id, record.object_value),
  confidence: record.confidence,
  validFrom: record.valid_from?.getTime() ?? null,
  validTo: record.valid_to?.getTime() ?? null,
  observedAt: record.observed_at.getTime(),
  recordedAt: record.recorded_at.getTime(),
  retractedAt: record.retracted_at?.getTime() ?? null,
});

const asDerived = (fact: FactRecord): Derived => ({
  object: objectKey(fact.object_id, fact.object_value),
  validFrom: fact.valid_from?.getTime() ?? null,
  validTo: fact.valid_to?.getTime() ?? null,
  confidence: fact.confidence,
  sources: fact.sources,
});

/** What `derive` found, as a row; its words are those of its surest source. */
function rowOf(
  inTx: TxCtx,
  group: Group,
  derived: Derived,
  log: ReadonlyMap<string, AssertionRecord>,
): Omit<FactRecord, 'recorded_at' | 'invalidated_at'> {
  const said = derived.sources.flatMap((id) => log.get(id) ?? []);
  const surest = said.toSorted((a, b) => b.confidence - a.confidence)[0];
  if (!surest) throw new Error('a fact without a source');
  const { id, value } = parseObjectKey(derived.object);
  return {
    account_id: inTx.actor.accountId,
    id: inTx.ids.uuid(),
    space_id: surest.space_id,
    ...group,
    object_id: id,
    object_value: value,
    statement: surest.statement,
    confidence: derived.confidence,
    valid_from: derived.validFrom === null ? null : new Date(derived.validFrom),
    valid_to: derived.validTo === null ? null : new Date(derived.validTo),
    sources: derived.sources,
  };
}

/** Writes what is believed from `now` on, after assertions of these groups came or went. */
export async function believe(inTx: TxCtx, groups: readonly Group[], now: Date): Promise<void> {
  if (groups.length === 0) return;
  const { tx, actor } = inTx;
  const live = await readGroups(tx, actor.accountId, groups, { liveOnly: true });
  const facts = await factsOfGroups(tx, actor.accountId, groups, { all: false });
  const log = new Map(live.map((record) => [record.id, record]));
  const liveOf = Map.groupBy(live, groupKey);
  const factsOf = Map.groupBy(facts, groupKey);
  const written = groups.flatMap((group) => {
    const believed = new Map(
      (factsOf.get(groupKey(group)) ?? []).map((fact) => [sameness(asDerived(fact)), fact]),
    );
    const assertions = (liveOf.get(groupKey(group)) ?? []).map(logged);
    const found = derive(assertions, isSingleValued(group.predicate));
    const kept = found.flatMap((derived): FactRecord[] => {
      const same = believed.get(sameness(derived));
      // Nothing came to it or went: of a thousand facts of a group, few change.
      if (same && String(same.sources) === String(derived.sources)) return [];
      const row = rowOf(inTx, group, derived, log);
      return same
        ? [{ ...row, id: same.id, recorded_at: same.recorded_at, invalidated_at: null }]
        : [{ ...row, recorded_at: now, invalidated_at: null }];
    });
    const stays = new Set(found.map(sameness));
    const over = [...believed]
      .filter(([key]) => !stays.has(key))
      .map(([, fact]): FactRecord => ({ ...fact, invalidated_at: now }));
    return [...over, ...kept];
  });
  await putFacts(tx, written);
}

/** Makes the history of these groups again, after something was erased from their log. */
export async function believeAnew(inTx: TxCtx, groups: readonly Group[]): Promise<void> {
  if (groups.length === 0) return;
  const { tx, actor } = inTx;
  const records = await readGroups(tx, actor.accountId, groups, { liveOnly: false });
  const facts = await factsOfGroups(tx, actor.accountId, groups, { all: true });
  const log = new Map(records.map((record) => [record.id, record]));
  const logOf = Map.groupBy(records, groupKey);
  const factsOf = Map.groupBy(facts, groupKey);
  const kept = groups.flatMap((group) => {
    const former = new Map(
      (factsOf.get(groupKey(group)) ?? []).map((fact) => [versionKey(asVersion(fact)), fact.id]),
    );
    const versions = replay(
      (logOf.get(groupKey(group)) ?? []).map(logged),
      isSingleValued(group.predicate),
    );
    return versions.map((version): FactRecord => {
      const row = rowOf(inTx, group, version, log);
      return {
        ...row,
        id: former.get(versionKey(version)) ?? row.id,
        recorded_at: new Date(version.recordedAt),
        invalidated_at: version.invalidatedAt === null ? null : new Date(version.invalidatedAt),
      };
    });
  });
  const stays = new Set(kept.map(({ id }) => id));
  await deleteFacts(
    tx,
    actor.accountId,
    facts.map(({ id }) => id).filter((id) => !stays.has(id)),
  );
  await putFacts(tx, kept);
}

export const asVersion = (fact: FactRecord): Version => ({
  ...asDerived(fact),
  recordedAt: fact.recorded_at.getTime(),
  invalidatedAt: fact.invalidated_at?.getTime() ?? null,
});

const versionKey = (version: Derived & { readonly recordedAt: number }): string =>
  `${sameness(version)} ${version.recordedAt}`;
