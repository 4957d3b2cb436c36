import type { ConsistencyCheck, Inconsistency } from '../consistency-check.ts';
import { type Ctx, withTransaction } from '../ctx.ts';
import { findUsersWithMemories } from '../memories/index.ts';
import { liveDocumentIds, readFactsEnds } from '../search-index/index.ts';
import {
  type FactVersion,
  factKey,
  replayAssertionLog,
  toLoggedAssertion,
} from './fact-versions.ts';
import { forgetSpeakers } from './forget-speakers.ts';
import {
  deriveEnds,
  findDifferingEnds,
  isSameEnd,
  markEnded,
  markedEnd,
  markMemories,
} from './mark-ended.ts';
import { type FactRecord, isSingleValued } from './model.ts';
import { pruneEntities } from './prune-entities.ts';
import { rebuildFacts, toFactVersion } from './rebuild-facts.ts';
import type { StatementEnd } from './statement-ends.ts';
import {
  type AssertionRecord,
  assertionsOfGroups,
  type FactGroup,
  type GroupAssertion,
  lockAccountGraph,
} from './store/assertion-log.ts';
import { existingEntities, factGroupsAfter, factGroupsOfSubjects } from './store/checks.ts';
import { factsOfGroups } from './store/facts.ts';
import { keptByHand, userSpeakersAfter, usersOfSpeakers } from './store/speakers.ts';
import { believedAssertionsOf } from './store/statement-ends.ts';

const batchGroups = 200;

/**
 * The facts of each subject and predicate equal those derived from its log, now and in the history.
 */
export const factCheck: ConsistencyCheck = {
  name: 'facts',
  async read({ actor }, tx, after) {
    const { accountId } = actor;
    const groups = await factGroupsAfter(tx, accountId, parseCursor(after), batchGroups);
    const assertions = await assertionsOfGroups(tx, accountId, groups, { liveOnly: false });
    const facts = await factsOfGroups(tx, accountId, groups, { all: true });
    const entityIds = assertions.flatMap(({ subject_id, object_id }) => [
      subject_id,
      object_id ?? subject_id,
    ]);
    const existingIds = await existingEntities(tx, accountId, [...new Set(entityIds)]);
    const live = assertions.filter(({ retracted_at }) => retracted_at === null);
    const ends = await deriveEnds({ tx, actor }, live);
    const memoryIds = [...new Set(live.flatMap(({ memory_id }) => memory_id ?? []))];
    const differing = await findDifferingEnds({ tx, actor }, memoryIds);
    const last = groups.at(-1);
    return {
      rows: groups.length,
      next: last && groups.length === batchGroups ? JSON.stringify(last) : null,
      compare: () => [
        ...groups.flatMap((group) => findInconsistencies(group, assertions, facts, existingIds)),
        ...findDifferingMarks(live, ends, differing),
      ],
    };
  },
  repair: repairFacts,
};

const batchDocuments = 1_000;

/** No document says that facts have ended of a memory that states none; others `facts` compares. */
export const endedFactsCheck: ConsistencyCheck = {
  name: 'ended_facts',
  async read({ actor: { accountId } }, tx, after) {
    const ids = await liveDocumentIds(tx, accountId, 'memory', after, batchDocuments);
    const ends = await readFactsEnds(tx, accountId, ids);
    const marked = ids.filter((id) => (ends.get(id) ?? null) !== null);
    const stated = await believedAssertionsOf(tx, accountId, marked);
    const stating = new Set(stated.map(({ memory_id }) => memory_id));
    const message = 'the document says that facts have ended, and its memory states none';
    return {
      rows: ids.length,
      next: ids.length < batchDocuments ? null : (ids.at(-1) ?? null),
      compare: () =>
        marked.filter((id) => !stating.has(id)).map((id) => ({ code: 'ends_differ', id, message })),
    };
  },
  async repair(ctx, inconsistencies) {
    const ids = inconsistencies.flatMap(({ id }) => id ?? []);
    await withTransaction(ctx, async (inTx) => {
      await lockAccountGraph(inTx.tx, inTx.actor.accountId);
      await markMemories(inTx, ids);
    });
    return new Set(ids);
  },
};

const userSpeakers = 1_000;

/** The key of a user goes with the user's last memory, except where there are entries by hand. */
export const speakerCheck: ConsistencyCheck = {
  name: 'speakers',
  async read({ actor: { accountId } }, tx, after) {
    const speakers = await userSpeakersAfter(tx, accountId, after, userSpeakers);
    const users = speakers.map(({ user_id: id }) => id);
    const present = await findUsersWithMemories(tx, accountId, users);
    const absent = speakers.filter(({ user_id }) => !present.has(user_id)).map(({ id }) => id);
    const kept = await keptByHand(tx, accountId, absent);
    const message = 'the entity is that of a user who has no memories';
    return {
      rows: speakers.length,
      next: speakers.length < userSpeakers ? null : (speakers.at(-1)?.id ?? null),
      compare: () =>
        absent
          .filter((id) => !kept.has(id))
          .map((id) => ({ code: 'speaker_without_memories', id, message })),
    };
  },
  async repair(ctx, inconsistencies) {
    const ids = inconsistencies.flatMap(({ id }) => id ?? []);
    await withTransaction(ctx, async (inTx) => {
      const { tx, actor } = inTx;
      await lockAccountGraph(tx, actor.accountId);
      const users = await usersOfSpeakers(tx, actor.accountId, ids);
      const present = await findUsersWithMemories(tx, actor.accountId, users);
      await pruneEntities(inTx, ids);
      await forgetSpeakers(
        inTx,
        users.filter((user) => !present.has(user)),
      );
    });
    return new Set(ids);
  },
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

/** Subjects of assertions that are not marked as they should be, or of memories that are not. */
function findDifferingMarks(
  live: readonly GroupAssertion[],
  ends: ReadonlyMap<string, StatementEnd>,
  differing: ReadonlyMap<string, unknown>,
): Inconsistency[] {
  const found = live.filter(
    (one) =>
      !isSameEnd(markedEnd(one), ends.get(one.id) ?? null) || differing.has(one.memory_id ?? ''),
  );
  const isUnmarked = ({ ended_at, memory_id }: GroupAssertion): boolean =>
    ended_at === null && differing.get(memory_id ?? '') !== null;
  const message = 'since when its statements have ended is not marked as it should be';
  return [...Map.groupBy(found, ({ subject_id }) => subject_id)].map(([id, own]) => ({
    code: 'ends_differ',
    id,
    message,
    // From before there were marks: neither has one.
    ...(own.every(isUnmarked) && { isOutdated: true }),
  }));
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

const repairableCodes: ReadonlySet<string> = new Set(['facts_differ', 'ends_differ']);

/** Rebuilds the facts of these subjects from the log. */
async function repairFacts(
  ctx: Ctx,
  inconsistencies: readonly Inconsistency[],
): Promise<Set<string>> {
  const differing = inconsistencies.filter(({ code }) => repairableCodes.has(code));
  const ids = [...new Set(differing.flatMap(({ id }) => id ?? []))];
  await withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    await lockAccountGraph(tx, actor.accountId);
    const groups = await factGroupsOfSubjects(tx, actor.accountId, ids);
    await rebuildFacts(inTx, groups);
    const live = await assertionsOfGroups(tx, actor.accountId, groups, { liveOnly: true });
    await markEnded(
      inTx,
      live,
      live.map(({ memory_id }) => memory_id),
    );
  });
  return new Set(ids);
}
