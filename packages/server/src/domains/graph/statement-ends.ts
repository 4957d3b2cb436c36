import { type Assertion, deriveFacts, hasOnlyEndTime } from './derive-facts.ts';

/** What a memory states. */
export interface Statement extends Assertion {
  readonly memoryId: string;
}

/** Since when a statement has ended, or all of a memory, and the memories that say so. */
export interface StatementEnd {
  /** Epoch milliseconds. */
  readonly at: number;
  /** In the order of their creation. */
  readonly by: readonly string[];
}

/**
 * Of more memories that say that a statement has ended, the oldest count: a further one changes
 * nothing then, where otherwise all statements would have to be marked again.
 */
const sourcesMax = 10;

/**
 * Which of the statements of one owner about one subject and predicate have ended, by id. A
 * statement ends with its fact, if another memory says so: one that states the next value and not
 * the former one, too, or one that states the end. It has not ended if it tells an end itself, or
 * if its fact had ended when it was made: then it is about the past on purpose.
 */
export function findStatementEnds(
  statements: readonly Statement[],
  singleValued: boolean,
): Map<string, StatementEnd> {
  const ends = new Map<string, StatementEnd>();
  const byId = new Map(statements.map((one) => [one.id, one]));
  const facts = deriveFacts(statements, singleValued);
  const byStart = Map.groupBy(facts, ({ validFrom }) => validFrom);
  const repeaters = findRepeaters(statements);
  const sourcesOf = (ids: readonly string[]): Statement[] =>
    ids.flatMap((id) => byId.get(id) ?? []);
  for (const { object, sources, validFrom, validTo } of facts) {
    // One that starts when it ends never held: several values are given the same start.
    if (validTo === null || validFrom === validTo) continue;
    const stated = sourcesOf(sources);
    const next = singleValued ? (byStart.get(validTo) ?? []) : [];
    const tellers = [
      ...stated.filter((one) => one.validTo === validTo),
      ...next
        .flatMap((fact) => sourcesOf(fact.sources))
        .filter((one) => !hasOnlyEndTime(one) && !repeaters.get(object)?.has(one.memoryId)),
    ];
    const oldest = oldestOf(
      tellers.map((one) => one.memoryId),
      sourcesMax + 1,
    );
    for (const { id, memoryId, observedAt, validTo: ownEnd } of stated) {
      if (ownEnd !== null || validTo <= observedAt) continue;
      const by = oldest.filter((one) => one !== memoryId).slice(0, sourcesMax);
      if (by.length > 0) ends.set(id, { at: validTo, by });
    }
  }
  return ends;
}

/** By object the memories that state it without an end. */
function findRepeaters(statements: readonly Statement[]): Map<string, Set<string>> {
  const repeaters = new Map<string, Set<string>>();
  for (const { object, memoryId, validTo } of statements) {
    if (validTo !== null) continue;
    const own = repeaters.get(object) ?? new Set();
    repeaters.set(object, own.add(memoryId));
  }
  return repeaters;
}

/** Ids are in the order of their creation. */
const oldestOf = (ids: readonly string[], max: number): string[] =>
  [...new Set(ids)].sort().slice(0, max);

/**
 * Since when none of the statements of a memory holds: null if it makes none, or one has not ended.
 * @param ends of each statement; null: it has not ended
 */
export function combineEnds(ends: readonly (StatementEnd | null)[]): StatementEnd | null {
  let last: StatementEnd | null = null;
  for (const one of ends) {
    if (one === null) return null;
    if (last === null || one.at > last.at) last = one;
    else if (one.at === last.at) {
      last = { at: one.at, by: oldestOf([...last.by, ...one.by], sourcesMax) };
    }
  }
  return last;
}
