import { termProbability } from '@mneme/text';
import type { AccountIndex } from '../account/account-index.ts';
import { liveFlag, questionAtEndFlag, turnFlag } from '../account/columns.ts';
import type { PostingList } from '../account/postings.ts';
import { turnKernelRadius, turnKernelWeight, turnWindowSize } from '../account/sessions.ts';
import type { SearchScope } from '../account/spaces.ts';
import { inverseDocumentFrequency } from '../model.ts';
import { saturation, sessionB, wholeB } from './bm25.ts';
import type { SearchBuffers } from './buffers.ts';
import { smoothedIdf } from './idf.ts';

/** The result of matching the query's words; what documents have of them is in the buffers. */
export interface KeywordMatches {
  /** Sum of the query's idf, including terms without a match. */
  readonly idfSum: number;
  /** The terms looked up, with their idf: 0 without a match. */
  readonly terms: readonly { readonly term: string; readonly idf: number }[];
  /** Those that occur. */
  readonly matching: readonly MatchingTerm[];
}

/** A term of the query, or of a corrected spelling, that documents of the scope have. */
export interface MatchingTerm {
  readonly weight: number;
  /** Its occurrences that count, and those in documents that no search finds. */
  readonly list: PostingList;
}

/** A corrected spelling counts less than an exact match. */
export const alternativeWeight = 0.7;

/**
 * Finds which documents match a query: those that have one of its terms, and the turns near them,
 * with sums that limit their scores. `KeywordScores` computes these.
 */
export class KeywordMatcher {
  readonly #index: AccountIndex;
  readonly #scope: SearchScope;
  readonly #buffers: SearchBuffers;
  readonly #hasSessions: boolean;
  readonly #terms: MatchingTerm[] = [];
  /** By document: 1 where it is to be scored; 2 near those; null: all are. */
  readonly #wanted: Uint8Array | null;
  /** Only documents that an earlier term matched are scored. */
  #touchedOnly = false;

  /** @param wanted marks the documents that are to be scored with 1; null: all are */
  constructor(
    index: AccountIndex,
    scope: SearchScope,
    scratch: SearchBuffers,
    wanted: Uint8Array | null = null,
  ) {
    this.#index = index;
    this.#scope = scope;
    this.#buffers = scratch;
    this.#wanted = wanted;
    this.#hasSessions = index.sessions.all.length > 0;
  }

  /**
   * @param alternativesTo spelling alternatives of a term without a match
   * @param fragments terms that only add to the score of documents which others match
   */
  match(
    terms: readonly string[],
    alternativesTo: (term: string) => readonly string[],
    fragments: ReadonlySet<string> = new Set(),
  ): KeywordMatches {
    let mass = 0;
    const inOrder = [...terms].sort((a, b) => Number(fragments.has(a)) - Number(fragments.has(b)));
    const matchedTerms = inOrder.flatMap((term) => {
      this.#touchedOnly = fragments.has(term);
      const idf = this.#addTerm(term, 1);
      const spellings = idf > 0 ? [] : alternativesTo(term);
      const alternatives = spellings.map((other) => ({
        term: other,
        idf: this.#addTerm(other, alternativeWeight),
      }));
      const bestIdf = Math.max(idf, ...alternatives.map((other) => other.idf));
      mass += bestIdf > 0 ? bestIdf : smoothedIdf(this.#scope.liveCount, 0, termProbability(term));
      return alternatives.length > 0 ? alternatives : [{ term, idf }];
    });
    return { idfSum: mass, terms: matchedTerms, matching: this.#terms };
  }

  /** Returns the term's idf, 0 if no document in scope contains it. */
  #addTerm(term: string, factor: number): number {
    const found = this.#index.terms.find(term);
    if (!found) return 0;
    const list = this.#touchedOnly ? this.#touchedPart(found) : found;
    const { documents, sessions } = this.#countMatches(term, list);
    if (documents === 0) return 0;
    const idf = smoothedIdf(this.#scope.liveCount, documents, termProbability(term));
    this.#addToSessions(sessions);
    this.#terms.push({ weight: idf * factor, list });
    this.#addToDocuments(list, idf * factor);
    return idf;
  }

  #isInScope(document: number): boolean {
    const { flags, space } = this.#index.columns;
    if (((flags[document] as number) & liveFlag) === 0) return false;
    return this.#scope.isWholeAccount || this.#scope.visible[space[document] as number] === 1;
  }

  /** Of documents that match already. */
  #touchedPart({ passages, counts }: PostingList): PostingList {
    const documents = this.#index.passageDocument.view();
    const isTouched = (passage: number): boolean =>
      this.#buffers.isTouched[documents[passage] as number] === 1;
    return {
      passages: passages.filter(isTouched),
      counts: counts.filter((_, at) => isTouched(passages[at] as number)),
    };
  }

