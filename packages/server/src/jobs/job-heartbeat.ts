import type { Clock } from '../kernel/clock.ts';
import { LeaseLost, type RunningJob } from './job-worker.ts';

const heartbeatMs = 2_000;

/** Why a run leaves off: the process stops, or the run is no longer its own. */
export class JobStopped extends Error {}

/**
 * Keeps a long job's lease while it computes, and tells its progress. The signal is aborted where
 * the process stops, and where the job was cancelled or taken over.
 */
export class JobHeartbeat implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #job: RunningJob;
  readonly #abort = new AbortController();
  #share = 0;
  #timer: Disposable | undefined;
  #beating: Promise<void> = Promise.resolve();

  constructor(clock: Clock, job: RunningJob) {
    this.#clock = clock;
    this.#job = job;
    job.stopSignal.addEventListener('abort', this.#stop, { once: true });
    if (job.stopSignal.aborted) this.#stop();
    this.#plan();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** How far it is, 0 to 1. Throws where it is to leave off. */
  reportProgress(share: number): void {
    this.#share = share;
    this.signal.throwIfAborted();
  }

  readonly #stop = (): void => this.#abort.abort(new JobStopped());

  #plan(): void {
    this.#timer = this.#clock.after(heartbeatMs, () => {
      this.#beating = this.#beat();
    });
  }

  async #beat(): Promise<void> {
    try {
      await this.#job.saveProgress(this.#share);
    } catch (error) {
      // A database that is away for a moment may be there again at the next beat.
      if (error instanceof LeaseLost) this.#abort.abort(error);
    }
    if (!this.signal.aborted) this.#plan();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#job.stopSignal.removeEventListener('abort', this.#stop);
    await this.#beating;
    this.#timer?.[Symbol.dispose]();
  }
}
