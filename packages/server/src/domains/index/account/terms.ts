import { commonness } from '../../../text/commonness.ts';
import { emptyPosting, GrowingInts, type Posting } from './postings.ts';

/** The terms of an account, each with where it occurs. */
export class Terms {
  readonly postings: Posting[] = [];
  readonly #numbers = new Map<string, number>();
  /** Distinct terms of each passage, passage after passage. */
  readonly #ofPassages = new GrowingInts(1_024);
  /** By passage number: where its terms end in that list. */
  readonly #ends = new GrowingInts(256);
  /** By length of the term, for those that are looked up by likeness. */
  readonly #byLength = new Map<number, string[]>();
  /** By term: the last walk that met it. */
  #counted = new Int32Array(256);
  #stamp = 0;

  find(term: string): Posting | undefined {
    const number = this.#numbers.get(term);
    return number === undefined ? undefined : this.postings[number];
  }

  /** Adds a passage; they come in the order of their numbers. */
  add(passage: number, terms: readonly { term: string; count: number }[]): void {
    for (const { term, count } of terms) {
      const number = this.#numberOf(term);
      const posting = this.postings[number] as Posting;
      posting.passages.push(passage);
      posting.counts.push(count);
      this.#ofPassages.push(number);
    }
    this.#ends.push(this.#ofPassages.length);
  }

  /** Raises or lowers the document frequency of each term that the passages hold. */
  countDocument(passages: readonly [from: number, to: number], sign: 1 | -1): void {
    this.eachDistinct(passages, (posting) => {
      posting.documents += sign;
    });
  }

  /** Every distinct term of the passages. */
  eachDistinct(
    [from, to]: readonly [number, number],
    visit: (posting: Posting, term: number) => void,
  ): void {
    const counted = this.#counted;
    this.#stamp += 1;
    const stamp = this.#stamp;
    const end = to === 0 ? 0 : this.#ends.at(to - 1);
    for (let i = from === 0 ? 0 : this.#ends.at(from - 1); i < end; i += 1) {
      const term = this.#ofPassages.at(i);
      if (counted[term] === stamp) continue;
      counted[term] = stamp;
      visit(this.postings[term] as Posting, term);
    }
  }

  /** Terms of about a length, in which a misspelt one may be looked for. */
  ofLength(characters: number): readonly string[] {
    return this.#byLength.get(characters) ?? [];
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.postings.length;
    this.#numbers.set(term, number);
    this.postings.push(emptyPosting(commonness(term)));
    const alike = this.#byLength.get(term.length);
    if (alike) alike.push(term);
    else this.#byLength.set(term.length, [term]);
    if (number >= this.#counted.length) {
      const wider = new Int32Array(this.#counted.length * 2);
      wider.set(this.#counted);
      this.#counted = wider;
    }
    return number;
  }
}
