import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { AppError } from './errors.ts';
import { type AppScope, perApp } from './per-app.ts';

const retryAfterSeconds = 1;
/** A client that writes one after the other is still at it between two of its requests. */
const writeGraceMs = 100;
/** Of all slots, those that bodies which come for long may take, and those of one account. */
const longShare = 1 / 2;
const accountShare = 1 / 4;

/** What has requests. */
export interface LimiterScope extends AppScope {
  readonly config: Pick<Config, 'requestsMax'>;
  readonly clock: Clock;
}

/** For whom a request counts: an account, or where none is known the network it comes from. */
export interface Client {
  readonly kind: 'account' | 'address';
  readonly id: string;
}

/** The slot of one request. */
export interface Slot {
  /** From now on it counts for another client. Throws 503 service_unavailable. */
  reassign(client: Client): void;
  /** To be called once or more. */
  release(): void;
}

/**
 * Limits the requests in progress in this process. Where the database or a model keeps all of them
 * waiting, one more would only wait longer, and what waits takes memory.
 *
 * A client gets another slot while it holds fewer than are free: dynamic thresholds (Choudhury and
 * Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998). One client
 * alone takes at most half of all slots, two take a third each, and one that holds none is let in
 * for as long as there is any.
 */
export class RequestLimiter {
  readonly #max: number;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #count = 0;
  #changing = 0;
  #lastChangedMs = Number.NEGATIVE_INFINITY;
  #longCount = 0;
  readonly #slotsOf = new Map<string, number>();
  readonly #longOf = new Map<string, number>();

  constructor(max: number, clock: Pick<Clock, 'monotonicMs'>) {
    this.#max = max;
    this.#clock = clock;
  }

  /** Throws 503 service_unavailable. */
  acquire(client: Client): Slot {
    if (this.#count >= this.#max) throw atCapacity();
    let key = this.#requireShare(client, this.#max - this.#count);
    this.#count += 1;
    add(this.#slotsOf, key, 1);
    let isHeld = true;
    return {
      reassign: (other) => {
        if (!isHeld) return;
        // Its own slot is one that it may have.
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
      },
    };
  }

  #requireShare({ kind, id }: Client, free: number): string {
    const key = `${kind} ${id}`;
    if ((this.#slotsOf.get(key) ?? 0) >= free) throw shareExceeded(kind);
    return key;
  }

  /** Background work gives way until the returned function is called. */
  beginWrite(): () => void {
    this.#changing += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#changing -= 1;
      this.#lastChangedMs = this.#clock.monotonicMs();
    };
  }

  /** The way out for a body that may come for long, besides. Throws 503 service_unavailable. */
  acquireLongRequest(accountId: string): () => void {
    const own = this.#longOf.get(accountId) ?? 0;
    const isFull = own >= this.#places(accountShare) || this.#longCount >= this.#places(longShare);
    if (isFull) throw unavailable('Too many uploads are in progress. Retry later.');
    this.#longCount += 1;
    add(this.#longOf, accountId, 1);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#longCount -= 1;
      add(this.#longOf, accountId, -1);
    };
  }

  #places(share: number): number {
    return Math.max(1, Math.floor(this.#max * share));
  }

  /** Whether requests that may change something are under way, or were a moment ago. */
  get hasRecentWrites(): boolean {
    return this.#changing > 0 || this.#clock.monotonicMs() - this.#lastChangedMs < writeGraceMs;
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

const shareExceeded = (kind: Client['kind']): AppError =>
  unavailable(
    `Too many requests of this ${kind} are in progress. Wait until some have finished, then retry.`,
  );

export const requestLimiter = perApp<LimiterScope, RequestLimiter>(
  ({ config, clock }) => new RequestLimiter(config.requestsMax, clock),
);
