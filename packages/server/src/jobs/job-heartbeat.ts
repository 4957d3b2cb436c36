import type { Clock } from '../kernel/clock.ts';
import { LeaseLost, type RunningJob } from './job-worker.ts';

const heartbeatMs = 2_000;

/** The abort reason when the process stops. */
export class JobStopped extends Error {}

/**
 * Renews the lease of a long job and saves its progress. The signal is aborted when the process
 * stops, and when the job was cancelled or leased by another worker.
 */
export class JobHeartbeat implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #job: RunningJob;
  readonly #abort = new AbortController();
  #share = 0;
  #timer: Disposable | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(clock: Clock, job: RunningJob) {
    this.#clock = clock;
    this.#job = job;
    job.stopSignal.addEventListener('abort', this.#stop, { once: true });
    if (job.stopSignal.aborted) this.#stop();
    this.#schedule();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Reports the progress, 0 to 1. Throws if the job must stop. */
  reportProgress(share: number): void {
    this.#share = share;
    this.signal.throwIfAborted();
  }

  readonly #stop = (): void => this.#abort.abort(new JobStopped());

  #schedule(): void {
    this.#timer = this.#clock.after(heartbeatMs, () => {
      this.#sending = this.#send();
    });
  }

  async #send(): Promise<void> {
    try {
      await this.#job.saveProgress(this.#share);
    } catch (error) {
      // The database may be reachable again at the next heartbeat.
      if (error instanceof LeaseLost) this.#abort.abort(error);
    }
    if (!this.signal.aborted) this.#schedule();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#job.stopSignal.removeEventListener('abort', this.#stop);
    await this.#sending;
    this.#timer?.[Symbol.dispose]();
  }
}
