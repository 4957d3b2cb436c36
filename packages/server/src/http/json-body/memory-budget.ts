import { AppError } from '../../kernel/errors.ts';

/**
 * Limits the memory of concurrent large JSON bodies in this process, in total and per account: the
 * received bytes and the memory of their parsed tokens.
 */
export class BodyMemoryBudget {
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
    const remaining = (this.#ofAccount.get(accountId) ?? 0) - bytes;
    if (remaining > 0) this.#ofAccount.set(accountId, remaining);
    else this.#ofAccount.delete(accountId);
  }
}
