import fs from 'node:fs';
import path from 'node:path';
import type { IntegrityReport } from '../durability/integrity-report.ts';
import { PositionRecorder } from '../durability/position-recorder.ts';
import type { WalPosition } from '../durability/wal-position.ts';
import { WAL_SEGMENT_BYTES, walSegmentName, walSegmentOf } from '../durability/wal-segments.ts';
import type { EngineLog } from '../engine.ts';
import { type ControlFile, readControlFile } from './control-file.ts';
import { walFields } from './protocol.ts';
import { findEndBeforeRecovery, PAGE_BYTES } from './wal-page.ts';

export interface LostWriteDetectorOptions {
  readonly dataDir: string;
  /** Of the database. */
  readonly folder: string;
  readonly integrity: IntegrityReport;
  readonly log: EngineLog;
}

/**
 * Watches that no acknowledged write is missing from the embedded database. The worker thread says
 * in shared memory how far the write-ahead log is on the disk, so that no statement is needed.
 */
export class LostWriteDetector implements AsyncDisposable {
  /** Filled by the worker thread; see `walFields`. */
  readonly wal = new SharedArrayBuffer(8 * walFields.count);
  readonly #fields = new BigInt64Array(this.wal);
  readonly #folder: string;
  readonly #recorder: PositionRecorder;
  #before: ControlFile | null = null;
  /** Of the run before, on a second start within one process. */
  #seen: WalPosition | null = null;

  constructor({ dataDir, folder, integrity, log }: LostWriteDetectorOptions) {
    this.#folder = folder;
    const read = (): WalPosition | null => this.#position();
    this.#recorder = new PositionRecorder(dataDir, { integrity, log, read });
  }

  /** Before the thread starts: recovery changes what is read here. */
  beforeOpen(): void {
    this.#seen = this.#position();
    try {
      this.#before = readControlFile(this.#folder);
    } catch {
      // PostgreSQL says what is wrong with it, or its disk is away for the moment.
      this.#before = null;
    }
  }

  afterOpen(): void {
    const { systemId, timeline, ...after } = readControlFile(this.#folder);
    const { isCleanlyShutDown, checkpointLsn } = this.#before ?? after;
    // The checkpoint that ends a recovery says where the log ended; so does that of a shutdown.
    const page = readWalPage(this.#folder, timeline, after.redoLsn);
    const lsn = findEndBeforeRecovery(after.redoLsn, page);
    const found = { systemId, timeline, lsn, checkpointLsn };
    this.#recorder.compare(found, { seen: this.#seen, isCleanlyShutDown });
  }

  /** After each answer of the database. */
  recordPosition(): void {
    const flushed = Atomics.load(this.#fields, walFields.flushed);
    if (flushed !== 0n && flushed !== this.#recorder.last?.lsn) this.#recorder.scheduleRecord();
  }

  /** Null until something was written to the log. */
  #position(): WalPosition | null {
    const lsn = Atomics.load(this.#fields, walFields.flushed);
    if (lsn === 0n || this.#before === null) return null;
    const { systemId, timeline, checkpointLsn } = this.#before;
    const written = Atomics.load(this.#fields, walFields.checkpoint);
    return { systemId, timeline, lsn, checkpointLsn: written || checkpointLsn };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#recorder[Symbol.asyncDispose]();
  }
}

/** The page of the write-ahead log that an LSN is in; zeros where it cannot be read. */
function readWalPage(folder: string, timeline: number, lsn: bigint): Buffer {
  const page = Buffer.alloc(PAGE_BYTES);
  const name = walSegmentName(timeline, walSegmentOf(lsn));
  const at = Number(lsn % WAL_SEGMENT_BYTES);
  try {
    const descriptor = fs.openSync(path.join(folder, 'pg_wal', name), 'r');
    try {
      fs.readSync(descriptor, page, 0, PAGE_BYTES, at - (at % PAGE_BYTES));
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return page;
  }
  return page;
}
