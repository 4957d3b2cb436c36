import type { ConsistencyCheck, Inconsistency } from '../consistency-check.ts';
import { type Ctx, withTransaction } from '../ctx.ts';
import { type FactVersion, factKey, replayLog } from './fact-versions.ts';
import { type FactRecord, isSingleValued } from './model.ts';
import { rebuildFacts, toFactVersion, toLoggedAssertion } from './rebuild-facts.ts';
import {
  type AssertionRecord,
  assertionsOfGroups,
  type FactGroup,
  lockAccountGraph,
} from './store/assertion-log.ts';
import { existingEntities, groupsAfter, groupsOfSubjects } from './store/checks.ts';
import { factsOfGroups } from './store/facts.ts';

const batchGroups = 200;

/** The facts of each subject and predicate are those that its log gives, now and in the history. */
export const factCheck: ConsistencyCheck = {
  name: 'facts',
  async read({ actor: { accountId } }, tx, after) {
    const groups = await groupsAfter(tx, accountId, parseCursor(after), batchGroups);
    const said = await assertionsOfGroups(tx, accountId, groups, { liveOnly: false });
    const facts = await factsOfGroups(tx, accountId, groups, { all: true });
    const ends = said.flatMap(({ subject_id, object_id }) => [subject_id, object_id ?? subject_id]);
    const there = await existingEntities(tx, accountId, [...new Set(ends)]);
    const last = groups.at(-1);
    return {
      rows: groups.length,
      next: last && groups.length === batchGroups ? JSON.stringify(last) : null,
      compare: () => groups.flatMap((group) => findInconsistencies(group, said, facts, there)),
    };
  },
  repair: repairFacts,
};

const parseCursor = (after: string | null): FactGroup | null =>
  after === null ? null : (JSON.parse(after) as FactGroup);

function findInconsistencies(
  group: FactGroup,
  said: readonly AssertionRecord[],
  facts: readonly FactRecord[],
  there: ReadonlySet<string>,
): Inconsistency[] {
  const isOwn = (one: FactGroup): boolean =>
    one.subject_id === group.subject_id && one.predicate === group.predicate;
  const own = said.filter(isOwn);
  const id = group.subject_id;
  const faults: Inconsistency[] = [];
  const ends = own.flatMap(({ subject_id, object_id }) => [subject_id, object_id ?? subject_id]);
  if (!ends.every((end) => there.has(end))) {
    const message = 'something is said of an entity that there is not';
    faults.push({ code: 'entity_missing', id, message });
  }
  const derived = replayLog(own.map(toLoggedAssertion), isSingleValued(group.predicate));
  const stored = facts.filter(isOwn).map(toFactVersion);
  if (canonicalHistory(stored) !== canonicalHistory(derived)) {
    const message = 'its facts are not those that follow from what is said of it';
    faults.push({ code: 'facts_differ', id, message });
  }
  return faults;
}

/**
 * When what was believed, of which sources and how surely. What was written within one moment
 * leaves versions without a length, or a break of none, which no question can see.
 */
function canonicalHistory(versions: readonly FactVersion[]): string {
  const seen = versions.filter(({ recordedAt, invalidatedAt }) => recordedAt !== invalidatedAt);
  const stretches = [...Map.groupBy(seen, factKey)].flatMap(([fact, own]) =>
    mergeAdjacentVersions(own).map((one) => ({ fact, ...one })),
  );
  return JSON.stringify(
    stretches
      .map(({ fact, recordedAt, invalidatedAt, sources, confidence }) => [
        fact,
        recordedAt,
        invalidatedAt,
        sources,
        // As precisely as it is stored.
        Math.fround(confidence).toFixed(5),
      ])
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  );
}

function mergeAdjacentVersions(own: readonly FactVersion[]): FactVersion[] {
  const stretches: FactVersion[] = [];
  for (const one of own.toSorted((a, b) => a.recordedAt - b.recordedAt)) {
    const last = stretches.at(-1);
    if (last?.invalidatedAt !== one.recordedAt) stretches.push(one);
    else stretches[stretches.length - 1] = { ...one, recordedAt: last.recordedAt };
  }
  return stretches;
}

/** Makes the facts of these subjects anew from the log. */
async function repairFacts(ctx: Ctx, faults: readonly Inconsistency[]): Promise<Set<string>> {
  const differing = faults.filter(({ code }) => code === 'facts_differ');
  const ids = [...new Set(differing.flatMap(({ id }) => id ?? []))];
  await withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    await lockAccountGraph(tx, actor.accountId);
    await rebuildFacts(inTx, await groupsOfSubjects(tx, actor.accountId, ids));
  });
  return new Set(ids);
}
