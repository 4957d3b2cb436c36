import { GrowingInts } from './growing-ints.ts';
import { type PostingList, Postings } from './postings.ts';

/** The terms of an account, each with where it occurs. */
export class Terms {
  readonly #numbers = new Map<string, number>();
  readonly #postings = new Postings();
  /** By term: live documents that hold it. */
  readonly #documentFrequencies = new GrowingInts();
  /** Distinct terms of each passage, passage after passage. */
  readonly #passageTerms = new GrowingInts();
  /** By passage number: where its terms end in that list. */
  readonly #passageEnds = new GrowingInts();
  /** By length of the term, for those that are looked up by likeness. */
  readonly #byLength = new Map<number, string[]>();
  /** By term: the last walk that met it. */
  readonly #counted = new GrowingInts();
  #walk = 0;

  /** Distinct terms, those of dead documents among them. */
  get count(): number {
    return this.#documentFrequencies.length;
  }

  /** Terms of all passages together. */
  get occurrences(): number {
    return this.#passageTerms.length;
  }

  find(term: string): PostingList | undefined {
    const number = this.#numbers.get(term);
    return number === undefined ? undefined : this.#postings.get(number);
  }

  /** How many live documents of the account hold a term. */
  documentFrequency(term: string): number {
    const number = this.#numbers.get(term);
    return number === undefined ? 0 : this.#documentFrequencies.at(number);
  }

  /** Adds a passage; they come in the order of their numbers. */
  add(passage: number, terms: readonly { term: string; count: number }[]): void {
    for (const { term, count } of terms) {
      const number = this.#numberOf(term);
      this.#postings.push(number, passage, count);
      this.#passageTerms.push(number);
    }
    this.#passageEnds.push(this.#passageTerms.length);
  }

  /** Raises or lowers the document frequency of each term that a document's passages hold. */
  adjustDocumentFrequencies([from, to]: readonly [from: number, to: number], sign: 1 | -1): void {
    this.#walk += 1;
    const end = to === 0 ? 0 : this.#passageEnds.at(to - 1);
    for (let i = from === 0 ? 0 : this.#passageEnds.at(from - 1); i < end; i += 1) {
      const term = this.#passageTerms.at(i);
      if (this.#counted.at(term) === this.#walk) continue;
      this.#counted.set(term, this.#walk);
      this.#documentFrequencies.set(term, this.#documentFrequencies.at(term) + sign);
    }
  }

  /** Terms of about a length, in which a misspelt one may be looked for. */
  ofLength(characters: number): readonly string[] {
    return this.#byLength.get(characters) ?? [];
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#postings.add();
    this.#documentFrequencies.push(0);
    this.#counted.push(0);
    this.#numbers.set(term, number);
    const alike = this.#byLength.get(term.length);
    if (alike) alike.push(term);
    else this.#byLength.set(term.length, [term]);
    return number;
  }
}
