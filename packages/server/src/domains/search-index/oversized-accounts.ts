interface OversizedAccountsOptions {
  monotonicMs(): number;
  /** Takes an unused account out of memory. It must not reject: it handles its own errors. */
  release(accountId: string): Promise<void>;
}

interface WaitingAccount {
  /** Callers that use the account as soon as it is active. */
  uses: number;
  readonly activated: PromiseWithResolvers<void>;
}

/**
 * Decides which of the accounts that are larger than the memory limit alone is in memory: one at a
 * time, the active one. The callers of an account use it together. Once another account waits, new
 * callers wait behind that, so that each change of the active account serves all callers of an
 * account and none waits forever.
 */
export class OversizedAccounts {
  readonly #options: OversizedAccountsOptions;
  readonly #known = new Set<string>();
  /** Running uses of any account: it may turn out to be oversized while it is loaded. */
  readonly #uses = new Map<string, number>();
  /** In order of arrival. */
  readonly #waiting = new Map<string, WaitingAccount>();
  #active: string | null = null;
  #isReleasing = false;
  #lastUseMs = 0;

  constructor(options: OversizedAccountsOptions) {
    this.#options = options;
  }

  has(accountId: string): boolean {
    return this.#known.has(accountId);
  }

  /** The accounts that are known to be oversized, in memory or not. */
  [Symbol.iterator](): Iterator<string> {
    return this.#known.values();
  }

  /** Whether `enter` resolves at once. */
  canEnter(accountId: string): boolean {
    const isActive = this.#active === accountId && !this.#isReleasing && this.#waiting.size === 0;
    return isActive || !this.#known.has(accountId);
  }

  /** Begins a use of an account, which `leave` ends. Resolves when an oversized one is active. */
  enter(accountId: string): Promise<void> {
    if (this.canEnter(accountId)) {
      this.#addUses(accountId, 1);
      return Promise.resolve();
    }
    const waiting = this.#waitFor(accountId);
    waiting.uses += 1;
    this.#advance();
    return waiting.activated.promise;
  }

  leave(accountId: string): void {
    this.#addUses(accountId, -1);
    this.#advance();
  }

  /**
   * An account that has a use is oversized. Resolves when it is active: its load must not continue
   * before.
   */
  add(accountId: string): Promise<void> {
    if (!this.#known.has(accountId)) {
      this.#known.add(accountId);
      this.#waitFor(accountId);
      this.#advance();
    }
    // While it is active, only new callers wait.
    if (this.#active === accountId) return Promise.resolve();
    return this.#waiting.get(accountId)?.activated.promise ?? Promise.resolve();
  }

  /** An account is not oversized any more. */
  delete(accountId: string): void {
    if (!this.#known.delete(accountId)) return;
    this.#admit(accountId);
    if (this.#active === accountId && !this.#isReleasing) this.#active = null;
    this.#advance();
  }

  /** Releases the active account if nothing has used it for so long. */
  releaseIdle(idleMs: number): void {
    if (this.#options.monotonicMs() - this.#lastUseMs >= idleMs) this.#releaseUnused();
  }

  #addUses(accountId: string, added: number): void {
    const uses = (this.#uses.get(accountId) ?? 0) + added;
    if (uses > 0) this.#uses.set(accountId, uses);
    else this.#uses.delete(accountId);
    if (accountId === this.#active) this.#lastUseMs = this.#options.monotonicMs();
  }

  #waitFor(accountId: string): WaitingAccount {
    const waiting = this.#waiting.get(accountId) ?? {
      uses: 0,
      activated: Promise.withResolvers<void>(),
    };
    this.#waiting.set(accountId, waiting);
    return waiting;
  }

  /** Makes the next account active if that is possible now. */
  #advance(): void {
    const [next] = this.#waiting.keys();
    if (next === undefined || this.#isReleasing) return;
    if (this.#active !== null) {
      this.#releaseUnused();
      return;
    }
    this.#active = next;
    this.#admit(next);
    this.#advance();
  }

  #admit(accountId: string): void {
    const waiting = this.#waiting.get(accountId);
    if (!waiting) return;
    this.#waiting.delete(accountId);
    this.#addUses(accountId, waiting.uses);
    waiting.activated.resolve();
  }

  #releaseUnused(): void {
    if (this.#active === null || this.#isReleasing || this.#uses.has(this.#active)) return;
    this.#isReleasing = true;
    void this.#options.release(this.#active).finally(() => {
      this.#isReleasing = false;
      this.#active = null;
      this.#advance();
    });
  }
}
