import { AppError } from '../../kernel/errors.ts';

/**
 * Memory of the large JSON bodies that are in this process at the same time: the bytes that have
 * arrived, and what their tokens take once they are parsed. One account has at most its share.
 */
export class BodyBudget {
  readonly #bytesMax: number;
  readonly #accountBytesMax: number;
  #bytes = 0;
  readonly #ofAccount = new Map<string, number>();

  constructor({ bytesMax, accountBytesMax }: { bytesMax: number; accountBytesMax: number }) {
    this.#bytesMax = bytesMax;
    this.#accountBytesMax = accountBytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Throws 503 service_unavailable. */
  acquire(accountId: string, bytes: number): void {
    const own = (this.#ofAccount.get(accountId) ?? 0) + bytes;
    if (this.#bytes + bytes > this.#bytesMax || own > this.#accountBytesMax) {
      throw new AppError('service_unavailable', {
        message: 'Too many large request bodies are being processed. Retry later.',
        headers: { 'retry-after': '1' },
      });
    }
    this.#bytes += bytes;
    this.#ofAccount.set(accountId, own);
  }

  release(accountId: string, bytes: number): void {
    this.#bytes -= bytes;
    const left = (this.#ofAccount.get(accountId) ?? 0) - bytes;
    if (left > 0) this.#ofAccount.set(accountId, left);
    else this.#ofAccount.delete(accountId);
  }
}
