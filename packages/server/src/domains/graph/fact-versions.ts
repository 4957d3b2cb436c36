import {
  type Assertion,
  buildChain,
  compareByAnchor,
  compareByEnd,
  type DerivedFact,
  hasOnlyEnd,
} from './derive-facts.ts';

/** An assertion with the time in which it was believed; epoch ms, half-open. */
export interface LoggedAssertion extends Assertion {
  readonly recordedAt: number;
  readonly retractedAt: number | null;
}

/** A fact with the time in which it was believed. */
export interface FactVersion extends DerivedFact {
  readonly recordedAt: number;
  readonly invalidatedAt: number | null;
}

/** What makes two facts one and the same: its sources and their weight may grow. */
export const factKey = ({ object, validFrom, validTo }: DerivedFact): string =>
  JSON.stringify([object, validFrom, validTo]);

const isSameFact = (a: DerivedFact | undefined, b: DerivedFact | undefined): boolean =>
  a?.object === b?.object && a?.validFrom === b?.validFrom && a?.validTo === b?.validTo;

/**
 * The whole history of one subject and predicate from its log. What is written step by step is
 * the same; after an assertion was erased, history is made again as if it had never been.
 */
export function replayLog(log: readonly LoggedAssertion[], singleValued: boolean): FactVersion[] {
  if (singleValued) return replayChain(log);
  const byObject = Map.groupBy(log, ({ object }) => object);
  return [...byObject.values()].flatMap((own) => replayChain(own));
}

/** What comes and goes at a moment. */
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
    // What was taken back as it was said was believed at no time.
    if (one.retractedAt !== null && one.retractedAt <= one.recordedAt) continue;
    momentAt(one.recordedAt).added.push(one);
    if (one.retractedAt !== null) momentAt(one.retractedAt).removed.push(one);
  }
  return [...moments.values()].sort((a, b) => a.at - b.at);
}

/** Most of a long log says the same again: facts are derived anew only where others may follow. */
function replayChain(log: readonly LoggedAssertion[]): FactVersion[] {
  const ended: FactVersion[] = [];
  const live = new LiveAssertions();
  let facts: readonly DerivedFact[] = [];
  /** Since when each of them is believed. */
  let since: readonly number[] = [];
  let isBehind = false;
  for (const moment of groupByMoment(log)) {
    const isSilent = live.isRedundant(moment);
    if (!isSilent && isBehind) facts = live.derive();
    live.apply(moment);
    isBehind = isSilent;
    if (isSilent) continue;
    const now = live.derive();
    const believed = { facts, since };
    since = carryOverSince(believed, now, moment.at, (version) => ended.push(version));
    facts = now;
  }
  if (isBehind) facts = live.derive();
  return [...ended, ...facts.map((fact, i) => toVersion(fact, since[i], null))];
}

const toVersion = (
  fact: DerivedFact,
  recordedAt: number | undefined,
  invalidatedAt: number | null,
): FactVersion => ({ ...fact, recordedAt: recordedAt ?? 0, invalidatedAt });

/** Since when each of `now` is believed; tells of versions that end. Most begin and end alike. */
function carryOverSince(
  { facts, since }: { readonly facts: readonly DerivedFact[]; readonly since: readonly number[] },
  now: readonly DerivedFact[],
  at: number,
  end: (version: FactVersion) => void,
): number[] {
  const shorter = Math.min(facts.length, now.length);
  let head = 0;
  while (head < shorter && isSameFact(facts[head], now[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && isSameFact(facts.at(-1 - tail), now.at(-1 - tail))) tail += 1;
  const before = new Map<string, number>();
  for (let i = head; i < facts.length - tail; i += 1) {
    before.set(factKey(facts[i] as DerivedFact), i);
  }
  const stays = now.slice(head, now.length - tail).map((fact) => {
    const key = factKey(fact);
    const i = before.get(key);
    before.delete(key);
    return i === undefined ? at : (since[i] ?? at);
  });
  for (const i of before.values()) end(toVersion(facts[i] as DerivedFact, since[i], at));
  return [...since.slice(0, head), ...stays, ...since.slice(facts.length - tail)];
}

/** The assertions of a chain that are believed at a moment, in the order in which they are read. */
class LiveAssertions {
  readonly #begins: LoggedAssertion[] = [];
  readonly #ends: LoggedAssertion[] = [];
  /** By object, how many say both a begin and an end. */
  readonly #closed = new Map<string, number>();

  derive(): DerivedFact[] {
    return buildChain(this.#begins, this.#ends);
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

  /** The same facts follow with it and without it: only their sources grow or shrink. */
  isRedundant({ added, removed }: Moment): boolean {
    return [...added, ...removed].every((one) => this.#isCovered(one));
  }

  /** What stands right before it has opened, or closed, the stretch that it falls in. */
  #isCovered(one: LoggedAssertion): boolean {
    const before = this.#listOf(one)[this.#insertionIndex(one) - 1];
    if (before?.object !== one.object) return false;
    if (hasOnlyEnd(one)) return before.validTo === one.validTo;
    if (one.validTo === null && !this.#closed.get(one.object)) return true;
    const isEmpty = one.validTo !== null && one.validTo <= (one.validFrom ?? one.observedAt);
    const isAlike = before.validFrom === one.validFrom && before.validTo === one.validTo;
    return isAlike && one.validFrom !== null && !isEmpty;
  }

  #listOf(one: LoggedAssertion): LoggedAssertion[] {
    return hasOnlyEnd(one) ? this.#ends : this.#begins;
  }

  #insertionIndex(one: LoggedAssertion): number {
    const list = this.#listOf(one);
    const order = hasOnlyEnd(one) ? compareByEnd : compareByAnchor;
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
