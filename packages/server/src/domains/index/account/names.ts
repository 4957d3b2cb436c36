/** Names as small numbers, in the order in which they were first seen. */
export class Names {
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** −1 for a name that was never seen. */
  find(name: string): number {
    return this.#numbers.get(name) ?? -1;
  }
}
