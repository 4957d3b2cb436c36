import { GrowingInts } from './growing-ints.ts';

/** Which documents have a tag: lists that only grow, as do those of terms. */
export class TagDocuments {
  readonly #documents = new Map<string, GrowingInts>();
  /** The lengths of all lists together. */
  occurrences = 0;

  /** Distinct tags. */
  get count(): number {
    return this.#documents.size;
  }

  /** Documents must be added in the order of their numbers. */
  add(document: number, tags: readonly string[]): void {
    for (const tag of tags) {
      const known = this.#documents.get(tag);
      if (known?.at(known.length - 1) === document) continue;
      if (known) known.push(document);
      else this.#documents.set(tag, listOf(document));
      this.occurrences += 1;
    }
  }

  /** Numbers in order, including those of dead documents: a view that `add` may make stale. */
  of(tag: string): Int32Array {
    return this.#documents.get(tag)?.view() ?? new Int32Array(0);
  }
}

function listOf(document: number): GrowingInts {
  const list = new GrowingInts();
  list.push(document);
  return list;
}