  /** Returns how many documents of the scope have the term, and the sessions that do. */
  #countMatches(term: string, list: PostingList): { documents: number; sessions: number[] } {
    const { terms, passageDocument, columns } = this.#index;
    const { sessionCount } = this.#buffers;
    const sessions: number[] = [];
    if (!this.#hasSessions && this.#scope.isWholeAccount && !this.#touchedOnly) {
      return { documents: terms.documentFrequency(term), sessions };
    }
    const documents = passageDocument.view();
    const { passages, counts } = list;
    let [count, last] = [0, -1];
    for (let at = 0; at < passages.length; at += 1) {
      const document = documents[passages[at] as number] as number;
      if (!this.#isInScope(document)) continue;
      // The passages of a document follow each other.
      if (document !== last) count += 1;
      last = document;
      const number = columns.session[document] as number;
      if (number < 0) continue;
      if (sessionCount[number] === 0) sessions.push(number);
      sessionCount[number] = (sessionCount[number] as number) + (counts[at] as number);
    }
    return { documents: count, sessions };
  }

  /** BM25 of whole sessions, each as one text. */
  #addToSessions(holding: readonly number[]): void {
    const { sessions } = this.#index;
    const { sessionCount, sessionScore, sessions: touched } = this.#buffers;
    const idf = inverseDocumentFrequency(this.#scope.sessions, holding.length);
    for (const session of holding) {
      const share = (sessions.all[session]?.words ?? 0) / this.#scope.meanSessionLength;
      const score = idf * saturation(sessionCount[session] as number, share, sessionB);
      if (sessionScore[session] === 0) touched.push(session);
      sessionScore[session] = (sessionScore[session] as number) + score;
      sessionCount[session] = 0;
    }
  }

  /** Touches what has the term or is near it, and adds what it can count there at most. */
  #addToDocuments({ passages, counts }: PostingList, weight: number): void {
    const { columns, passageDocument } = this.#index;
    const { flags, words } = columns;
    const documents = passageDocument.view();
    const { ownIdfSum, wholeKeyword, wordsNear } = this.#buffers;
    const wanted = this.#wanted;
    for (let at = 0; at < passages.length; ) {
      const holder = documents[passages[at] as number] as number;
      let count = 0;
      for (; at < passages.length && documents[passages[at] as number] === holder; at += 1) {
        count += counts[at] as number;
      }
      if (!this.#isInScope(holder) || (wanted !== null && wanted[holder] === 0)) continue;
      if (this.#hasSessions) this.#addToNeighbours(holder, weight, count);
      if (wanted !== null && wanted[holder] !== 1) continue;
      this.#buffers.touch(holder);
      add(ownIdfSum, holder, weight);
      add(wordsNear, 2 * holder, weight);
      add(wordsNear, 2 * holder + 1, weight * count);
      if (((flags[holder] as number) & turnFlag) !== 0) continue;
      const share = (words[holder] as number) / this.#scope.meanWords;
      add(wholeKeyword, holder, weight * saturation(count, share, wholeB));
    }
  }

  #addToNeighbours(holder: number, weight: number, count: number): void {
    const { columns, sessions } = this.#index;
    if ((columns.session[holder] as number) < 0) return;
    const { window, wordsNear } = this.#buffers;
    const wanted = this.#wanted;
    const asks = ((columns.flags[holder] as number) & questionAtEndFlag) !== 0;
    const contribution = weight * (columns.contextWeight[holder] as number) * count;
    sessions.fillWindow(holder, window);
    for (let i = 0; i < turnWindowSize; i += 1) {
      const target = window[i] as number;
      if (target < 0 || target === holder) continue;
      if (wanted !== null && wanted[target] !== 1) continue;
      this.#buffers.touch(target);
      // Without the question of the target, which lowers the weight.
      const share = turnKernelWeight(turnKernelRadius - i, false, asks);
      add(wordsNear, 2 * target, weight);
      add(wordsNear, 2 * target + 1, share * contribution);
    }
  }
}

function add(sums: Float64Array | Float32Array, at: number, value: number): void {
  sums[at] = (sums[at] as number) + value;
}
