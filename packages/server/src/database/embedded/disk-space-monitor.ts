import fs from 'node:fs';
import type { EngineLog } from '../engine.ts';

const CHECK_INTERVAL_MS = 500;

/** Two files of the log: with less than that the database cannot be trusted to go on. */
const FULL_BYTES = 32 * 2 ** 20;

export interface DiskSpaceMonitorOptions {
  folder: string;
  /** Below so much the database is only read; 0 waits until it has met the end of the disk. */
  freeBytesMin: number;
  log: EngineLog;
}

/** Free space on the disk of a folder, for this user; none where it cannot be looked at. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Looks every half second whether the disk has room for more. */
export class DiskSpaceMonitor implements Disposable {
  readonly #options: DiskSpaceMonitorOptions;
  readonly #timer: NodeJS.Timeout;
  #freeBytesMin: number;
  #isShort = false;

  constructor(options: DiskSpaceMonitorOptions) {
    this.#options = options;
    this.#freeBytesMin = options.freeBytesMin;
    this.#timer = setInterval(() => this.#look(), CHECK_INTERVAL_MS);
    this.#timer.unref();
    this.#look();
  }

  /** Nothing may be written until there is more room. */
  get isDiskFull(): boolean {
    return this.#isShort;
  }

  /** True when the disk is full: what the database stopped of. Then it waits for more room. */
  detectDiskFull(): boolean {
    const { folder, freeBytesMin } = this.#options;
    if (freeBytes(folder) >= FULL_BYTES) return false;
    this.#freeBytesMin = Math.max(freeBytesMin, 2 * FULL_BYTES);
    this.#look();
    return true;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const free = freeBytes(this.#options.folder);
    const isShort = free < this.#freeBytesMin;
    if (isShort === this.#isShort) return;
    this.#isShort = isShort;
    const fields = { freeBytes: free, freeBytesMin: this.#freeBytesMin };
    if (isShort) this.#options.log.error(fields, 'the disk is nearly full: nothing is stored');
    else this.#options.log.info(fields, 'the disk has room again');
  }
}
