import { GrowingInts } from './growing-ints.ts';
import { type PostingList, Postings } from './postings.ts';
import { TermNames } from './term-names.ts';

/** The terms of a segment. */
interface StoredTerms {
  /** As UTF-8, one after the other, with where each ends. */
  readonly names: Uint8Array<ArrayBuffer>;
  readonly nameEnds: GrowingInts;
  /** By term: number of documents that contain it. */
  readonly frequencies: GrowingInts;
  readonly passageTerms: GrowingInts;
  readonly passageEnds: GrowingInts;
  /** By term: length of its posting list; then the slots of the lists. */
  readonly lengths: GrowingInts;
  readonly postings: Int32Array<ArrayBuffer>;
  readonly counts: Uint8Array<ArrayBuffer>;
}

/** The terms of an account, each with its occurrences. */
export class Terms {
  readonly #names = new TermNames();
  readonly #postings = new Postings();
  /** By term: number of live documents that contain it. */
  #documentFrequencies = new GrowingInts();
  /** Distinct terms of each passage, one passage after the other. */
  #passageTerms = new GrowingInts();
  /** By passage number: the end of its terms in that list. */
  #passageEnds = new GrowingInts();

  /** Number of distinct terms, including those of dead documents. */
  get count(): number {
    return this.#names.count;
  }

  get byteLength(): number {
    return (
      this.#names.byteLength +
      this.#postings.byteLength +
      this.#documentFrequencies.byteLength +
      this.#passageTerms.byteLength +
      this.#passageEnds.byteLength
    );
  }

  /** Number of terms that are kept as strings, too. */
  get strings(): number {
    return this.#names.strings;
  }

  /** Number of terms whose lists of passages are long. */
  get longLists(): number {
    return this.#postings.longLists;
  }

  find(term: string): PostingList | undefined {
    const number = this.#names.find(term);
    return number < 0 ? undefined : this.#postings.get(number);
  }

  /** Number of live documents of the account that contain a term. */
  documentFrequency(term: string): number {
    const number = this.#names.find(term);
    return number < 0 ? 0 : this.#documentFrequencies.at(number);
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
    const adjust = (term: number): void =>
      this.#documentFrequencies.set(term, this.#documentFrequencies.at(term) + sign);
    // The terms of one passage are distinct.
    if (to - from === 1) {
      this.eachTermOf(from, adjust);
      return;
    }
    const terms = new Set<number>();
    for (let passage = from; passage < to; passage += 1) {
      this.eachTermOf(passage, (term) => terms.add(term));
    }
    for (const term of terms) adjust(term);
  }

  /** All terms, by number. */
  get names(): string[] {
    return Array.from({ length: this.count }, (_, number) => this.#names.at(number));
  }

  /** The bytes of these terms as UTF-8, one after the other. */
  copyNames(terms: readonly number[]): Uint8Array {
    return this.#names.copyBytes(terms);
  }

  /** Length of a term in bytes. */
  nameLength(term: number): number {
    return this.#names.lengthOf(term);
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
  restore({ frequencies, lengths, postings, counts, ...stored }: StoredTerms): void {
    this.#documentFrequencies = frequencies;
    this.#postings.restore(lengths, postings, counts);
    this.#names.restore(stored.names, stored.nameEnds);
    this.#passageTerms = stored.passageTerms;
    this.#passageEnds = stored.passageEnds;
  }

  /** Terms of about this length, the candidates for a misspelt one. */
  ofLength(characters: number): readonly string[] {
    return this.#names.ofLength(characters);
  }

  #numberOf(term: string): number {
    const number = this.#names.add(term);
    if (number === this.#documentFrequencies.length) {
      this.#postings.add();
      this.#documentFrequencies.push(0);
    }
    return number;
  }
}
