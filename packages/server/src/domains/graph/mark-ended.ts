import type { TxCtx } from '../ctx.ts';
import { type FactsEnd, readFactsEnds, reindexSuccessors } from '../search-index/index.ts';
import { toLoggedAssertion } from './fact-versions.ts';
import { isSingleValued } from './model.ts';
import {
  combineEnds,
  findStatementEnds,
  type Statement,
  type StatementEnd,
} from './statement-ends.ts';
import type { GroupAssertion } from './store/assertion-log.ts';
import { believedAssertionsOf, ownerKeysOf, updateAssertionEnds } from './store/statement-ends.ts';

/**
 * Marks since when assertions of complete groups have ended, and memories of which all have. Each
 * owner is alone: another's memories end nothing, nor do manual entries without a memory. Writes
 * only what has changed. The caller holds the account's graph lock.
 * @param live all believed assertions of the groups
 * @param memoryIds memories whose assertions were added or removed
 */
export async function markEnded(
  inTx: TxCtx,
  live: readonly GroupAssertion[],
  memoryIds: readonly (string | null)[],
): Promise<void> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const ends = await deriveEnds(inTx, live);
  const changed = live.filter((one) => !isSameEnd(markedEnd(one), ends.get(one.id) ?? null));
  await updateAssertionEnds(
    tx,
    accountId,
    changed.map(({ id }) => {
      const end = ends.get(id);
      return { id, ended_at: end ? new Date(end.at) : null, ended_by: end?.by ?? null };
    }),
  );
  const affected = [...memoryIds, ...changed.map(({ memory_id }) => memory_id)];
  await markMemories(
    inTx,
    [...new Set(affected)].filter((id) => id !== null),
  );
}

/** Makes the documents of these memories agree with what is marked on their assertions. */
async function markMemories(inTx: TxCtx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const differing = await findDifferingEnds(inTx, ids);
  reindexSuccessors(
    inTx,
    [...differing].map(([id, factsEnd]) => ({ id, factsEnd })),
  );
}

/** Of these memories with a document, those of which it says something else; what it should say. */
export async function findDifferingEnds(
  { tx, actor }: Pick<TxCtx, 'tx' | 'actor'>,
  ids: readonly string[],
): Promise<Map<string, FactsEnd | null>> {
  const stored = await readFactsEnds(tx, actor.accountId, ids);
  const assertions = await believedAssertionsOf(tx, actor.accountId, ids);
  const byMemory = Map.groupBy(assertions, ({ memory_id }) => memory_id);
  const derived = [...stored].map(([id, end]) => {
    const own = combineEnds((byMemory.get(id) ?? []).map(markedEnd));
    return [id, own, isSameEnd(own, end)] as const;
  });
  return new Map(derived.flatMap(([id, own, isSame]) => (isSame ? [] : [[id, own] as const])));
}

/** Since when each of these assertions, which are complete groups, has ended. */
export async function deriveEnds(
  { tx, actor }: Pick<TxCtx, 'tx' | 'actor'>,
  live: readonly GroupAssertion[],
): Promise<Map<string, StatementEnd>> {
  const groups = Map.groupBy(
    live.filter(({ memory_id }) => memory_id !== null),
    ({ subject_id, predicate }) => `${subject_id} ${predicate}`,
  );
  const candidates = [...groups.values()].filter(mayHaveEnds);
  const ids = candidates.flatMap((group) => group.map(({ memory_id }) => memory_id ?? ''));
  const owners =
    ids.length === 0 ? new Map() : await ownerKeysOf(tx, actor.accountId, [...new Set(ids)]);
  const ends = new Map<string, StatementEnd>();
  for (const group of candidates) {
    const isSingle = isSingleValued(group[0]?.predicate ?? '');
    const byOwner = Map.groupBy(group, (one) => `${one.space_id} ${owners.get(one.memory_id)}`);
    for (const own of byOwner.values()) {
      for (const [id, end] of findStatementEnds(own.map(toStatement), isSingle)) ends.set(id, end);
    }
  }
  return ends;
}

/** Most groups are about one thing, and need no look at who states it. */
function mayHaveEnds(group: readonly GroupAssertion[]): boolean {
  if (new Set(group.map(({ memory_id }) => memory_id)).size < 2) return false;
  return isSingleValued(group[0]?.predicate ?? '') || group.some((one) => one.valid_to !== null);
}

const toStatement = (record: GroupAssertion): Statement => ({
  ...toLoggedAssertion(record),
  memoryId: record.memory_id ?? '',
});

export const markedEnd = ({
  ended_at,
  ended_by,
}: Pick<GroupAssertion, 'ended_at' | 'ended_by'>): StatementEnd | null =>
  ended_at && { at: ended_at.getTime(), by: ended_by ?? [] };

export const isSameEnd = (a: StatementEnd | null, b: StatementEnd | null): boolean =>
  a?.at === b?.at && String(a?.by) === String(b?.by);
