import {
  type Assertion,
  buildSuccessiveFacts,
  compareByEndTime,
  compareByStartTime,
  type DerivedFact,
  hasOnlyEndTime,
} from './derive-facts.ts';
import { factObjectKey } from './model.ts';
import type { AssertionRecord } from './store/assertion-log.ts';

/** An assertion with the time range in which it was believed; epoch ms, half-open. */
export interface LoggedAssertion extends Assertion {
  readonly recordedAt: number;
  readonly retractedAt: number | null;
}

export const toLoggedAssertion = (record: AssertionRecord): LoggedAssertion => ({
  id: record.id,
  object: factObjectKey(record.object_id, record.object_value),
  confidence: record.confidence,
  validFrom: record.valid_from?.getTime() ?? null,
  validTo: record.valid_to?.getTime() ?? null,
  observedAt: record.observed_at.getTime(),
  recordedAt: record.recorded_at.getTime(),
  retractedAt: record.retracted_at?.getTime() ?? null,
});

/** A fact with the time range in which it was believed. */
export interface FactVersion extends DerivedFact {
  readonly recordedAt: number;
  readonly invalidatedAt: number | null;
}

/** The identity of a fact: its sources and their confidence may change. */
export const factKey = ({ object, validFrom, validTo }: DerivedFact): string =>
  JSON.stringify([object, validFrom, validTo]);

const isSameFact = (a: DerivedFact | undefined, b: DerivedFact | undefined): boolean =>
  a?.object === b?.object && a?.validFrom === b?.validFrom && a?.validTo === b?.validTo;

/**
 * The whole history of one subject and predicate from its log. Incremental writes give the same
 * result; after an assertion is erased, the history is rebuilt as if it had never existed.
 */
export function replayAssertionLog(
  log: readonly LoggedAssertion[],
  singleValued: boolean,
): FactVersion[] {
  if (singleValued) return replayChain(log);
  const byObject = Map.groupBy(log, ({ object }) => object);
  return [...byObject.values()].flatMap((ownAssertions) => replayChain(ownAssertions));
}

/** Assertions added and removed at one moment. */
interface Moment {
  readonly at: number;
  readonly added: LoggedAssertion[];
  readonly removed: LoggedAssertion[];
}

function groupByMoment(log: readonly LoggedAssertion[]): Moment[] {
  const moments = new Map<number, Moment>();
  const momentAt = (at: number): Moment => {
    const moment = moments.get(at) ?? { at, added: [], removed: [] };
    moments.set(at, moment);
    return moment;
  };
  for (const one of log) {
    // Retracted at the moment of its recording: it was never believed.
    if (one.retractedAt !== null && one.retractedAt <= one.recordedAt) continue;
    momentAt(one.recordedAt).added.push(one);
    if (one.retractedAt !== null) momentAt(one.retractedAt).removed.push(one);
  }
  return [...moments.values()].sort((a, b) => a.at - b.at);
}

/** Most of a long log repeats itself: facts are derived again only where they may differ. */
function replayChain(log: readonly LoggedAssertion[]): FactVersion[] {
  const ended: FactVersion[] = [];
  const live = new LiveAssertions();
  let facts: readonly DerivedFact[] = [];
  /** Start of belief of each current fact. */
  let believedSince: readonly number[] = [];
  let isBehind = false;
  for (const moment of groupByMoment(log)) {
    const isSilent = live.isRedundant(moment);
    if (!isSilent && isBehind) facts = live.derive();
    live.apply(moment);
    isBehind = isSilent;
    if (isSilent) continue;
    const now = live.derive();
    const believed = { facts, since: believedSince };
    believedSince = carryOverSince(believed, now, moment.at, (version) => ended.push(version));
    facts = now;
  }
  if (isBehind) facts = live.derive();
  return [...ended, ...facts.map((fact, i) => toVersion(fact, believedSince[i], null))];
}

const toVersion = (
  fact: DerivedFact,
  recordedAt: number | undefined,
  invalidatedAt: number | null,
): FactVersion => ({ ...fact, recordedAt: recordedAt ?? 0, invalidatedAt });

/**
 * Start of belief of each fact in `now`; reports versions that end. Most facts are equal at both
 * ends of the list.
 */
function carryOverSince(
  {
    facts,
    since: believedSince,
  }: { readonly facts: readonly DerivedFact[]; readonly since: readonly number[] },
  now: readonly DerivedFact[],
  at: number,
  end: (version: FactVersion) => void,
): number[] {
  const shorter = Math.min(facts.length, now.length);
  let head = 0;
  while (head < shorter && isSameFact(facts[head], now[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && isSameFact(facts.at(-1 - tail), now.at(-1 - tail))) tail += 1;
  const previous = new Map<string, number>();
  for (let i = head; i < facts.length - tail; i += 1) {
    previous.set(factKey(facts[i] as DerivedFact), i);
  }
  const isContinued = now.slice(head, now.length - tail).map((fact) => {
    const key = factKey(fact);
    const i = previous.get(key);
    previous.delete(key);
    return i === undefined ? at : (believedSince[i] ?? at);
  });
  for (const i of previous.values()) end(toVersion(facts[i] as DerivedFact, believedSince[i], at));
  return [
    ...believedSince.slice(0, head),
    ...isContinued,
    ...believedSince.slice(facts.length - tail),
  ];
}

/** The assertions of a chain that are believed at a moment, in the order of evaluation. */
class LiveAssertions {
  readonly #begins: LoggedAssertion[] = [];
  readonly #ends: LoggedAssertion[] = [];
  /** By object: number of assertions with both a start and an end. */
  readonly #closed = new Map<string, number>();

  derive(): DerivedFact[] {
    return buildSuccessiveFacts(this.#begins, this.#ends);
  }

  apply({ added, removed }: Moment): void {
    for (const one of removed) {
      this.#listOf(one).splice(this.#insertionIndex(one), 1);
      this.#count(one, -1);
    }
    for (const one of added) {
      this.#listOf(one).splice(this.#insertionIndex(one), 0, one);
      this.#count(one, 1);
    }
  }

  /** The same facts follow with and without it: only their sources change. */
  isRedundant({ added, removed }: Moment): boolean {
    return [...added, ...removed].every((one) => this.#isCovered(one));
  }

  /** The assertion right before it has already opened, or closed, the range that contains it. */
  #isCovered(one: LoggedAssertion): boolean {
    const previous = this.#listOf(one)[this.#insertionIndex(one) - 1];
    if (previous?.object !== one.object) return false;
    if (hasOnlyEndTime(one)) return previous.validTo === one.validTo;
    if (one.validTo === null && !this.#closed.get(one.object)) return true;
    const isEmpty = one.validTo !== null && one.validTo <= (one.validFrom ?? one.observedAt);
    const isAlike = previous.validFrom === one.validFrom && previous.validTo === one.validTo;
    return isAlike && one.validFrom !== null && !isEmpty;
  }

  #listOf(one: LoggedAssertion): LoggedAssertion[] {
    return hasOnlyEndTime(one) ? this.#ends : this.#begins;
  }

  #insertionIndex(one: LoggedAssertion): number {
    const list = this.#listOf(one);
    const order = hasOnlyEndTime(one) ? compareByEndTime : compareByStartTime;
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (order(list[middle] as LoggedAssertion, one) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #count({ object, validFrom, validTo }: LoggedAssertion, by: number): void {
    if (validFrom === null || validTo === null) return;
    this.#closed.set(object, (this.#closed.get(object) ?? 0) + by);
  }
}
