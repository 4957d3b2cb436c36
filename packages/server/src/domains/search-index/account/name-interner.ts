/** Maps names to small integers, in the order of their first occurrence. */
export class NameInterner {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  intern(name: string): number {
    const existing = this.#numbers.get(name);
    if (existing !== undefined) return existing;
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  nameOf(number: number): string {
    return this.#names[number] as string;
  }

  /** −1 for an unknown name. */
  find(name: string): number {
    return this.#numbers.get(name) ?? -1;
  }
}
