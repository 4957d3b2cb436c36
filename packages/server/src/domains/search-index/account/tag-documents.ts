import { GrowingInts } from './growing-ints.ts';

/** Which documents have a tag: lists that only grow, as do those of terms. */
export class TagDocuments {
  readonly #documents = new Map<string, GrowingInts>();

  /** Documents must be added in the order of their numbers. */
  add(document: number, tags: readonly string[]): void {
    for (const tag of tags) {
      const known = this.#documents.get(tag);
      if (!known) this.#documents.set(tag, listOf(document));
      else if (known.at(known.length - 1) !== document) known.push(document);
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
