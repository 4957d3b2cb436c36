const namesMax = 1_000;
/** Longer statements contain literal lists of values and are rarely repeated verbatim. */
const charactersMax = 20_000;

/**
 * Names for repeated statements, so that each connection parses them once. A connection never
 * closes a named statement, so only repeated statements get a name, and their number is limited.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  /** Statements seen once, oldest first. */
  readonly #seen = new Set<string>();

  /** Undefined: send it unnamed, to be parsed each time. */
  getName(text: string): string | undefined {
    const existing = this.#names.get(text);
    if (existing !== undefined) return existing;
    if (text.length > charactersMax || this.#names.size === namesMax) return undefined;
    if (!this.#seen.delete(text)) {
      this.#remember(text);
      return undefined;
    }
    const name = `mneme_${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }

  #remember(text: string): void {
    this.#seen.add(text);
    if (this.#seen.size <= namesMax) return;
    for (const oldest of this.#seen) {
      this.#seen.delete(oldest);
      return;
    }
  }
}
