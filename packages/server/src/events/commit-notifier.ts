import { type AppScope, perApp } from '../kernel/per-app.ts';

type Listener = (accountIds: ReadonlySet<string>) => void;

/**
 * Says that accounts have something new, at once after the commit and in this process alone: who
 * listens need not wait for its next poll, and polls all the same, for what others commit.
 */
class CommitNotifier {
  readonly #listeners = new Set<Listener>();

  notify(accountIds: ReadonlySet<string>): void {
    if (accountIds.size === 0) return;
    for (const listener of this.#listeners) listener(accountIds);
  }

  /** A listener must not throw, and leaves longer work for later. */
  subscribe(listener: Listener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}

/** For events. */
export const eventNotifier = perApp<AppScope, CommitNotifier>(() => new CommitNotifier());
/** For mail that is to leave. */
export const mailNotifier = perApp<AppScope, CommitNotifier>(() => new CommitNotifier());
/** For jobs that are queued. */
export const jobNotifier = perApp<AppScope, CommitNotifier>(() => new CommitNotifier());
