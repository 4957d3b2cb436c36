import fs from 'node:fs';
import path from 'node:path';
import type { IntegrityFindings } from '../durability/integrity-findings.ts';
import type { WalPosition } from '../durability/wal-position.ts';
import { WalPositionRecorder } from '../durability/wal-position-recorder.ts';
import { WAL_SEGMENT_BYTES, walSegmentName, walSegmentOf } from '../durability/wal-segments.ts';
import type { EngineLog } from '../engine.ts';
import { type ControlFile, readControlFile } from './control-file.ts';
import { walFieldIndexes } from './protocol.ts';
import { findWalEndBeforeRecovery, PAGE_BYTES } from './wal-page.ts';

export interface LostWriteDetectorOptions {
  readonly dataDir: string;
  /** The database folder. */
  readonly folder: string;
  readonly integrity: IntegrityFindings;
  readonly log: EngineLog;
}

/**
 * Detects acknowledged writes that are missing from the embedded database. The worker thread
 * reports the flushed WAL position in shared memory, so no statement is needed.
 */
export class LostWriteDetector implements AsyncDisposable {
  /** Written by the worker thread; see `walFieldIndexes`. */
  readonly wal = new SharedArrayBuffer(8 * walFieldIndexes.count);
  readonly #fields = new BigInt64Array(this.wal);
  readonly #folder: string;
  readonly #recorder: WalPositionRecorder;
  #controlFileBefore: ControlFile | null = null;
  /** Position of the previous run, if the thread was restarted within this process. */
  #lastFlushed: WalPosition | null = null;

  constructor({ dataDir, folder, integrity, log }: LostWriteDetectorOptions) {
    this.#folder = folder;
    const read = (): WalPosition | null => this.#readPosition();
    this.#recorder = new WalPositionRecorder(dataDir, { integrity, log, read });
  }

  /** Call it before the thread starts, since recovery changes the control file. */
  beforeOpen(): void {
    this.#lastFlushed = this.#readPosition();
    try {
      this.#controlFileBefore = readControlFile(this.#folder);
    } catch {
      // PostgreSQL reports what is wrong, or the disk is temporarily unavailable.
      this.#controlFileBefore = null;
    }
  }

  afterOpen(): void {
    const { systemId, timeline, ...after } = readControlFile(this.#folder);
    const { isCleanlyShutDown, checkpointLsn } = this.#controlFileBefore ?? after;
    // The checkpoint at the end of a recovery or a shutdown records where the WAL ended.
    const page = readWalPage(this.#folder, timeline, after.redoLsn);
    const lsn = findWalEndBeforeRecovery(after.redoLsn, page);
    const found = { systemId, timeline, lsn, checkpointLsn };
    this.#recorder.compare(found, { seen: this.#lastFlushed, isCleanlyShutDown });
  }

  /** Call it after each response of the database. */
  recordPosition(): void {
    const flushed = Atomics.load(this.#fields, walFieldIndexes.flushed);
    if (flushed !== 0n && flushed !== this.#recorder.last?.lsn) this.#recorder.scheduleRecord();
  }

  /** Null until the first WAL write. */
  #readPosition(): WalPosition | null {
    const lsn = Atomics.load(this.#fields, walFieldIndexes.flushed);
    if (lsn === 0n || this.#controlFileBefore === null) return null;
    const { systemId, timeline, checkpointLsn } = this.#controlFileBefore;
    const written = Atomics.load(this.#fields, walFieldIndexes.checkpoint);
    return { systemId, timeline, lsn, checkpointLsn: written || checkpointLsn };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#recorder[Symbol.asyncDispose]();
  }
}

/** The WAL page that contains an LSN; zeros if it cannot be read. */
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
