import type { Hit } from '../search-index/index.ts';

export interface RankedHit extends Hit {
  /** The rewritten text that found it, if the query itself did not. */
  readonly foundBy?: string;
  /** It repeats the query itself, so that no reranker moves it. */
  readonly isExact?: boolean;
}

/** The best hits of one text. */
export interface HitList {
  /** Null: the query itself. */
  readonly rewrite: string | null;
  readonly hits: readonly RankedHit[];
}

/** The query counts most, but less than two of its rewrites that agree. */
const weightOf = ({ rewrite }: HitList): number => (rewrite === null ? 1 : 0.7);

/** Smaller than in other uses: the first result of a rewrite belongs on the first page. */
const rankConstant = 10;

/**
 * Fuses the hits of a query and of its rewrites by reciprocal rank: Σ weight / (10 + rank), after
 * Cormack, Clarke and Büttcher, 2009. Each has its score for the text that it answers best.
 */
export function fuseHitLists(lists: readonly HitList[]): RankedHit[] {
  const fused = new Map<string, { hit: RankedHit; weight: number; bestRank: number }>();
  for (const list of lists) {
    for (const [i, hit] of list.hits.entries()) {
      const weight = weightOf(list) / (rankConstant + i + 1);
      const known = fused.get(hit.id);
      if (known === undefined) {
        const found = list.rewrite === null ? hit : { ...hit, foundBy: list.rewrite };
        fused.set(hit.id, { hit: found, weight, bestRank: i });
        continue;
      }
      known.weight += weight;
      const score = Math.max(known.hit.score, hit.score);
      const isBetter = known.hit.foundBy !== undefined && i < known.bestRank;
      known.hit = isBetter
        ? { ...hit, score, foundBy: list.rewrite as string }
        : { ...known.hit, score };
      known.bestRank = Math.min(known.bestRank, i);
    }
  }
  const sorted = [...fused.values()].sort((a, b) => b.weight - a.weight);
  return keepLeadersFirst(
    sorted.map(({ hit }) => hit),
    findLeaders(lists),
  );
}

/** What must stay before each hit: what outdates it, if that stood before it so far. */
type Leaders = ReadonlyMap<string, readonly string[]>;

/** Of several lists, the first one that has both decides. */
function findLeaders(lists: readonly Pick<HitList, 'hits'>[]): Leaders {
  const ranks = lists.map(({ hits }) => new Map(hits.map(({ id }, i) => [id, i])));
  const isAhead = (one: string, other: string): boolean => {
    const both = ranks.find((list) => list.has(one) && list.has(other));
    return both !== undefined && (both.get(one) as number) < (both.get(other) as number);
  };
  const leaders = new Map<string, string[]>();
  for (const { id, outdatedBy, supersededBy } of lists.flatMap(({ hits }) => hits)) {
    const newer = [supersededBy, outdatedBy].filter((one) => one !== null);
    leaders.set(
      id,
      newer.filter((one) => isAhead(one, id)),
    );
  }
  return leaders;
}

/** Moves leaders up to the place of the first hit that must follow them. */
function keepLeadersFirst<T extends { readonly id: string }>(
  hits: readonly T[],
  leaders: Leaders,
): T[] {
  const byId = new Map(hits.map((hit) => [hit.id, hit]));
  const ordered = new Set<T>();
  const visiting = new Set<string>();
  const visit = (hit: T): void => {
    if (visiting.has(hit.id)) return;
    visiting.add(hit.id);
    for (const leader of leaders.get(hit.id) ?? []) {
      const found = byId.get(leader);
      if (found) visit(found);
    }
    ordered.add(hit);
  };
  for (const hit of hits) visit(hit);
  return [...ordered];
}

/** Raises scores where necessary, so that they never rise down the list or below `least`. */
export function raiseScores(hits: readonly RankedHit[], least: number): RankedHit[] {
  let score = least;
  return hits
    .toReversed()
    .map((hit) => {
      score = Math.max(score, hit.score);
      return hit.score === score ? hit : { ...hit, score };
    })
    .toReversed();
}

/** A hit of the query with this score repeats it. */
const exactScoreMin = 0.9;

/** Marks the hits of a query that repeat it, before scores of rewrites are added. */
export const markExact = (hits: readonly Hit[]): RankedHit[] =>
  hits.map((hit) => (hit.score >= exactScoreMin ? { ...hit, isExact: true } : hit));

/** The part of a list that a reranker reorders. */
export const candidatesOf = (hits: readonly RankedHit[], top: number): readonly RankedHit[] =>
  hits.slice(0, top).filter(({ isExact }) => isExact !== true);

/**
 * Orders the candidates of a list by these scores, best first. What outdates a hit stays before it,
 * and each place keeps its shown score: how likely a first result answers is calibrated, while the
 * scores of rerankers are not.
 */
export function reorderCandidates(
  hits: readonly RankedHit[],
  scores: ReadonlyMap<string, number>,
): RankedHit[] {
  const places = hits.flatMap(({ id }, i) => (scores.has(id) ? [i] : []));
  const sorted = places
    .map((place) => hits[place] as RankedHit)
    .sort((a, b) => (scores.get(b.id) as number) - (scores.get(a.id) as number));
  const moved = [...hits];
  for (const [i, place] of places.entries()) moved[place] = sorted[i] as RankedHit;
  const ordered = keepLeadersFirst(moved, findLeaders([{ hits }]));
  return ordered.map((hit, i) => ({ ...hit, score: (hits[i] as RankedHit).score }));
}

/**
 * The place in a ranking of what follows a head: the first `count` places and the promoted ones are
 * in the head.
 * @param promoted places from 0 of hits that moved into the head
 * @param index the place after the head, from 0
 */
export function placeAfterHead(count: number, promoted: readonly number[], index: number): number {
  let place = count + index;
  for (const one of promoted.toSorted((a, b) => a - b)) if (one <= place) place += 1;
  return place;
}
