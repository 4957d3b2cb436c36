import type { Clock } from '../kernel/clock.ts';
import { LeaseRenewal } from '../kernel/lease.ts';
import type { RunningJob } from './job-worker.ts';

const heartbeatMs = 2_000;

/** The abort reason when the process stops. */
export class JobStopped extends Error {}

/**
 * Renews the lease of a long job and saves its progress. The signal is aborted when the process
 * stops, and when the job was cancelled or leased by another worker.
 */
export class JobHeartbeat implements AsyncDisposable {
  readonly signal: AbortSignal;
  readonly #job: RunningJob;
  readonly #renewal: LeaseRenewal;
  readonly #stopping = new AbortController();
  #share = 0;

  constructor(clock: Clock, job: RunningJob) {
    this.#job = job;
    this.#renewal = new LeaseRenewal(clock, {
      intervalMs: heartbeatMs,
      renew: () => job.saveProgress(this.#share),
      // The database may be reachable again at the next heartbeat.
      onError: () => undefined,
    });
    this.signal = AbortSignal.any([this.#stopping.signal, this.#renewal.lost]);
    job.stopSignal.addEventListener('abort', this.#stop, { once: true });
    if (job.stopSignal.aborted) this.#stop();
  }

  /** Reports the progress, 0 to 1. Throws if the job must stop. */
  reportProgress(share: number): void {
    this.#share = share;
    this.signal.throwIfAborted();
  }

  readonly #stop = (): void => this.#stopping.abort(new JobStopped());

  async [Symbol.asyncDispose](): Promise<void> {
    this.#job.stopSignal.removeEventListener('abort', this.#stop);
    await this.#renewal[Symbol.asyncDispose]();
  }
}
