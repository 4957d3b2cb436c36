import { isStorageError } from '../database/index.ts';

/** After this many failures alone an element is skipped. */
const failuresMax = 3;

/** How the next batch of an account is processed. */
export interface BatchPlan {
  /** One element only. */
  readonly isSingle: boolean;
  /** The element failed too often: it is left as it is. */
  readonly skip: boolean;
}

/**
 * Isolates the element that makes the batches of an account fail: after a failure batches have one
 * element, and an element that fails three times is skipped.
 */
export class BatchFailures {
  /** By account: failures since the last success. */
  readonly #failures = new Map<string, number>();

  plan(accountId: string): BatchPlan {
    const failures = this.#failures.get(accountId) ?? 0;
    return { isSingle: failures > 0, skip: failures >= failuresMax };
  }

  /** @param hasMore the account has further elements, of which one made a batch fail before */
  succeeded(accountId: string, { skip }: BatchPlan, hasMore: boolean): void {
    const failures = this.#failures.get(accountId) ?? 0;
    if (skip || !hasMore) this.#failures.delete(accountId);
    // The next one has failed only together with the others so far, not alone.
    else if (failures > 1) this.#failures.set(accountId, 1);
  }

  /** Errors of the storage are not caused by an element, and do not count. */
  failed(accountId: string, error: unknown): void {
    if (isStorageError(error)) return;
    this.#failures.set(accountId, (this.#failures.get(accountId) ?? 0) + 1);
  }
}
