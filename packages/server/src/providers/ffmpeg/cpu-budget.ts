import { ProgramFailed } from '../program/index.ts';

/** Of any file, however small. */
const secondsMin = 10;
/** What takes long to decode is large, unless somebody made it so. */
const bytesASecond = 50_000;

/**
 * Seconds of processor time that may be spent on a file, in one call or several: in proportion to
 * its bytes, so that a small file cannot ask for an hour's work.
 */
export class CpuBudget {
  #seconds: number;

  constructor(fileBytes: number) {
    this.#seconds = Math.max(secondsMin, fileBytes / bytesASecond);
  }

  /** Throws RunFailed where all is spent. */
  getRemaining(): number {
    if (this.#seconds > 0) return this.#seconds;
    throw new ProgramFailed('it takes more work than its size allows');
  }

  spend(seconds: number): void {
    this.#seconds -= seconds;
  }
}
