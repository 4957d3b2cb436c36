import type { Succession } from './successors.ts';

/** Log-odds between an outdated document and what holds instead of it, at least. */
const distance = 0.01;

interface SortedDocuments {
  readonly documents: Int32Array;
  readonly sortValues: Float64Array;
}

interface FollowOptions {
  readonly succession: Succession;
  /** Whether a document may be a result. */
  readonly passes: (document: number) => boolean;
  /** The sort value of a document that is no match. */
  readonly evidence: (document: number) => number;
  /** Outdated documents are left out. */
  readonly dropsSuperseded: boolean;
  /** The order of documents with equal sort values. */
  readonly compare: (a: number, b: number) => number;
}

/** By an outdated document: what holds instead of it and may be a result. */
type Leaders = ReadonlyMap<number, readonly number[]>;

/**
 * Puts what holds instead of a document just before it, also where it is no match itself. Several
 * are all before it, and so is what holds instead of those. The order of the documents does not
 * matter.
 * @returns the documents, and by how much the sort values of some have changed
 */
export function followSuccessors(
  { documents, sortValues }: SortedDocuments,
  { succession, passes, evidence, dropsSuperseded, compare }: FollowOptions,
): SortedDocuments & { readonly shifts: ReadonlyMap<number, number> } {
  const values = new Map([...documents].map((one, i) => [one, sortValues[i] as number]));
  const leaders = new Map<number, readonly number[]>();
  for (const document of documents) {
    const found = succession.leaders(document);
    if (found.length > 0) leaders.set(document, found.filter(passes));
  }
  const before = new Map<number, number>();
  for (const document of [...leaders.keys(), ...[...leaders.values()].flat()]) {
    const own = values.get(document) ?? evidence(document);
    before.set(document, own);
    values.set(document, own);
  }
  raiseLeaders(values, leaders);
  placeBehindLeaders(values, leaders, compare);
  if (dropsSuperseded) {
    for (const document of leaders.keys()) {
      if (succession.isSuperseded(document)) values.delete(document);
    }
  }
  const shifts = [...before].flatMap(([document, value]): [number, number][] => {
    const now = values.get(document);
    return now === undefined || now === value ? [] : [[document, now - value]];
  });
  return {
    documents: Int32Array.from(values.keys()),
    sortValues: Float64Array.from(values.values()),
    shifts: new Map(shifts),
  };
}

/** Gives a leader at least the values of what it holds instead of, over any number of steps. */
function raiseLeaders(values: Map<number, number>, leaders: Leaders): void {
  const sortValueOf = (document: number): number => values.get(document) as number;
  const own = new Map([...leaders.keys()].map((document) => [document, sortValueOf(document)]));
  const reached = new Set<number>();
  // From the best: what a document reaches first has its value at least.
  for (const [document, value] of [...own].sort(([, a], [, b]) => b - a)) {
    const pending = [document];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const leader of leaders.get(next) ?? []) {
        if (reached.has(leader)) continue;
        reached.add(leader);
        values.set(leader, Math.max(sortValueOf(leader), value));
        pending.push(leader);
      }
    }
  }
}

/**
 * Puts each outdated document below its leaders, after they have their own places (Kahn's order).
 * In a cycle, which only suggestions and facts can make, the best one keeps its place.
 */
function placeBehindLeaders(
  values: Map<number, number>,
  leaders: Leaders,
  compare: (a: number, b: number) => number,
): void {
  const sortValueOf = (document: number): number => values.get(document) as number;
  const followers = new Map<number, number[]>();
  /** How many leaders of a document have no place yet. */
  const open = new Map<number, number>();
  for (const [document, all] of leaders) {
    const outdated = all.filter((leader) => leaders.has(leader));
    open.set(document, outdated.length);
    for (const leader of outdated) {
      followers.set(leader, [...(followers.get(leader) ?? []), document]);
    }
  }
  const placed = new Set<number>();
  const place = (first: number): void => {
    const pending = [first];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const all = leaders.get(next) ?? [];
      const known = all.filter((leader) => !leaders.has(leader) || placed.has(leader));
      const least = Math.min(...known.map(sortValueOf));
      values.set(next, Math.min(sortValueOf(next), least - distance));
      placed.add(next);
      for (const follower of followers.get(next) ?? []) {
        const count = (open.get(follower) as number) - 1;
        open.set(follower, count);
        if (count === 0 && !placed.has(follower)) pending.push(follower);
      }
    }
  };
  const isWaiting = (document: number): boolean => !placed.has(document);
  for (const [document, count] of [...open]) if (count === 0) place(document);
  const best = [...leaders.keys()]
    .filter(isWaiting)
    .sort((a, b) => sortValueOf(b) - sortValueOf(a) || compare(a, b));
  for (const document of best) if (isWaiting(document)) place(document);
}
