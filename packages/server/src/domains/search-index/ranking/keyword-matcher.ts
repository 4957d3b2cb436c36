import { termProbability } from '../../../text/term-probability.ts';
import type { AccountIndex } from '../account/account-index.ts';
import { liveFlag, questionAtEndFlag } from '../account/columns.ts';
import type { PostingList } from '../account/postings.ts';
import { kernelRadius, kernelWeight } from '../account/sessions.ts';
import type { Scope } from '../account/spaces.ts';
import { inverseDocumentFrequency } from '../model.ts';
import { ReusableIntList, type SearchBuffers } from './buffers.ts';
import { idfOf } from './idf.ts';

/** BM25's saturation and length normalisation; of whole sessions, the normalisation apart. */
const k1 = 1.2;
const b = 0.7;
const sessionB = 0.4;

/** What the query's words found; the scores themselves stand in the scratch. */
export interface KeywordMatches {
  /** Sum of the query's idf, terms that nothing holds among them. */
  readonly mass: number;
  /** The terms looked up, with their idf: 0 where nothing holds them. */
  readonly terms: readonly { readonly term: string; readonly idf: number }[];
}

/** A misspelt word is less sure than one as it is written. */
const alternativeWeight = 0.7;

/**
 * BM25 (Robertson & Zaragoza 2009) with the words of a turn's surroundings. For a term t, a
 * passage p of document i, d = lends, r = borrows, K = the kernel over its session:
 * x(p) = tf(t,p)·(1 − d i) + d(i)·tf(t,i) + r(i)·Σ K[k]·d(i+k)·tf(t,i+k), its length the same
 * sum over lengths; keyword(i) = max over p of Σ idf·x·(k1 + 1) / (x + k1·(1 − b + b·len/mean)).
 * A passage without the term counts as one of the document's mean length.
 */
export class KeywordMatcher {
  readonly #index: AccountIndex;
  readonly #scope: Scope;
  readonly #scratch: SearchBuffers;
  readonly #holders = new ReusableIntList();
  readonly #borrowers = new ReusableIntList();

  constructor(index: AccountIndex, scope: Scope, scratch: SearchBuffers) {
    this.#index = index;
    this.#scope = scope;
    this.#scratch = scratch;
  }

  /** @param alternativesTo what else a term may have been meant to be that nothing holds */
  match(
    terms: readonly string[],
    alternativesTo: (term: string) => readonly string[],
  ): KeywordMatches {
    let mass = 0;
    const found = terms.flatMap((term) => {
      const idf = this.#add(term, 1);
      const others = idf > 0 ? [] : alternativesTo(term);
      const alike = others.map((other) => ({
        term: other,
        idf: this.#add(other, alternativeWeight),
      }));
      const known = Math.max(idf, ...alike.map((other) => other.idf));
      mass += known > 0 ? known : idfOf(this.#scope.live, 0, termProbability(term));
      return alike.length > 0 ? alike : [{ term, idf }];
    });
    this.#takeBestPassages();
    return { mass, terms: found };
  }

  /** Returns the term's idf, 0 where nothing in scope holds it. */
  #add(term: string, factor: number): number {
    const posting = this.#index.terms.find(term);
    if (!posting) return 0;
    this.#countHolders(posting);
    const holders = this.#holders.length;
    if (holders === 0) return 0;
    const idf = idfOf(this.#scope.live, holders, termProbability(term));
    this.#lendToNeighbours();
    this.#addToSessions();
    this.#addToDocuments(idf * factor);
    this.#addToPassages(posting, idf * factor);
    this.#forgetTerm();
    return idf;
  }

  #countHolders(posting: PostingList): void {
    const { passageDocument, columns } = this.#index;
    const { sees } = this.#scope;
    const { count } = this.#scratch;
    const { passages, counts } = posting;
    const documents = passageDocument.view();
    for (let at = 0; at < passages.length; at += 1) {
      const document = documents[passages[at] as number] as number;
      if (((columns.flags[document] as number) & liveFlag) === 0) continue;
      if (sees[columns.space[document] as number] === 0) continue;
      if (count[document] === 0) this.#holders.push(document);
      count[document] = (count[document] as number) + (counts[at] as number);
    }
  }

