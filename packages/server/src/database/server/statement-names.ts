const namesMax = 1_000;
/** Longer ones are lists of values written out, and hardly come again word for word. */
const charactersMax = 20_000;

/**
 * Names for statements that come again, so that each connection parses them once. A connection
 * never forgets a name: only what is asked a second time gets one, and only so many do.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  /** Asked once, the oldest first. */
  readonly #seen = new Set<string>();

  /** Undefined: sent unnamed, and parsed each time. */
  getName(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (text.length > charactersMax || this.#names.size === namesMax) return undefined;
    if (!this.#seen.delete(text)) {
      this.#note(text);
      return undefined;
    }
    const name = `mneme_${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }

  #note(text: string): void {
    this.#seen.add(text);
    if (this.#seen.size <= namesMax) return;
    for (const oldest of this.#seen) {
      this.#seen.delete(oldest);
      return;
    }
  }
}
