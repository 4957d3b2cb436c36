import type { Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { AppError } from '../kernel/errors.ts';
import { type Scope, service } from '../kernel/service.ts';

const comeAgainSeconds = 1;
/** A client that writes one after the other is still at it between two of its requests. */
const breathMs = 100;
/** Of all places, those that bodies which come for long may take, and those of one account. */
const longShare = 1 / 2;
const accountShare = 1 / 4;

/** What has requests. */
export interface Crowded extends Scope {
  readonly config: Pick<Config, 'requestsMax'>;
  readonly clock: Clock;
}

/**
 * Requests under way in this process. Where the database or a model keeps all of them waiting, one
 * more would only wait longer, and what waits takes memory. Work that can wait gives way to those
 * that may change something. Uploads stay for as long as their bytes come, never in all places.
 */
export class Crowd {
  readonly #max: number;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #count = 0;
  #changing = 0;
  #lastChangedMs = Number.NEGATIVE_INFINITY;
  #longCount = 0;
  readonly #longOf = new Map<string, number>();

  constructor(max: number, clock: Pick<Clock, 'monotonicMs'>) {
    this.#max = max;
    this.#clock = clock;
  }

  /** The way out, to be called once or more. Throws 503 service_unavailable. */
  enter({ mayChange }: { mayChange: boolean }): () => void {
    if (this.#count >= this.#max) throw full('requests');
    this.#count += 1;
    if (mayChange) this.#changing += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#count -= 1;
      if (!mayChange) return;
      this.#changing -= 1;
      this.#lastChangedMs = this.#clock.monotonicMs();
    };
  }

  /** The way out for a body that may come for long, besides. Throws 503 service_unavailable. */
  enterForLong(accountId: string): () => void {
    const own = this.#longOf.get(accountId) ?? 0;
    const isFull = own >= this.#places(accountShare) || this.#longCount >= this.#places(longShare);
    if (isFull) throw full('uploads');
    this.#longCount += 1;
    this.#longOf.set(accountId, own + 1);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#longCount -= 1;
      const left = (this.#longOf.get(accountId) ?? 1) - 1;
      if (left > 0) this.#longOf.set(accountId, left);
      else this.#longOf.delete(accountId);
    };
  }

  #places(share: number): number {
    return Math.max(1, Math.floor(this.#max * share));
  }

  /** Whether requests that may change something are under way, or were a moment ago. */
  get isChanging(): boolean {
    return this.#changing > 0 || this.#clock.monotonicMs() - this.#lastChangedMs < breathMs;
  }
}

const full = (what: 'requests' | 'uploads'): AppError =>
  new AppError('service_unavailable', {
    message: `Too many ${what} are under way here: come again a little later.`,
    headers: { 'retry-after': String(comeAgainSeconds) },
  });

export const crowd = service<Crowded, Crowd>(
  ({ config, clock }) => new Crowd(config.requestsMax, clock),
);
