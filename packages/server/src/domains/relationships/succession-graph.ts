import { AppError } from '../../kernel/errors.ts';

/** Says that one memory supersedes another. */
export interface SuccessionEdge {
  readonly newerId: string;
  readonly olderId: string;
}

export const selfSuccessionError = (olderId: string): AppError =>
  new AppError('conflict', {
    message:
      'A memory cannot supersede itself: the older memory is the newer one, or supersedes it ' +
      'already, directly or over others.',
    details: { memory_id: olderId },
  });

/** What supersedes what. It stays without cycles: a memory cannot supersede itself. */
export class SuccessionGraph {
  readonly #olderIds = new Map<string, Set<string>>();

  /** @param stored may have a cycle, which further edges are not blamed for */
  constructor(stored: readonly SuccessionEdge[]) {
    for (const edge of stored) this.add(edge);
  }

  /** Throws 409 conflict if the older memory supersedes the newer one, over any number of steps. */
  requireNoCycle({ newerId, olderId }: SuccessionEdge): void {
    if (this.#supersedes(olderId, newerId)) throw selfSuccessionError(olderId);
  }

  add({ newerId, olderId }: SuccessionEdge): void {
    const olderIds = this.#olderIds.get(newerId) ?? new Set();
    this.#olderIds.set(newerId, olderIds.add(olderId));
  }

  #supersedes(newerId: string, olderId: string): boolean {
    const seen = new Set([newerId]);
    // A set visits what is added while it is iterated.
    for (const id of seen) {
      if (id === olderId) return true;
      for (const older of this.#olderIds.get(id) ?? []) seen.add(older);
    }
    return false;
  }
}
