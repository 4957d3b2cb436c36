/** A list of touched numbers, in order, in reused memory. */
export class ReusableIntList {
  #numbers = new Int32Array(1_024);
  length = 0;

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const wider = new Int32Array(this.length * 2);
      wider.set(this.#numbers);
      this.#numbers = wider;
    }
    this.#numbers[this.length] = number;
    this.length += 1;
  }

  at(index: number): number {
    return this.#numbers[index] as number;
  }

  /** A view, valid until the next push. */
  view(): Int32Array {
    return this.#numbers.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }
}
