import { entityTypes } from '@mneme/contract';
import { type Ctx, visibilityOf } from '../ctx.ts';
import { type DerivedFact, deriveFacts, hasOnlyEndTime } from './derive-facts.ts';
import { isSingleValued, nameKey } from './model.ts';
import { toLoggedAssertion } from './rebuild-facts.ts';
import { findSubjectAssertions, type SubjectAssertion } from './store/fact-support.ts';

/** A question for the facts of a subject. */
export interface FactQuestion {
  readonly subject: string;
  readonly predicates: readonly string[];
}

export interface FactMoment {
  /** Facts that hold then are current. */
  readonly at: Date;
  /** Asks for what held before instead. */
  readonly isAboutPast: boolean;
}

/** A memory behind a fact that does not hold: its share of the confidence, below 0. */
const endedShare = -0.5;

/**
 * How visible memories support what a question asks for, by id: the confidence of a fact that
 * holds, or else a negative share of it. Facts are derived again from what the caller may see, and
 * for each user separately, so that no other memory has an influence.
 * @param spaces the searched spaces; null: all that are visible
 */
export async function findFactSupport(
  ctx: Ctx,
  { subject, predicates }: FactQuestion,
  spaces: readonly (string | null)[] | null,
  moment: FactMoment,
): Promise<Map<string, number>> {
  const { actor, engine } = ctx;
  const keys = [...new Set(entityTypes.map((type) => nameKey(subject, type)))];
  const rows = await findSubjectAssertions(engine.db, actor.accountId, {
    keys,
    predicates,
    spaces,
    visible: visibilityOf(actor),
  });
  const support = new Map<string, number>();
  const add = (id: string | null, value: number): void => {
    if (id !== null) support.set(id, Math.max(value, support.get(id) ?? Number.NEGATIVE_INFINITY));
  };
  for (const group of groupAssertions(ofOneSubject(rows, keys))) {
    for (const { memory_id, confidence, retracted_at } of group) {
      if (retracted_at !== null) add(memory_id, supportBy(confidence, 'ended', moment));
    }
    addDerived(group, moment, add);
  }
  return support;
}

/** A name alone may be a first name: of one person then, and if nothing has just this name. */
function ofOneSubject(
  rows: readonly SubjectAssertion[],
  keys: readonly string[],
): readonly SubjectAssertion[] {
  const named = rows.filter(({ key }) => keys.includes(key));
  if (named.length > 0) return named;
  return new Set(rows.map(({ subject_id }) => subject_id)).size === 1 ? rows : [];
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
  moment: FactMoment,
  add: (memoryId: string | null, value: number) => void,
): void {
  const believed = group.filter(({ retracted_at }) => retracted_at === null);
  const byId = new Map(believed.map((row) => [row.id, row]));
  const isSingle = isSingleValued(group[0]?.predicate ?? '');
  for (const fact of deriveFacts(believed.map(toLoggedAssertion), isSingle)) {
    const state = stateAt(fact, moment.at.getTime());
    for (const id of fact.sources) {
      const row = byId.get(id);
      if (!row) continue;
      // A memory that tells the end of a fact says how things are now.
      const tellsEnd = state === 'ended' && hasOnlyEndTime(toLoggedAssertion(row));
      const value = supportBy(fact.confidence, state, moment);
      if (value > 0 || !tellsEnd) add(row.memory_id, value);
    }
  }
}

type FactState = 'current' | 'ended' | 'later';

function stateAt({ validFrom, validTo }: DerivedFact, at: number): FactState {
  if (validFrom !== null && validFrom > at) return 'later';
  return validTo !== null && validTo <= at ? 'ended' : 'current';
}

function supportBy(confidence: number, state: FactState, { isAboutPast }: FactMoment): number {
  const isWanted = state === (isAboutPast ? 'ended' : 'current');
  if (isWanted) return confidence;
  // What holds now may tell what held before, too.
  return isAboutPast ? 0 : endedShare * confidence;
}
