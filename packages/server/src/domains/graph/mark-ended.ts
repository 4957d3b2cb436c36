import type { Tx } from '../../database/index.ts';
import type { TxCtx } from '../ctx.ts';
import type { HookCtx, MemoryChange, MemoryRecord } from '../memories/index.ts';
import {
  type FactsEnd,
  readFactsEnds,
  reindexSuccessors,
  writeFactsEnds,
} from '../search-index/index.ts';
import { toLoggedAssertion } from './fact-versions.ts';
import { onFactsEnded } from './hooks.ts';
import { isSingleValued } from './model.ts';
import {
  combineEnds,
  findStatementEnds,
  type Statement,
  type StatementEnd,
} from './statement-ends.ts';
import { type GroupAssertion, lockAccountGraph } from './store/assertion-log.ts';
import {
  believedAssertionsOf,
  filterUnprotected,
  ownerKeysOf,
  updateAssertionEnds,
} from './store/statement-ends.ts';

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
  options: MarkOptions = {},
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
  const ids = [...new Set(affected)].filter((id) => id !== null);
  await markMemories(inTx, ids, options);
}

interface MarkOptions {
  /** What follows from the ends is known: no hook is called. */
  readonly isSilent?: boolean;
}

/** Makes the documents of these memories agree with what is marked on their assertions. */
export async function markMemories(
  inTx: TxCtx,
  ids: readonly string[],
  { isSilent = false }: MarkOptions = {},
): Promise<void> {
  if (ids.length === 0) return;
  const differing = await findDifferingEnds(inTx, ids);
  if (differing.size > 0 && !isSilent) await onFactsEnded.run(inTx, inTx, [...differing.keys()]);
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
  const { accountId } = actor;
  const stored = await readFactsEnds(tx, accountId, ids);
  const unprotected = await filterUnprotected(tx, accountId, ids);
  const ends = await memoryEnds(tx, accountId, [...unprotected]);
  const derived = [...stored].map(([id, end]) => {
    const own = ends.get(id) ?? null;
    return [id, own, isSameEnd(own, end)] as const;
  });
  return new Map(derived.flatMap(([id, own, isSame]) => (isSame ? [] : [[id, own] as const])));
}

/** Since when all that these memories state has ended, by what is marked; null: it has not. */
async function memoryEnds(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, FactsEnd | null>> {
  const assertions = await believedAssertionsOf(tx, accountId, ids);
  const byMemory = Map.groupBy(assertions, ({ memory_id }) => memory_id);
  return new Map([...byMemory].map(([id, own]) => [id, combineEnds(own.map(markedEnd))]));
}

/**
 * Protection says that a memory holds, whatever others state: its facts count as ended only while
 * it has none. Its document gets its position by another write of the transaction.
 */
export async function markProtected(
  { tx }: HookCtx,
  changes: readonly MemoryChange[],
): Promise<void> {
  const changed = changes.flatMap(({ before, after }) =>
    before && after && isProtected(before) !== isProtected(after) ? [after] : [],
  );
  for (const [accountId, own] of Map.groupBy(changed, (record) => record.account_id)) {
    await lockAccountGraph(tx, accountId);
    const unprotectedIds = own.flatMap((record) => (isProtected(record) ? [] : [record.id]));
    const ends = await memoryEnds(tx, accountId, unprotectedIds);
    await writeFactsEnds(tx, accountId, new Map(own.map(({ id }) => [id, ends.get(id) ?? null])));
  }
}

const isProtected = ({ protection_level: level }: MemoryRecord): boolean => level !== 'none';

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