  #lendToNeighbours(): void {
    const { columns, sessions } = this.#index;
    const { count, lent } = this.#scratch;
    const { flags } = columns;
    for (let at = 0; at < this.#holders.length; at += 1) {
      const lender = this.#holders.at(at);
      const session = sessions.all[columns.session[lender] as number];
      if (!session) continue;
      const { turns } = session;
      const place = columns.place[lender] as number;
      const given = (columns.lends[lender] as number) * (count[lender] as number);
      const lenderAsks = ((flags[lender] as number) & questionAtEndFlag) !== 0;
      for (let step = -kernelRadius; step <= kernelRadius; step += 1) {
        const borrower = step === 0 ? undefined : turns[place - step];
        if (borrower === undefined) continue;
        const borrowerAsks = ((flags[borrower] as number) & questionAtEndFlag) !== 0;
        if (lent[borrower] === 0) this.#borrowers.push(borrower);
        lent[borrower] =
          (lent[borrower] as number) + kernelWeight(step, borrowerAsks, lenderAsks) * given;
      }
    }
  }

  /** BM25 of whole sessions, each as one text. */
  #addToSessions(): void {
    const { columns, sessions } = this.#index;
    const { count, sessionCount, sessionScore, sessions: touched } = this.#scratch;
    const holding: number[] = [];
    for (let at = 0; at < this.#holders.length; at += 1) {
      const holder = this.#holders.at(at);
      const session = columns.session[holder] as number;
      if (session < 0) continue;
      if (sessionCount[session] === 0) holding.push(session);
      sessionCount[session] = (sessionCount[session] as number) + (count[holder] as number);
    }
    const idf = inverseDocumentFrequency(this.#scope.sessions, holding.length);
    for (const session of holding) {
      const share = (sessions.all[session]?.words ?? 0) / this.#scope.meanSession;
      const score = idf * saturation(sessionCount[session] as number, share, sessionB);
      if (sessionScore[session] === 0) touched.push(session);
      sessionScore[session] = (sessionScore[session] as number) + score;
      sessionCount[session] = 0;
    }
  }

  #addToDocuments(weight: number): void {
    const { columns } = this.#index;
    const { count, lent, keyword, ownMass } = this.#scratch;
    const { meanLength } = this.#scope;
    const score = (document: number): void => {
      const lends = columns.lends[document] as number;
      const words = columns.words[document] as number;
      const passages = columns.passages[document] as number;
      const own = passages === 1 ? 1 : lends;
      const x =
        own * (count[document] as number) +
        (columns.borrows[document] as number) * (lent[document] as number);
      const length =
        words * own + (words / passages) * (1 - own) + (columns.borrowed[document] as number);
      this.#scratch.touch(document);
      keyword[document] =
        (keyword[document] as number) + weight * saturation(x, length / meanLength, b);
    };
    for (let at = 0; at < this.#holders.length; at += 1) {
      const holder = this.#holders.at(at);
      ownMass[holder] = (ownMass[holder] as number) + weight;
      score(holder);
    }
    for (let at = 0; at < this.#borrowers.length; at += 1) {
      const borrower = this.#borrowers.at(at);
      if (count[borrower] === 0) score(borrower);
    }
  }

  /** What passages of longer documents gain by holding the term themselves. */
  #addToPassages(posting: PostingList, weight: number): void {
    const { columns, passageDocument, passageLength } = this.#index;
    const { count, lent, gain, passages: touched } = this.#scratch;
    const { meanLength } = this.#scope;
    const { passages, counts } = posting;
    for (let at = 0; at < passages.length; at += 1) {
      const passage = passages[at] as number;
      const document = passageDocument.at(passage);
      const parts = columns.passages[document] as number;
      if (parts < 2 || count[document] === 0) continue;
      const lends = columns.lends[document] as number;
      const words = columns.words[document] as number;
      const shared =
        lends * (count[document] as number) +
        (columns.borrows[document] as number) * (lent[document] as number);
      const rest = lends * words + (columns.borrowed[document] as number);
      const x = shared + (1 - lends) * (counts[at] as number);
      const length = rest + (1 - lends) * passageLength.at(passage);
      const without = saturation(shared, (rest + (1 - lends) * (words / parts)) / meanLength, b);
      if (gain[passage] === 0) touched.push(passage);
      gain[passage] =
        (gain[passage] as number) + weight * (saturation(x, length / meanLength, b) - without);
    }
  }

  #takeBestPassages(): void {
    const { passageDocument } = this.#index;
    const { passages, gain, bestGain, bestPassage, keyword } = this.#scratch;
    for (const passage of passages.view()) {
      const document = passageDocument.at(passage);
      if ((gain[passage] as number) <= (bestGain[document] as number)) continue;
      bestGain[document] = gain[passage] as number;
      bestPassage[document] = passage;
    }
    for (const passage of passages.view()) {
      const document = passageDocument.at(passage);
      if (bestPassage[document] !== passage) continue;
      keyword[document] = (keyword[document] as number) + (bestGain[document] as number);
    }
  }

  #forgetTerm(): void {
    const { count, lent } = this.#scratch;
    for (const holder of this.#holders.view()) count[holder] = 0;
    for (const borrower of this.#borrowers.view()) lent[borrower] = 0;
    this.#holders.clear();
    this.#borrowers.clear();
  }
}

const saturation = (x: number, lengthShare: number, normalisation: number): number =>
  (x * (k1 + 1)) / (x + k1 * (1 - normalisation + normalisation * lengthShare));
