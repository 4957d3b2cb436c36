import { GrowingInts } from './growing-ints.ts';
import { type PostingList, Postings } from './postings.ts';

/** The terms of a segment. */
interface StoredTerms {
  readonly names: readonly string[];
  /** By term: number of documents that contain it. */
  readonly frequencies: GrowingInts;
  readonly passageTerms: GrowingInts;
  readonly passageEnds: GrowingInts;
  /** By term: length of its posting list; then the lists. */
  readonly lengths: GrowingInts;
  readonly postings: Int32Array<ArrayBuffer>;
}

/** The terms of an account, each with its occurrences. */
export class Terms {
  readonly #numbers = new Map<string, number>();
  readonly #postings = new Postings();
  /** By term: number of live documents that contain it. */
  #documentFrequencies = new GrowingInts();
  /** Distinct terms of each passage, one passage after the other. */
  #passageTerms = new GrowingInts();
  /** By passage number: the end of its terms in that list. */
  #passageEnds = new GrowingInts();
  /** By length of the term, for the lookup of similar terms. */
  readonly #byLength = new Map<number, string[]>();
  /** By term: the last pass that counted it. */
  readonly #lastVisit = new GrowingInts();
  #visit = 0;

  /** Number of distinct terms, including those of dead documents. */
  get count(): number {
    return this.#documentFrequencies.length;
  }

  /** Number of terms, summed over all passages. */
  get occurrences(): number {
    return this.#passageTerms.length;
  }

  find(term: string): PostingList | undefined {
    const number = this.#numbers.get(term);
    return number === undefined ? undefined : this.#postings.get(number);
  }

  /** Number of live documents of the account that contain a term. */
  documentFrequency(term: string): number {
    const number = this.#numbers.get(term);
    return number === undefined ? 0 : this.#documentFrequencies.at(number);
  }

  /** Adds a passage. Passages must be added in the order of their numbers. */
  add(passage: number, terms: readonly { term: string; count: number }[]): void {
    for (const { term, count } of terms) {
      const number = this.#numberOf(term);
      this.#postings.push(number, passage, count);
      this.#passageTerms.push(number);
    }
    this.#passageEnds.push(this.#passageTerms.length);
  }

  /** Increments or decrements the document frequency of each term in a document's passages. */
  adjustDocumentFrequencies([from, to]: readonly [from: number, to: number], sign: 1 | -1): void {
    this.#visit += 1;
    const end = to === 0 ? 0 : this.#passageEnds.at(to - 1);
    for (let i = from === 0 ? 0 : this.#passageEnds.at(from - 1); i < end; i += 1) {
      const term = this.#passageTerms.at(i);
      if (this.#lastVisit.at(term) === this.#visit) continue;
      this.#lastVisit.set(term, this.#visit);
      this.#documentFrequencies.set(term, this.#documentFrequencies.at(term) + sign);
    }
  }

  /** All terms, by number. */
  get names(): string[] {
    return [...this.#numbers.keys()];
  }

  /** The passages of a term with their counts, by its number. */
  postingOf(term: number): PostingList {
    return this.#postings.get(term);
  }

  /** Calls back with each term number of a passage. */
  eachTermOf(passage: number, visit: (term: number) => void): void {
    const end = this.#passageEnds.at(passage);
    const from = passage === 0 ? 0 : this.#passageEnds.at(passage - 1);
    for (let i = from; i < end; i += 1) visit(this.#passageTerms.at(i));
  }

  /** Takes the terms of a segment; there are none yet. */
  restore({ names, frequencies, passageTerms, passageEnds, lengths, postings }: StoredTerms): void {
    this.#documentFrequencies = frequencies;
    this.#postings.restore(lengths, postings);
    for (const [number, name] of names.entries()) {
      this.#lastVisit.push(0);
      this.#numbers.set(name, number);
      this.#addToLength(name);
    }
    this.#passageTerms = passageTerms;
    this.#passageEnds = passageEnds;
  }

  /** Terms of about this length, the candidates for a misspelt one. */
  ofLength(characters: number): readonly string[] {
    return this.#byLength.get(characters) ?? [];
  }

  #numberOf(term: string): number {
    const existing = this.#numbers.get(term);
    if (existing !== undefined) return existing;
    const number = this.#postings.add();
    this.#documentFrequencies.push(0);
    this.#lastVisit.push(0);
    this.#numbers.set(term, number);
    this.#addToLength(term);
    return number;
  }

  #addToLength(term: string): void {
    const sameLength = this.#byLength.get(term.length);
    if (sameLength) sameLength.push(term);
    else this.#byLength.set(term.length, [term]);
  }
}
