import fs from 'node:fs';
import type { EngineLog } from '../engine.ts';

const CHECK_INTERVAL_MS = 500;

/** Two WAL files. With less free space, the database may fail at any time. */
const FULL_BYTES = 32 * 2 ** 20;

export interface DiskSpaceMonitorOptions {
  folder: string;
  /**
   * Below this free space the database is read-only. With 0, it becomes read-only only after the
   * disk was full.
   */
  freeBytesMin: number;
  log: EngineLog;
}

/** Free space on the disk of a folder for this user; 0 if it is unknown. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Checks the free disk space every half second. */
export class DiskSpaceMonitor implements Disposable {
  readonly #options: DiskSpaceMonitorOptions;
  readonly #timer: NodeJS.Timeout;
  #freeBytesMin: number;
  #isFull = false;

  constructor(options: DiskSpaceMonitorOptions) {
    this.#options = options;
    this.#freeBytesMin = options.freeBytesMin;
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL_MS);
    this.#timer.unref();
    this.#check();
  }

  /** Writes are not allowed until there is more free space. */
  get isDiskFull(): boolean {
    return this.#isFull;
  }

  /**
   * Returns true if the disk is full, which explains why the database stopped. In this case it also
   * raises the limit for free space, so that recovery has enough.
   */
  detectDiskFull(): boolean {
    const { folder, freeBytesMin } = this.#options;
    if (freeBytes(folder) >= FULL_BYTES) return false;
    this.#freeBytesMin = Math.max(freeBytesMin, 2 * FULL_BYTES);
    this.#check();
    return true;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const free = freeBytes(this.#options.folder);
    const isFull = free < this.#freeBytesMin;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    const fields = { freeBytes: free, freeBytesMin: this.#freeBytesMin };
    if (isFull) this.#options.log.error(fields, 'disk nearly full, database read-only');
    else this.#options.log.info(fields, 'disk space available again');
  }
}
