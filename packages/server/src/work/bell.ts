import { type Scope, service } from '../kernel/service.ts';

type Listener = (accountIds: ReadonlySet<string>) => void;

/**
 * Says that accounts have something new, at once after the commit and in this process alone: who
 * listens need not wait for its next poll, and polls all the same, for what others commit.
 */
class Bell {
  readonly #listeners = new Set<Listener>();

  ring(accountIds: ReadonlySet<string>): void {
    if (accountIds.size === 0) return;
    for (const listener of this.#listeners) listener(accountIds);
  }

  /** A listener must not throw, and leaves longer work for later. */
  listen(listener: Listener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}

/** For events. */
export const bell = service<Scope, Bell>(() => new Bell());
/** For mail that is to leave. */
export const mailBell = service<Scope, Bell>(() => new Bell());
/** For jobs that are queued. */
export const jobBell = service<Scope, Bell>(() => new Bell());
