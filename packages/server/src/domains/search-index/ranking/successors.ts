import type { AccountIndex } from '../account/account-index.ts';
import { findChainEnds } from '../successor-chains.ts';
import type { IndexQuery } from './query.ts';

/** Log-odds between an outdated document and the one that supersedes it, at least. */
const distance = 0.01;

/** Finds what supersedes a document, among those that the caller may see. */
export class SuccessorFinder {
  readonly #index: AccountIndex;
  /** Numbers of spaces; null: all. */
  readonly #visible: ReadonlySet<number> | null;
  readonly #ends = new Map<number, readonly number[]>();

  constructor(index: AccountIndex, { visibleSpaces }: Pick<IndexQuery, 'visibleSpaces'>) {
    this.#index = index;
    this.#visible = index.spaceNumbers(visibleSpaces);
  }

  /** Live documents that supersede it themselves. */
  direct(document: number): number[] {
    const index = this.#index;
    return (index.supersededBy[document] ?? []).flatMap((id) => {
      const number = index.findNumber(id);
      if (number === undefined || number === document) return [];
      const space = index.columns.space[number] as number;
      return this.#visible === null || this.#visible.has(space) ? [number] : [];
    });
  }

  /** The ends of the chains: several where it was superseded by several; none in a cycle. */
  ends(document: number): readonly number[] {
    if (!this.#index.supersededBy[document]) return [];
    const known = this.#ends.get(document);
    if (known) return known;
    const ends = findChainEnds(document, (one) => this.direct(one));
    this.#ends.set(document, ends);
    return ends;
  }
}

interface SortedDocuments {
  readonly documents: Int32Array;
  readonly sortValues: Float64Array;
}

interface FollowOptions {
  readonly finder: SuccessorFinder;
  /** Whether a document may be a result. */
  readonly passes: (document: number) => boolean;
  /** The sort value of a document that is no match. */
  readonly evidence: (document: number) => number;
  /** Outdated documents are left out. */
  readonly dropsSuperseded: boolean;
}

/**
 * Puts each document that supersedes another just before it, also where it is no match
 * itself. Several that supersede it are all before it.
 * @returns the documents, and by how much the sort values of some have changed
 */
export function followSuccessors(
  { documents, sortValues }: SortedDocuments,
  { finder, passes, evidence, dropsSuperseded }: FollowOptions,
): SortedDocuments & { readonly shifts: ReadonlyMap<number, number> } {
  const values = new Map([...documents].map((one, i) => [one, sortValues[i] as number]));
  const before = new Map<number, number>();
  const outdated: { document: number; ends: readonly number[] }[] = [];
  for (const document of documents) {
    const ends = finder.ends(document);
    if (ends.length > 0) outdated.push({ document, ends: ends.filter(passes) });
  }
  for (const { document, ends } of outdated) {
    for (const end of ends) {
      const own = values.get(end) ?? evidence(end);
      before.set(end, before.get(end) ?? own);
      values.set(end, Math.max(own, values.get(document) as number));
    }
  }
  for (const { document, ends } of outdated) {
    const own = values.get(document) as number;
    before.set(document, own);
    const least = Math.min(...ends.map((end) => values.get(end) as number));
    if (dropsSuperseded) values.delete(document);
    else values.set(document, Math.min(own, least - distance));
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
