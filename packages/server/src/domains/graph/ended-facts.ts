import type { Db } from '../../database/index.ts';
import { readFactsEnds } from '../search-index/index.ts';
import { factObjectKey } from './model.ts';
import { findAssertions, type StatedFact, statedFactsOf } from './store/statement-ends.ts';

/** A fact of a memory that has ended, by what another memory states. */
export interface EndedFact {
  readonly olderId: string;
  readonly newerId: string;
  /** The assertion of the older memory that ended last. */
  readonly factId: string;
  /** The newer memory says that it has ended; else it states the next value. */
  readonly isEndStated: boolean;
  /** Of the less certain of both statements, 0..1. */
  readonly confidence: number;
}

/**
 * Of these memories, those of which no fact holds any more at a moment: for each memory that says
 * so, the fact that ended last. Protected memories have none.
 */
export async function findEndedFacts(
  db: Db,
  accountId: string,
  { memoryIds, now }: { readonly memoryIds: readonly string[]; readonly now: Date },
): Promise<EndedFact[]> {
  const ends = await readFactsEnds(db, accountId, memoryIds);
  const ended = [...ends].flatMap(([olderId, end]) =>
    end && end.at <= now.getTime() ? end.by.map((newerId) => ({ olderId, newerId })) : [],
  );
  const ids = new Set(ended.flatMap(({ olderId, newerId }) => [olderId, newerId]));
  const stated = await statedFactsOf(db, accountId, [...ids]);
  const byMemory = Map.groupBy(stated, ({ memory_id }) => memory_id);
  return ended.flatMap(({ olderId, newerId }) => {
    const facts = (byMemory.get(olderId) ?? []).filter((one) => one.ended_by?.includes(newerId));
    const last = facts.toSorted(compareEnds).at(-1);
    const tellers = (byMemory.get(newerId) ?? []).filter((one) => last && isSameGroup(one, last));
    if (!last || tellers.length === 0) return [];
    const confidence = Math.max(...tellers.map((one) => one.confidence));
    return {
      olderId,
      newerId,
      factId: last.id,
      isEndStated: tellers.some((one) => statesEnd(one, last)),
      confidence: Math.min(last.confidence, confidence),
    };
  });
}

const compareEnds = (a: StatedFact, b: StatedFact): number =>
  (a.ended_at?.getTime() ?? 0) - (b.ended_at?.getTime() ?? 0) || (a.id < b.id ? -1 : 1);

const isSameGroup = (a: StatedFact, b: StatedFact): boolean =>
  a.subject_id === b.subject_id && a.predicate === b.predicate;

const objectOf = ({ object_id, object_value }: StatedFact): string =>
  factObjectKey(object_id, object_value);

const statesEnd = (teller: StatedFact, fact: StatedFact): boolean =>
  teller.valid_to?.getTime() === fact.ended_at?.getTime() && objectOf(teller) === objectOf(fact);

/** What an assertion says; also of one that is retracted. */
export interface AssertedFact {
  readonly id: string;
  readonly statement: string;
  readonly predicate: string;
  /** Null: it has not ended, by what is known now. */
  readonly endedAt: Date | null;
}

/** Assertions by their ids. */
export async function findAssertedFacts(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, AssertedFact>> {
  if (ids.length === 0) return new Map();
  const rows = await findAssertions(db, accountId, ids);
  return new Map(
    rows.map(({ id, statement, predicate, ended_at: endedAt }) => [
      id,
      { id, statement, predicate, endedAt },
    ]),
  );
}
