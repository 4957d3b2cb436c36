import { GrowingInts } from './growing-ints.ts';
import { type PostingList, Postings } from './postings.ts';

/** The terms of an account, each with where it occurs. */
export class Terms {
  readonly #numbers = new Map<string, number>();
  readonly #postings = new Postings();
  /** By term: live documents that hold it. */
  readonly #documents = new GrowingInts();
  /** Distinct terms of each passage, passage after passage. */
  readonly #ofPassages = new GrowingInts();
  /** By passage number: where its terms end in that list. */
  readonly #ends = new GrowingInts();
  /** By length of the term, for those that are looked up by likeness. */
  readonly #byLength = new Map<number, string[]>();
  /** By term: the last walk that met it. */
  readonly #counted = new GrowingInts();
  #walk = 0;

  /** Distinct terms, those of dead documents among them. */
  get count(): number {
    return this.#documents.length;
  }

  /** Terms of all passages together. */
  get occurrences(): number {
    return this.#ofPassages.length;
  }

  find(term: string): PostingList | undefined {
    const number = this.#numbers.get(term);
    return number === undefined ? undefined : this.#postings.of(number);
  }

  /** How many live documents of the account hold a term. */
  documentsWith(term: string): number {
    const number = this.#numbers.get(term);
    return number === undefined ? 0 : this.#documents.at(number);
  }

  /** Adds a passage; they come in the order of their numbers. */
  add(passage: number, terms: readonly { term: string; count: number }[]): void {
    for (const { term, count } of terms) {
      const number = this.#numberOf(term);
      this.#postings.push(number, passage, count);
      this.#ofPassages.push(number);
    }
    this.#ends.push(this.#ofPassages.length);
  }

  /** Raises or lowers the document frequency of each term that a document's passages hold. */
  countDocument([from, to]: readonly [from: number, to: number], sign: 1 | -1): void {
    this.#walk += 1;
    const end = to === 0 ? 0 : this.#ends.at(to - 1);
    for (let i = from === 0 ? 0 : this.#ends.at(from - 1); i < end; i += 1) {
      const term = this.#ofPassages.at(i);
      if (this.#counted.at(term) === this.#walk) continue;
      this.#counted.set(term, this.#walk);
      this.#documents.set(term, this.#documents.at(term) + sign);
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
    this.#documents.push(0);
    this.#counted.push(0);
    this.#numbers.set(term, number);
    const alike = this.#byLength.get(term.length);
    if (alike) alike.push(term);
    else this.#byLength.set(term.length, [term]);
    return number;
  }
}
