import type { AccountIndex } from '../account/account-index.ts';
import { successorsFlag } from '../account/columns.ts';
import { findChainEnds, findOutdatingEnds, findReachable } from '../successor-chains.ts';
import type { IndexQuery } from './query.ts';

type FinderQuery = Pick<IndexQuery, 'visibleSpaces' | 'visibleUser' | 'now'>;

/** Finds what supersedes a document, among those that the caller may see. */
export class SuccessorFinder {
  readonly #index: AccountIndex;
  /** Numbers of spaces; null: all. */
  readonly #visible: ReadonlySet<number> | null;
  /** Numbers of owners; null: all. */
  readonly #owners: ReadonlySet<number> | null;
  readonly #until: number;
  /** What has ended by then: epoch milliseconds. */
  readonly #factsUntil: number;
  readonly #ends = new Map<number, readonly number[]>();

  /** @param until What is later than this time outdates nothing; epoch milliseconds. */
  constructor(
    index: AccountIndex,
    { visibleSpaces, visibleUser, now }: FinderQuery,
    until = Number.POSITIVE_INFINITY,
  ) {
    this.#index = index;
    this.#visible = index.spaceNumbers(visibleSpaces);
    this.#owners = index.owners.matching({ user_id: visibleUser ?? undefined });
    this.#until = until;
    this.#factsUntil = until === Number.POSITIVE_INFINITY ? now : until;
  }

  /** Whether anything is known that may hold instead of it now. */
  mayBeOutdated(document: number): boolean {
    return ((this.#index.columns.flags[document] as number) & successorsFlag) !== 0;
  }

  /** Live documents that supersede it themselves. */
  direct(document: number): number[] {
    return this.#find(document, this.#index.successors.supersededBy.get(document));
  }

  /** Live documents that probably outdate it. */
  likely(document: number): number[] {
    return this.#find(document, this.#index.successors.likelySupersededBy.get(document));
  }

  /** Live documents that say that its facts have ended. */
  #endedBy(document: number): number[] {
    const end = this.#index.successors.factsEnd.get(document);
    if (!end || end.at > this.#factsUntil) return [];
    // Facts do not outweigh that it supersedes the other one.
    return this.#find(document, end.by).filter((one) => !this.direct(one).includes(document));
  }

  /**
   * What a caller should read instead of it: the ends of the chains of what supersedes documents,
   * and of what says that their facts have ended.
   */
  outdatedBy(document: number): readonly number[] {
    const { factsEnd, supersededBy } = this.#index.successors;
    if (!factsEnd.has(document) && !supersededBy.has(document)) return [];
    return findOutdatingEnds(
      document,
      (one) => this.direct(one),
      (one) => this.#endedBy(one),
    );
  }

  #find(document: number, ids: readonly string[] | undefined): number[] {
    const index = this.#index;
    return (ids ?? []).flatMap((id) => {
      const number = index.findNumber(id);
      if (number === undefined || number === document) return [];
      if ((index.columns.occurredAt[number] as number) > this.#until) return [];
      if (this.#owners?.has(index.columns.owner[number] as number) === false) return [];
      const space = index.columns.space[number] as number;
      return this.#visible === null || this.#visible.has(space) ? [number] : [];
    });
  }

  /** The ends of the chains: several where it was superseded by several; none in a cycle. */
  ends(document: number): readonly number[] {
    if (!this.#index.successors.supersededBy.has(document)) return [];
    const known = this.#ends.get(document);
    if (known) return known;
    const ends = findChainEnds(document, (one) => this.direct(one));
    this.#ends.set(document, ends);
    return ends;
  }
}

/** What a document is outdated by, and what stands before it in a ranking. */
export interface Succession {
  /** Documents that hold instead of it. */
  leaders(document: number): readonly number[];
  isSuperseded(document: number): boolean;
}

/** What holds now. */
const currentSuccession = (finder: SuccessorFinder): Succession => ({
  leaders: (document) => finder.ends(document),
  isSuperseded: (document) => finder.ends(document).length > 0,
});

/** From what outdates a document by facts, or probably, its weighted sum may be so far away. */
const likelyDistanceMax = 1.2;

/**
 * What holds now, by what supersedes a document, by facts, or probably: the latter two only where
 * they answer the query nearly as well, as a document may say more than its facts, and a wrong
 * suggestion must not bring anything in; and not for a question about the past.
 */
export function presentSuccession(
  finder: SuccessorFinder,
  { intent }: Pick<IndexQuery, 'intent'>,
  evidence: (document: number) => number,
): Succession {
  const current = currentSuccession(finder);
  if (intent.isAboutPast) return current;
  return {
    leaders: (document) => {
      const ends = current.leaders(document);
      if (ends.length > 0) return ends;
      const likely = [...finder.outdatedBy(document), ...finder.likely(document)];
      return filterNear(document, likely, evidence);
    },
    isSuperseded: current.isSuperseded,
  };
}

function filterNear(
  document: number,
  others: readonly number[],
  evidence: (document: number) => number,
): readonly number[] {
  if (others.length === 0) return others;
  const least = evidence(document) - likelyDistanceMax;
  return [...new Set(others)].filter((one) => evidence(one) >= least);
}

/**
 * What held at a moment: what supersedes it later stands behind it. What says that the facts of a
 * document had ended by then is before it, if it answers nearly as well.
 */
export function successionAsOf(
  index: AccountIndex,
  query: FinderQuery,
  moment: number,
  evidence: (document: number) => number,
): Succession {
  const finder = new SuccessorFinder(index, query, moment);
  const later = new SuccessorFinder(index, query);
  const isLater = (one: number): boolean => (index.columns.occurredAt[one] as number) > moment;
  const isHeld = (one: number): boolean => !isLater(one) && finder.ends(one).length === 0;
  const heldBefore = new Map<number, number[]>();
  for (const document of [...index.successors.supersededBy.keys()].sort((a, b) => a - b)) {
    if (!isHeld(document)) continue;
    for (const one of findReachable(document, (from) => later.direct(from))) {
      if (isLater(one)) heldBefore.set(one, [...(heldBefore.get(one) ?? []), document]);
    }
  }
  return {
    leaders: (document) => {
      if (isLater(document)) return heldBefore.get(document) ?? [];
      const ends = finder.ends(document);
      return ends.length > 0 ? ends : filterNear(document, finder.outdatedBy(document), evidence);
    },
    isSuperseded: (document) => finder.ends(document).length > 0,
  };
}
