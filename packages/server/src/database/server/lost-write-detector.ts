import pg from 'pg';
import type { IntegrityReport } from '../durability/integrity-report.ts';
import { PositionRecorder } from '../durability/position-recorder.ts';
import { parseLsn, type WalPosition } from '../durability/wal-position.ts';
import type { EngineLog } from '../engine.ts';

const TIMEOUT_MS = 5_000;

/** The timeline is the first part of a segment's name, in hexadecimal digits. */
const POSITION = `
  select control.system_identifier::text as "systemId",
    substr(pg_walfile_name(lsn), 1, 8) as timeline,
    lsn::text, last.checkpoint_lsn::text as checkpoint
  from pg_current_wal_flush_lsn() as lsn, pg_control_system() as control,
    pg_control_checkpoint() as last`;

/** SQLSTATE: no right to, no such function, not supported, not in recovery. */
const REFUSED = new Set(['42501', '42883', '0A000', '55000']);

export interface LostWriteDetectorOptions {
  readonly url: string;
  readonly dataDir: string;
  readonly integrity: IntegrityReport;
  readonly log: EngineLog;
}

/**
 * Watches that no acknowledged write is missing from the server's database: after a crash of it, a
 * failover, or a restore. It has a connection of its own, which no statement holds up.
 */
export class LostWriteDetector implements AsyncDisposable {
  readonly #pool: pg.Pool;
  readonly #options: LostWriteDetectorOptions;
  #recorder: PositionRecorder | undefined;
  readonly #log: EngineLog;
  #isRefused = false;

  constructor(options: LostWriteDetectorOptions) {
    const { url, log } = options;
    this.#options = options;
    this.#log = log;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: 1,
      application_name: 'mneme',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    const ignore = (error: Error): void => log.debug({ error: error.message }, 'connection lost');
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => void client.on('error', ignore));
  }

  /** Compares where the server is now with what was acknowledged last, and records from then on. */
  async start(): Promise<void> {
    const { dataDir, integrity, log } = this.#options;
    const read = (): Promise<WalPosition | null> => this.#position();
    this.#recorder = new PositionRecorder(dataDir, { integrity, log, read, engine: 'server' });
    const found = await this.#position();
    if (found !== null) this.#recorder.compare(found);
  }

  /** After each commit, and on each new connection: a server that crashed has closed all. */
  recordPosition(): void {
    if (!this.#isRefused) this.#recorder?.scheduleRecord();
  }

  async #position(): Promise<WalPosition | null> {
    if (this.#isRefused) return null;
    try {
      const { rows } = await this.#pool.query(POSITION);
      const { systemId, timeline, lsn, checkpoint } = rows[0];
      return {
        systemId,
        timeline: Number.parseInt(timeline, 16),
        lsn: parseLsn(lsn) ?? 0n,
        checkpointLsn: parseLsn(checkpoint) ?? 0n,
      };
    } catch (error) {
      this.#isRefused = REFUSED.has(String((error as { code?: string }).code));
      const outcome = this.#isRefused
        ? 'lost writes are not noticed'
        : 'the next commit tries again';
      const what = 'the position of the write-ahead log could not be read';
      this.#log.warn({ err: error }, `${what}: ${outcome}`);
      return null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#recorder?.[Symbol.asyncDispose]();
    await this.#pool.end();
  }
}
