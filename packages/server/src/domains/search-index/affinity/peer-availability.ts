import type { Clock } from '../../../kernel/clock.ts';

/** A peer that failed gets no searches for so long, and then a single one as a trial. */
const avoidedMs = 5_000;

interface FailedPeer {
  untilMs: number;
  hasTrial: boolean;
}

interface AvailabilityOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** The peer failed, for the first time since it last answered. */
  onAvoid(id: string, error: unknown): void;
  onReturn(id: string): void;
}

/** Which peers to avoid, because they failed a moment ago: a circuit breaker for each. */
export class PeerAvailability {
  readonly #options: AvailabilityOptions;
  readonly #failed = new Map<string, FailedPeer>();

  constructor(options: AvailabilityOptions) {
    this.#options = options;
  }

  isAvailable(id: string): boolean {
    const failed = this.#failed.get(id);
    if (failed === undefined) return true;
    return !failed.hasTrial && this.#options.clock.monotonicMs() >= failed.untilMs;
  }

  /** Call it before each attempt. */
  beginAttempt(id: string): void {
    const failed = this.#failed.get(id);
    if (failed) failed.hasTrial = true;
  }

  recordSuccess(id: string): void {
    if (this.#failed.delete(id)) this.#options.onReturn(id);
  }

  recordFailure(id: string, error: unknown): void {
    const isNew = !this.#failed.has(id);
    const untilMs = this.#options.clock.monotonicMs() + avoidedMs;
    this.#failed.set(id, { untilMs, hasTrial: false });
    if (isNew) this.#options.onAvoid(id, error);
  }

  /** The attempt says nothing about the peer. */
  recordNothing(id: string): void {
    const failed = this.#failed.get(id);
    if (failed) failed.hasTrial = false;
  }

  /** Forgets the processes that are gone. */
  keepOnly(ids: readonly string[]): void {
    for (const id of this.#failed.keys()) if (!ids.includes(id)) this.#failed.delete(id);
  }
}
