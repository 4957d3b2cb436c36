import type { ConsistencyCheck, Inconsistency } from '../consistency-check.ts';
import { type Ctx, withTransaction } from '../ctx.ts';
import {
  type FactVersion,
  factKey,
  replayAssertionLog,
  toLoggedAssertion,
} from './fact-versions.ts';
import { type FactRecord, isSingleValued } from './model.ts';
import { rebuildFacts, toFactVersion } from './rebuild-facts.ts';
import {
  type AssertionRecord,
  assertionsOfGroups,
  type FactGroup,
  lockAccountGraph,
} from './store/assertion-log.ts';
import { existingEntities, factGroupsAfter, factGroupsOfSubjects } from './store/checks.ts';
import { factsOfGroups } from './store/facts.ts';

const batchGroups = 200;

/**
 * The facts of each subject and predicate equal those derived from its log, now and in the history.
 */
export const factCheck: ConsistencyCheck = {
  name: 'facts',
  async read({ actor: { accountId } }, tx, after) {
    const groups = await factGroupsAfter(tx, accountId, parseCursor(after), batchGroups);
    const assertions = await assertionsOfGroups(tx, accountId, groups, { liveOnly: false });
    const facts = await factsOfGroups(tx, accountId, groups, { all: true });
    const entityIds = assertions.flatMap(({ subject_id, object_id }) => [
      subject_id,
      object_id ?? subject_id,
    ]);
    const existingIds = await existingEntities(tx, accountId, [...new Set(entityIds)]);
    const last = groups.at(-1);
    return {
      rows: groups.length,
      next: last && groups.length === batchGroups ? JSON.stringify(last) : null,
      compare: () =>
        groups.flatMap((group) => findInconsistencies(group, assertions, facts, existingIds)),
    };
  },
  repair: repairFacts,
};

const parseCursor = (after: string | null): FactGroup | null =>
  after === null ? null : (JSON.parse(after) as FactGroup);

function findInconsistencies(
  group: FactGroup,
  assertions: readonly AssertionRecord[],
  facts: readonly FactRecord[],
  existingIds: ReadonlySet<string>,
): Inconsistency[] {
  const isOwn = (one: FactGroup): boolean =>
    one.subject_id === group.subject_id && one.predicate === group.predicate;
  const ownAssertions = assertions.filter(isOwn);
  const id = group.subject_id;
  const inconsistencies: Inconsistency[] = [];
  const entityIds = ownAssertions.flatMap(({ subject_id, object_id }) => [
    subject_id,
    object_id ?? subject_id,
  ]);
  if (!entityIds.every((entityId) => existingIds.has(entityId))) {
    const message = 'an assertion refers to an entity that does not exist';
    inconsistencies.push({ code: 'entity_missing', id, message });
  }
  const derived = replayAssertionLog(
    ownAssertions.map(toLoggedAssertion),
    isSingleValued(group.predicate),
  );
  const stored = facts.filter(isOwn).map(toFactVersion);
  if (canonicalHistory(stored) !== canonicalHistory(derived)) {
    const message = 'its facts differ from those derived from its assertions';
    inconsistencies.push({ code: 'facts_differ', id, message });
  }
  return inconsistencies;
}

/**
 * When each fact was believed, with its sources and confidence. Writes within one moment leave
 * versions or gaps of zero length, which no query can observe.
 */
function canonicalHistory(versions: readonly FactVersion[]): string {
  const seen = versions.filter(({ recordedAt, invalidatedAt }) => recordedAt !== invalidatedAt);
  const ranges = [...Map.groupBy(seen, factKey)].flatMap(([fact, ownVersions]) =>
    mergeAdjacentVersions(ownVersions).map((one) => ({ fact, ...one })),
  );
  return JSON.stringify(
    ranges
      .map(({ fact, recordedAt, invalidatedAt, sources, confidence }) => [
        fact,
        recordedAt,
        invalidatedAt,
        sources,
        // In the precision of the column.
        Math.fround(confidence).toFixed(5),
      ])
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  );
}

function mergeAdjacentVersions(ownVersions: readonly FactVersion[]): FactVersion[] {
  const ranges: FactVersion[] = [];
  for (const one of ownVersions.toSorted((a, b) => a.recordedAt - b.recordedAt)) {
    const last = ranges.at(-1);
    if (last?.invalidatedAt !== one.recordedAt) ranges.push(one);
    else ranges[ranges.length - 1] = { ...one, recordedAt: last.recordedAt };
  }
  return ranges;
}

/** Rebuilds the facts of these subjects from the log. */
async function repairFacts(
  ctx: Ctx,
  inconsistencies: readonly Inconsistency[],
): Promise<Set<string>> {
  const differing = inconsistencies.filter(({ code }) => code === 'facts_differ');
  const ids = [...new Set(differing.flatMap(({ id }) => id ?? []))];
  await withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    await lockAccountGraph(tx, actor.accountId);
    await rebuildFacts(inTx, await factGroupsOfSubjects(tx, actor.accountId, ids));
  });
  return new Set(ids);
}
