import type { Clock } from '../kernel/clock.ts';

/**
 * `single`: this process knows of no other one, and looks for work itself. Otherwise the processes
 * of the database wake each other, and the elected `leader` alone looks for work that becomes due.
 */
export type ProcessRole = 'single' | 'leader' | 'follower';

/** The accounts that a message is about; null: any. */
export type MessageListener = (accountIds: ReadonlySet<string> | null) => void;

export interface JoinOptions {
  /** Identifies this process. */
  readonly id: string;
  /** Whether it may become the leader: it runs the work that it finds. */
  readonly isCandidate: boolean;
}

/** The processes that use one database. */
export interface ProcessGroup {
  readonly role: ProcessRole;

  /**
   * Connects to the others. Until then, and without a connection, the role is `single`.
   */
  join(clock: Clock, options: JoinOptions): void;

  /**
   * Wakes the listeners of a topic in the other processes, shortly after. A message may be lost
   * with its sender or a connection: the leader also looks for what it was about.
   */
  publish(topic: string, accountIds?: ReadonlySet<string>): void;

  /** Messages of other processes. A listener must not throw and must return quickly. */
  subscribe(topic: string, listener: MessageListener): Disposable;

  /** Called when the role changes, and from time to time: messages may have been missed. */
  onCatchUp(listener: () => void): Disposable;
}

const nothing: Disposable = { [Symbol.dispose]: () => undefined };

/** Of a database that belongs to one process. */
export const singleProcess: ProcessGroup = {
  role: 'single',
  join: () => undefined,
  publish: () => undefined,
  subscribe: () => nothing,
  onCatchUp: () => nothing,
};
