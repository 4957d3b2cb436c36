import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { withSpan } from '../kernel/tracing.ts';
import type { Db, EngineDeps, TransactionOptions, Tx } from './engine.ts';
import { isRetryableError, NestedTransaction } from './errors.ts';

/** Sent in a transaction without a timeout; it also disables the client-side timeout. */
export const DISABLE_STATEMENT_TIMEOUT = 'set local statement_timeout = 0';

const ATTEMPTS_MAX = 5;
const BACKOFF_FIRST_MS = 5;

interface TransactionToken {
  open: boolean;
  /** Counted when traces are on. */
  statements: number;
}

/**
 * Tracks whether code runs inside a transaction of one engine. The embedded engine has one
 * connection, so a second use inside a transaction would deadlock. The server engine rejects it as
 * well, so that code behaves the same on both.
 */
export class TransactionScope {
  readonly #storage = new AsyncLocalStorage<TransactionToken>();

  /** Throws NestedTransaction inside an open transaction. */
  assertOutside(): void {
    if (this.#storage.getStore()?.open) throw new NestedTransaction();
  }

  /** Counts a statement of the open transaction; false outside of one. */
  countStatement(): boolean {
    const token = this.#storage.getStore();
    if (!token?.open) return false;
    token.statements += 1;
    return true;
  }

  /** The number of counted statements of the open transaction. */
  get statements(): number {
    return this.#storage.getStore()?.statements ?? 0;
  }

  /** Marks all work that `fn` starts as inside, until `fn` settles. */
  async run<T>(fn: () => Promise<T>): Promise<T> {
    const token = { open: true, statements: 0 };
    try {
      return await this.#storage.run(token, fn);
    } finally {
      // Work that outlives the transaction (a timer, a batch) is outside it.
      token.open = false;
    }
  }
}

/** Runs `fn` in a transaction and retries after conflicts. Throws the error of the last attempt. */
export function runTransaction<T>(
  db: Db,
  scope: TransactionScope,
  deps: EngineDeps,
  fn: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  if (!deps.isTraced) return runAttempts(db, scope, deps, fn, options);
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': 'TRANSACTION' };
  return withSpan('transaction', { kind: 'client', attributes }, (span) =>
    runAttempts(
      db,
      scope,
      deps,
      async (tx) => {
        const result = await fn(tx);
        span?.setAttributes({ 'mneme.db.statements': scope.statements });
        return result;
      },
      options,
    ),
  );
}

async function runAttempts<T>(
  db: Db,
  scope: TransactionScope,
  deps: EngineDeps,
  fn: (tx: Tx) => Promise<T>,
  { isSnapshot = false }: TransactionOptions,
): Promise<T> {
  scope.assertOutside();
  const sleep = deps.sleep ?? ((ms: number) => wait(ms));
  const random = deps.random ?? (() => 0.5);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const transaction = isSnapshot
        ? db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
        : db.transaction();
      return await transaction.execute((tx) => scope.run(() => fn(tx)));
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isRetryableError(error)) throw error;
      const ceilingMs = BACKOFF_FIRST_MS * 2 ** attempt;
      await sleep(ceilingMs * (0.5 + random() / 2));
    }
  }
}
