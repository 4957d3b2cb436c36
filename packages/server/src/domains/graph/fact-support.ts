import { entityTypes } from '@mneme/contract';
import { type Ctx, visibilityOf } from '../ctx.ts';
import { type DerivedFact, deriveFacts, hasOnlyEndTime } from './derive-facts.ts';
import { toLoggedAssertion } from './fact-versions.ts';
import { isSingleValued, nameKey } from './model.ts';
import { speakerKeyOf } from './speakers.ts';
import { findSubjectAssertions, type SubjectAssertion } from './store/fact-support.ts';

/** A question for the facts of a subject. */
export interface FactQuestion {
  /** A name; null: whoever asks. */
  readonly subject: string | null;
  readonly predicates: readonly string[];
}

/** Where a question is asked. */
export interface FactScope {
  /** The searched spaces; null: all that are visible. */
  readonly spaces: readonly (string | null)[] | null;
  /** Whose memories alone are searched; null: those of everybody. */
  readonly user: string | null;
}

/** When facts count that held at some moment of a time range: epoch milliseconds, half-open. */
export interface FactTime {
  readonly from: number;
  readonly to: number;
  /** What held then, what had ended by then, or what held then or earlier. */
  readonly wanted: 'held' | 'ended' | 'held_or_ended';
}

/** A memory behind a fact that does not hold: its share of the confidence, below 0. */
const loweredShare = -0.5;

/**
 * How visible memories support what a question asks for, by id: the confidence of a fact that
 * holds, or else a negative share of it. Facts are derived again from what the caller may see, and
 * for each user separately, so that no other memory has an influence.
 */
export async function findFactSupport(
  ctx: Ctx,
  { subject, predicates }: FactQuestion,
  { spaces, user }: FactScope,
  time: FactTime,
): Promise<Map<string, number>> {
  const { actor, engine, clock } = ctx;
  const keys = subject === null ? [] : keysOf(subject);
  const rows = await findSubjectAssertions(engine.db, actor.accountId, {
    keys,
    speaker: subject === null ? speakerKeyOf(actor.user ?? user) : null,
    predicates,
    spaces,
    visible: { ...visibilityOf(actor), user: actor.user ?? user },
    includesManual: actor.user === null,
    now: clock.now(),
  });
  const support = new Map<string, number>();
  const add = (id: string | null, value: number): void => {
    if (id !== null) support.set(id, Math.max(value, support.get(id) ?? Number.NEGATIVE_INFINITY));
  };
  for (const group of groupAssertions(subject === null ? rows : ofOneSubject(rows, keys))) {
    for (const { memory_id, confidence, retracted_at } of group) {
      // It never held, whatever time is asked about.
      if (retracted_at !== null) add(memory_id, loweredShare * confidence);
    }
    addDerived(group, time, add);
  }
  return support;
}

const keysOf = (subject: string): string[] => [
  ...new Set(entityTypes.map((type) => nameKey(subject, type))),
];

/**
 * A name alone may be a first name: of one person then, and if nothing has just this name. People
 * of several spaces who have the same full name are one.
 */
function ofOneSubject(
  rows: readonly SubjectAssertion[],
  keys: readonly string[],
): readonly SubjectAssertion[] {
  const named = rows.filter(({ key }) => keys.includes(key));
  if (named.length > 0) return named;
  const [first = [], ...others] = [...Map.groupBy(rows, ({ subject_id }) => subject_id).values()];
  const isOnePerson = first.some(({ key }) =>
    others.every((other) => other.some((row) => row.key === key)),
  );
  return isOnePerson ? rows : [];
}

/** By subject, predicate and user; manual entries without a memory are in the groups of all. */
function groupAssertions(rows: readonly SubjectAssertion[]): SubjectAssertion[][] {
  const bySubject = Map.groupBy(
    new Map(rows.map((row) => [row.id, row])).values(),
    ({ subject_id, predicate }) => `${subject_id} ${predicate}`,
  );
  return [...bySubject.values()].flatMap((all) => {
    const manual = all.filter(({ memory_id }) => memory_id === null);
    const ofMemories = all.filter(({ memory_id }) => memory_id !== null);
    const byUser = Map.groupBy(ofMemories, ({ user_id }) => user_id);
    return [...byUser.values()].map((own) => [...own, ...manual]);
  });
}

function addDerived(
  group: readonly SubjectAssertion[],
  time: FactTime,
  add: (memoryId: string | null, value: number) => void,
): void {
  const believed = group.filter(({ retracted_at }) => retracted_at === null);
  const byId = new Map(believed.map((row) => [row.id, row]));
  const isSingle = isSingleValued(group[0]?.predicate ?? '');
  for (const fact of deriveFacts(believed.map(toLoggedAssertion), isSingle)) {
    const state = stateIn(time, fact);
    const value = fact.confidence * shareOf(state, time.wanted);
    for (const id of fact.sources) {
      const row = byId.get(id);
      if (!row) continue;
      // A memory that tells the end of a fact says how things are now.
      const tellsEnd = state === 'ended' && hasOnlyEndTime(toLoggedAssertion(row));
      if (value > 0 || !tellsEnd) add(row.memory_id, value);
    }
  }
}

type FactState = 'held' | 'ended' | 'later';

function stateIn({ from, to }: FactTime, { validFrom, validTo }: DerivedFact): FactState {
  if (validFrom !== null && validFrom >= to) return 'later';
  return validTo !== null && validTo <= from ? 'ended' : 'held';
}

/** Which share of its confidence a fact contributes. */
function shareOf(state: FactState, wanted: FactTime['wanted']): number {
  if (wanted === 'held') return state === 'held' ? 1 : loweredShare;
  // What holds now may tell what held before, too.
  if (wanted === 'ended') return state === 'ended' ? 1 : 0;
  return state === 'later' ? 0 : 1;
}
