/** Names as small numbers, in the order in which they were first seen. */
export class NameInterner {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  intern(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  nameOf(number: number): string {
    return this.#names[number] as string;
  }

  /** −1 for a name that was never seen. */
  find(name: string): number {
    return this.#numbers.get(name) ?? -1;
  }
}
