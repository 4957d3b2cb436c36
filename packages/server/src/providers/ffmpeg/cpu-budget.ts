import { ProgramFailed } from '../program/index.ts';

/** Minimum for any file. */
const secondsMin = 10;
/** Files that take long to decode are large, unless they are malicious. */
const bytesASecond = 50_000;

/**
 * Processor time in seconds for one file, over one or several calls: proportional to its size, so
 * that a small file cannot cause an hour of work.
 */
export class CpuBudget {
  #seconds: number;

  constructor(fileBytes: number) {
    this.#seconds = Math.max(secondsMin, fileBytes / bytesASecond);
  }

  /** Throws ProgramFailed if nothing remains. */
  getRemaining(): number {
    if (this.#seconds > 0) return this.#seconds;
    throw new ProgramFailed('it needs more processor time than its size allows');
  }

  spend(seconds: number): void {
    this.#seconds -= seconds;
  }
}
