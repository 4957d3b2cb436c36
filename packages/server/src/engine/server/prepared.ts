const namesMax = 1_000;
/** Longer ones are lists of values written out, and hardly come again word for word. */
const charactersMax = 20_000;

/**
 * Names for statements that come again, so that each connection parses them once. A connection
 * never forgets a name: only what is asked a second time gets one, and only so many do.
 */
export class StatementNames {
  readonly #names = new Map<string, string | null>();
  #named = 0;

  /** Undefined: sent unnamed, and parsed each time. */
  of(text: string): string | undefined {
    if (text.length > charactersMax) return undefined;
    const known = this.#names.get(text);
    if (typeof known === 'string') return known;
    if (known === undefined) {
      this.#note(text);
      return undefined;
    }
    if (this.#named === namesMax) return undefined;
    this.#named += 1;
    const name = `mneme_${this.#named}`;
    this.#names.set(text, name);
    return name;
  }

  /** Of those that were seen once, the oldest is dropped where there are too many. */
  #note(text: string): void {
    this.#names.set(text, null);
    if (this.#names.size <= 2 * namesMax) return;
    for (const [oldest, name] of this.#names) {
      if (name !== null) continue;
      this.#names.delete(oldest);
      return;
    }
  }
}
