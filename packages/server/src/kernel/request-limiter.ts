import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { AppError } from './errors.ts';
import { type AppLifetime, perApp } from './per-app.ts';

const retryAfterSeconds = 1;
/** The pause between sequential requests of a client during which it still counts as active. */
const activityGraceMs = 100;
/** The share of all slots for requests with large bodies, in total and per account. */
const longShare = 1 / 2;
const accountShare = 1 / 4;

export interface RequestLimiterDeps extends AppLifetime {
  readonly config: Pick<Config, 'requestsMax'>;
  readonly clock: Clock;
}

/** The owner of a request: its account, or its network before authentication. */
export interface RequestClient {
  readonly kind: 'account' | 'address';
  readonly id: string;
}

/** Whether a request may write. */
export type RequestKind = 'read' | 'write';

/** The slot of one request. */
export interface RequestSlot {
  /** Assigns the slot to another client. Throws 503 service_unavailable. */
  reassign(client: RequestClient): void;
  /** Further calls have no effect. */
  release(): void;
}

/**
 * Limits the requests in progress in this process: when all of them wait for the database or a
 * model, further requests would only wait longer and use memory.
 *
 * A client gets another slot while it has fewer slots than are free: dynamic thresholds (Choudhury
 * and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998). A single
 * client gets at most half of all slots, two get a third each, and a client without slots is
 * admitted as long as a slot is free.
 */
export class RequestLimiter {
  readonly #max: number;
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #count = 0;
  readonly #activity = {
    read: { running: 0, lastMs: Number.NEGATIVE_INFINITY },
    write: { running: 0, lastMs: Number.NEGATIVE_INFINITY },
  };
  #longRequests = 0;
  readonly #slotsOf = new Map<string, number>();
  readonly #longRequestsOf = new Map<string, number>();

  constructor(max: number, clock: Clock) {
    this.#max = max;
    this.#clock = clock;
  }

  /** Throws 503 service_unavailable. */
  acquire(client: RequestClient): RequestSlot {
    if (this.#count >= this.#max) throw atCapacity();
    let key = this.#requireShare(client, this.#max - this.#count);
    this.#count += 1;
    add(this.#slotsOf, key, 1);
    let isHeld = true;
    return {
      reassign: (other) => {
        if (!isHeld) return;
        // The slot itself counts as free for the new client.
        const next = this.#requireShare(other, this.#max - this.#count + 1);
        add(this.#slotsOf, key, -1);
        add(this.#slotsOf, next, 1);
        key = next;
      },
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#count -= 1;
        add(this.#slotsOf, key, -1);
        if (this.#count === 0) for (const resume of this.#waiting) resume();
      },
    };
  }

  /** Resolves when no request is in progress, or after `maxMs`. */
  waitUntilIdle(maxMs: number): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const resume = (): void => {
        timer[Symbol.dispose]();
        this.#waiting.delete(resume);
        resolve();
      };
      const timer = this.#clock.after(maxMs, resume);
      this.#waiting.add(resume);
    });
  }

  #requireShare({ kind, id }: RequestClient, free: number): string {
    const key = `${kind} ${id}`;
    if ((this.#slotsOf.get(key) ?? 0) >= free) throw shareExceeded(kind);
    return key;
  }

  /** Throttles background work until the returned function is called. */
  beginActivity(kind: RequestKind): () => void {
    const activity = this.#activity[kind];
    activity.running += 1;
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      activity.running -= 1;
      activity.lastMs = this.#clock.monotonicMs();
    };
  }

  /** An additional permit for a request with a large body. Throws 503 service_unavailable. */
  acquireLongRequest(accountId: string): () => void {
    const ofAccount = this.#longRequestsOf.get(accountId) ?? 0;
    const isFull =
      ofAccount >= this.#slotsFor(accountShare) || this.#longRequests >= this.#slotsFor(longShare);
    if (isFull) throw unavailable('Too many uploads are in progress. Retry later.');
    this.#longRequests += 1;
    add(this.#longRequestsOf, accountId, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#longRequests -= 1;
      add(this.#longRequestsOf, accountId, -1);
    };
  }

  #slotsFor(share: number): number {
    return Math.max(1, Math.floor(this.#max * share));
  }

  /**
   * The kind of the requests that are in progress or ended within the grace period: `write` if one
   * of them may write, null without any.
   */
  get recentActivity(): RequestKind | null {
    if (this.#isActive('write')) return 'write';
    return this.#isActive('read') ? 'read' : null;
  }

  #isActive(kind: RequestKind): boolean {
    const { running, lastMs } = this.#activity[kind];
    return running > 0 || this.#clock.monotonicMs() - lastMs < activityGraceMs;
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

const unavailable = (message: string): AppError =>
  new AppError('service_unavailable', {
    message,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

const atCapacity = (): AppError => unavailable('The server is at capacity. Retry later.');

const shareExceeded = (kind: RequestClient['kind']): AppError =>
  unavailable(
    `Too many requests of this ${kind} are in progress. Wait until some have finished, then retry.`,
  );

export const requestLimiter = perApp<RequestLimiterDeps, RequestLimiter>(
  ({ config, clock }) => new RequestLimiter(config.requestsMax, clock),
);
