import { rm } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../kernel/clock.ts';
import type { EngineLog } from '../log.ts';
import { fileSuffix, type IntegrityReport } from './integrity-report.ts';
import { PositionFile } from './position-file.ts';
import { comparePositions, type WalPosition } from './wal-position.ts';

const POSITION_FILE = 'acknowledged-position';

type EngineKind = keyof typeof fileSuffix;

const fileOf = (dataDir: string, kind: EngineKind): string =>
  path.join(dataDir, `${POSITION_FILE}${fileSuffix[kind]}`);

/** For a database that is put in the place of another one: it has acknowledged nothing yet. */
export const deleteRecordedPosition = (dataDir: string, kind: EngineKind): Promise<void> =>
  rm(fileOf(dataDir, kind), { force: true });

const isSame = (one: WalPosition, other: WalPosition | null): boolean =>
  one.lsn === other?.lsn && one.timeline === other.timeline && one.systemId === other.systemId;

/** A record is at most so far behind the acknowledgement; the rest is for the timer to be late. */
const BEHIND_MS = 45;
/** Each sync holds up those of the log: on a disk that is slow, groups do not get ever shorter. */
const GROUP_MS_MIN = 10;
const SLOWEST_KEPT = 0.95;

export interface PositionRecorderDeps {
  readonly integrity: IntegrityReport;
  readonly log: EngineLog;
  readonly engine?: EngineKind;
  /** The position up to which the log is on the disk; null where nobody knows. */
  readonly read: () => Promise<WalPosition | null> | WalPosition | null;
}

/**
 * Records the last acknowledged position of the write-ahead log, in groups. It reads only what is
 * on the disk already, and is asked after the commit: the file is never ahead of the log.
 */
export class PositionRecorder implements AsyncDisposable {
  readonly #deps: PositionRecorderDeps;
  readonly #file: string;
  #slots: PositionFile | undefined;
  #last: WalPosition | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** How long a write takes where it takes long: the slowest of late. */
  #writeMs = 5;
  #writing: Promise<void> = Promise.resolve();
  /** One that waits for its turn reads what those after it would have read. */
  #isQueued = false;
  #isClosed = false;

  constructor(dataDir: string, deps: PositionRecorderDeps) {
    this.#file = fileOf(dataDir, deps.engine ?? 'embedded');
    this.#deps = deps;
    this.#try(() => this.#open());
  }

  /** The last position that was acknowledged, by this process or the one before it. */
  get last(): WalPosition | null {
    return this.#last;
  }

  /**
   * To be called when the database was opened, with where its log ends. `seen` is what is known to
   * have been on the disk, where that is more than was recorded.
   */
  compare(
    found: WalPosition,
    { seen, ...how }: { seen?: WalPosition | null; isCleanlyShutDown?: boolean } = {},
  ): void {
    const recorded = seen ?? this.#last;
    if (recorded === null) return;
    const mismatch = comparePositions(recorded, found, how);
    if (mismatch === null) return;
    this.#deps.integrity.recordMismatch(mismatch, recorded, found);
    // Known and kept: from here on this is what is counted from, in the file, too.
    this.#last = found;
    this.scheduleRecord();
  }

  /** To be called after each commit; costs nothing while a record is due. */
  scheduleRecord(): void {
    if (this.#isClosed) return;
    if (this.#timer !== undefined) return;
    const groupMs = Math.max(GROUP_MS_MIN, BEHIND_MS - this.#writeMs);
    this.#timer = setTimeout(() => this.#flush(), groupMs).unref();
  }

  /** Records what is due, without waiting for more of its group. */
  async flushPending(): Promise<void> {
    if (this.#timer !== undefined) this.#flush();
    await this.#writing;
  }

  /** Records what is due; afterwards nothing is recorded any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.flushPending();
    this.#slots?.[Symbol.dispose]();
    this.#slots = undefined;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#writing = this.#writing.then(() => {
      this.#isQueued = false;
      return this.#record();
    });
  }

  async #record(): Promise<void> {
    const begun = systemClock.monotonicMs();
    try {
      const position = await this.#deps.read();
      if (position === null) return;
      const { recordingError } = this.#deps.integrity;
      if (recordingError === null && isSame(position, this.#last)) return;
      this.compare(position);
      this.#last = position;
      this.#slots ??= new PositionFile(this.#file);
      await this.#slots.write(position);
      this.#writeMs = Math.max(systemClock.monotonicMs() - begun, SLOWEST_KEPT * this.#writeMs);
      this.#succeeded();
    } catch (error) {
      this.#failed(error);
    }
  }

  #open(): void {
    this.#slots = new PositionFile(this.#file);
    this.#last = this.#slots.initial;
    if (!this.#slots.isDamaged) return;
    const what = { file: this.#file };
    this.#deps.log.warn(what, 'the last acknowledged position cannot be read, and is begun again');
  }

  #try(fn: () => void): void {
    try {
      fn();
    } catch (error) {
      this.#failed(error);
    }
  }

  #succeeded(): void {
    if (this.#deps.integrity.recordingError === null) return;
    this.#deps.integrity.recordingError = null;
    this.#deps.log.info({}, 'the last acknowledged position is recorded again');
  }

  /** Writes go on: what is lost is that a loss of them would be noticed. The health says so. */
  #failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#deps.integrity.recordingError === null) {
      this.#deps.log.error({ err: error }, 'the last acknowledged position is not recorded');
    }
    this.#deps.integrity.recordingError = message;
  }
}
