import type { FactsEnd, Successors } from '../model.ts';

type KnownSuccessors = Omit<Successors, 'id'>;

/** What may hold instead of documents, by their numbers; most have nothing. */
export class DocumentSuccessors {
  /** Ids of what supersedes a document. */
  readonly supersededBy = new Map<number, readonly string[]>();
  /** Ids of what probably outdates a document. */
  readonly likelySupersededBy = new Map<number, readonly string[]>();
  /** Of the facts that a document states, where none holds any more. */
  readonly factsEnd = new Map<number, FactsEnd>();

  get size(): number {
    return this.supersededBy.size + this.likelySupersededBy.size + this.factsEnd.size;
  }

  has(number: number): boolean {
    return (
      this.supersededBy.has(number) ||
      this.likelySupersededBy.has(number) ||
      this.factsEnd.has(number)
    );
  }

  /** What is undefined stays as it is. */
  set(number: number, { supersededBy, likelySupersededBy, factsEnd }: KnownSuccessors): void {
    if (supersededBy) setOrDelete(this.supersededBy, number, unlessEmpty(supersededBy));
    if (likelySupersededBy) {
      setOrDelete(this.likelySupersededBy, number, unlessEmpty(likelySupersededBy));
    }
    if (factsEnd !== undefined) setOrDelete(this.factsEnd, number, factsEnd);
  }

  delete(number: number): void {
    this.supersededBy.delete(number);
    this.likelySupersededBy.delete(number);
    this.factsEnd.delete(number);
  }
}

const unlessEmpty = <T>(values: readonly T[]): readonly T[] | null =>
  values.length > 0 ? values : null;

function setOrDelete<T>(values: Map<number, T>, number: number, value: T | null): void {
  if (value === null) values.delete(number);
  else values.set(number, value);
}
