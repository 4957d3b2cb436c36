/** An occurrence is five numbers. */
const stride = 5;
const documentAt = 0;
const termAt = 1;
const passageAt = 2;
const countAt = 3;
const nextAt = 4;

/** Where documents have the terms of a query: each document's occurrences are a linked list. */
export class Occurrences {
  #numbers = new Int32Array(1_024 * stride);
  length = 0;

  /** @param first by document: where its list begins, plus 1 */
  add(document: number, term: number, passage: number, count: number, first: Int32Array): void {
    const from = this.length * stride;
    if (from === this.#numbers.length) {
      const wider = new Int32Array(from * 2);
      wider.set(this.#numbers);
      this.#numbers = wider;
    }
    this.length += 1;
    this.#numbers[from + documentAt] = document;
    this.#numbers[from + termAt] = term;
    this.#numbers[from + passageAt] = passage;
    this.#numbers[from + countAt] = count;
    this.#numbers[from + nextAt] = first[document] as number;
    first[document] = this.length;
  }

  documentOf(occurrence: number): number {
    return this.#numbers[occurrence * stride + documentAt] as number;
  }

  /** The position of the term in the query. */
  termOf(occurrence: number): number {
    return this.#numbers[occurrence * stride + termAt] as number;
  }

  passageOf(occurrence: number): number {
    return this.#numbers[occurrence * stride + passageAt] as number;
  }

  countOf(occurrence: number): number {
    return this.#numbers[occurrence * stride + countAt] as number;
  }

  /** The next in the document's list, which was added before, plus 1; 0: it is the last. */
  nextOf(occurrence: number): number {
    return this.#numbers[occurrence * stride + nextAt] as number;
  }
}
