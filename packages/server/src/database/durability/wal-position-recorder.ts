import { rm } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../kernel/clock.ts';
import { Mutex } from '../../kernel/mutex.ts';
import type { EngineLog } from '../engine-log.ts';
import { engineFileSuffix, type IntegrityFindings } from './integrity-findings.ts';
import { WalPositionFile } from './position-file.ts';
import { compareWalPositions, type WalPosition } from './wal-position.ts';

const POSITION_FILE = 'acknowledged-position';

type EngineKind = keyof typeof engineFileSuffix;

const fileOf = (dataDir: string, kind: EngineKind): string =>
  path.join(dataDir, `${POSITION_FILE}${engineFileSuffix[kind]}`);

/** Call it after replacing a database: the new one has acknowledged nothing. */
export const deleteRecordedWalPosition = (dataDir: string, kind: EngineKind): Promise<void> =>
  rm(fileOf(dataDir, kind), { force: true });

const isSame = (one: WalPosition, other: WalPosition | null): boolean =>
  one.lsn === other?.lsn && one.timeline === other.timeline && one.systemId === other.systemId;

/**
 * Maximum lag of the record behind the acknowledgement; the remaining 5 ms allow for a late timer.
 */
const MAX_LAG_MS = 45;
/** Each sync delays those of the WAL: on a slow disk, the groups must not become ever shorter. */
const GROUP_MS_MIN = 10;
const SLOWEST_DECAY = 0.95;

export interface WalPositionRecorderDeps {
  readonly integrity: IntegrityFindings;
  readonly log: EngineLog;
  readonly engine?: EngineKind;
  /** The position up to which the WAL is on disk; null if unknown. */
  readonly read: () => Promise<WalPosition | null> | WalPosition | null;
}

/**
 * Records the last acknowledged position of the write-ahead log, in groups. It reads the position
 * after the commit and only what is already on disk, so the file is never ahead of the log.
 */
export class WalPositionRecorder implements AsyncDisposable {
  readonly #deps: WalPositionRecorderDeps;
  readonly #file: string;
  #positionFile: WalPositionFile | undefined;
  #last: WalPosition | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Duration of a slow write: a decaying maximum. */
  #writeMs = 5;
  readonly #writing = new Mutex();
  /** A queued record reads what any later one would read. */
  #isQueued = false;
  #isClosed = false;

  constructor(dataDir: string, deps: WalPositionRecorderDeps) {
    this.#file = fileOf(dataDir, deps.engine ?? 'embedded');
    this.#deps = deps;
    this.#runLogged(() => this.#open());
  }

  /** The last position acknowledged by this process or the previous one. */
  get last(): WalPosition | null {
    return this.#last;
  }

  /**
   * Call it when the database is open, with the end of its WAL. `seen` is the position known to be
   * on disk, if it is newer than the record.
   */
  compare(
    found: WalPosition,
    { seen, ...how }: { seen?: WalPosition | null; isCleanlyShutDown?: boolean } = {},
  ): void {
    const recorded = seen ?? this.#last;
    if (recorded === null) return;
    const mismatch = compareWalPositions(recorded, found, how);
    if (mismatch === null) return;
    this.#deps.integrity.recordMismatch(mismatch, recorded, found);
    // The mismatch is stored; from here on, this position is the reference, also in the file.
    this.#last = found;
    this.scheduleRecord();
  }

  /** Call it after each commit. Costs nothing while a record is scheduled. */
  scheduleRecord(): void {
    if (this.#isClosed) return;
    if (this.#timer !== undefined) return;
    const groupMs = Math.max(GROUP_MS_MIN, MAX_LAG_MS - this.#writeMs);
    this.#timer = setTimeout(() => this.#queueWrite(), groupMs).unref();
  }

  /** Writes the pending record without waiting for its group. */
  async flushPending(): Promise<void> {
    if (this.#timer !== undefined) this.#queueWrite();
    await this.#writing.waitForAll();
  }

  /** Writes the pending record; after this, nothing is recorded. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.flushPending();
    this.#positionFile?.[Symbol.dispose]();
    this.#positionFile = undefined;
  }

  #queueWrite(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isQueued) return;
    this.#isQueued = true;
    void this.#writing.run(() => {
      this.#isQueued = false;
      return this.#record();
    });
  }

  async #record(): Promise<void> {
    const startMs = systemClock.monotonicMs();
    try {
      const position = await this.#deps.read();
      if (position === null) return;
      const { recordingError } = this.#deps.integrity;
      if (recordingError === null && isSame(position, this.#last)) return;
      this.compare(position);
      this.#last = position;
      this.#positionFile ??= new WalPositionFile(this.#file);
      await this.#positionFile.write(position);
      this.#writeMs = Math.max(systemClock.monotonicMs() - startMs, SLOWEST_DECAY * this.#writeMs);
      this.#succeeded();
    } catch (error) {
      this.#failed(error);
    }
  }

  #open(): void {
    this.#positionFile = new WalPositionFile(this.#file);
    this.#last = this.#positionFile.initial;
    if (!this.#positionFile.isDamaged) return;
    const fields = { file: this.#file };
    this.#deps.log.warn(fields, 'last acknowledged position not readable, starting again');
  }

  #runLogged(fn: () => void): void {
    try {
      fn();
    } catch (error) {
      this.#failed(error);
    }
  }

  #succeeded(): void {
    if (this.#deps.integrity.recordingError === null) return;
    this.#deps.integrity.recordingError = null;
    this.#deps.log.info({}, 'recording of the last acknowledged position resumed');
  }

  /** Writes continue, but lost writes can no longer be detected. The health status reports it. */
  #failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#deps.integrity.recordingError === null) {
      this.#deps.log.error({ err: error }, 'last acknowledged position not recorded');
    }
    this.#deps.integrity.recordingError = message;
  }
}
