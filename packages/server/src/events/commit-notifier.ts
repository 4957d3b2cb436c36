import type { EventType } from '@mneme/contract';
import { type AppLifetime, perApp } from '../kernel/per-app.ts';

/** What a transaction has committed. */
export interface CommittedChanges {
  /** Of its events. */
  readonly types: ReadonlySet<EventType>;
  /** Whether it changed documents of the search index. */
  readonly hasDocuments: boolean;
}

/** `changes` is null if they are not told. */
type Listener = (accountIds: ReadonlySet<string>, changes: CommittedChanges | null) => void;

/** The topic on which processes report new events to each other. */
export const eventsTopic = 'events';

/**
 * Notifies listeners of this process immediately after a commit, so that they need not wait for
 * their next poll.
 */
class CommitNotifier {
  readonly #listeners = new Set<Listener>();

  notify(accountIds: ReadonlySet<string>, changes: CommittedChanges | null = null): void {
    if (accountIds.size === 0) return;
    for (const listener of this.#listeners) listener(accountIds, changes);
  }

  /** A listener must not throw and must return quickly. */
  subscribe(listener: Listener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}

/** Notifies of new events. */
export const eventNotifier = perApp<AppLifetime, CommitNotifier>(() => new CommitNotifier());
/** Notifies of queued outbound mail. */
export const mailNotifier = perApp<AppLifetime, CommitNotifier>(() => new CommitNotifier());
/** Notifies of queued jobs. */
export const jobNotifier = perApp<AppLifetime, CommitNotifier>(() => new CommitNotifier());
