import pg from 'pg';
import type { IntegrityFindings } from '../durability/integrity-findings.ts';
import { parseLsn, type WalPosition } from '../durability/wal-position.ts';
import { WalPositionRecorder } from '../durability/wal-position-recorder.ts';
import type { EngineLog } from '../engine.ts';

const TIMEOUT_MS = 5_000;

/** The first 8 hexadecimal digits of a segment name are the timeline. */
const POSITION = `
  select control.system_identifier::text as "systemId",
    substr(pg_walfile_name(lsn), 1, 8) as timeline,
    lsn::text, last.checkpoint_lsn::text as checkpoint
  from pg_current_wal_flush_lsn() as lsn, pg_control_system() as control,
    pg_control_checkpoint() as last`;

/** SQLSTATE: insufficient privilege, undefined function, feature not supported. */
const UNSUPPORTED_SQLSTATE = new Set(['42501', '42883', '0A000']);

export interface LostWriteDetectorOptions {
  readonly url: string;
  readonly dataDir: string;
  readonly integrity: IntegrityFindings;
  readonly log: EngineLog;
}

/**
 * Detects acknowledged writes that are missing from the server's database after a crash, a
 * failover, or a restore. Uses its own connection, so that no statement delays it.
 */
export class LostWriteDetector implements AsyncDisposable {
  readonly #pool: pg.Pool;
  readonly #options: LostWriteDetectorOptions;
  #recorder: WalPositionRecorder | undefined;
  readonly #log: EngineLog;
  #isUnsupported = false;

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

  /**
   * Compares the current position of the server with the last acknowledged one, then starts
   * recording.
   */
  async start(): Promise<void> {
    const { dataDir, integrity, log } = this.#options;
    const read = (): Promise<WalPosition | null> => this.#readPosition();
    this.#recorder = new WalPositionRecorder(dataDir, { integrity, log, read, engine: 'server' });
    const found = await this.#readPosition();
    if (found !== null) this.#recorder.compare(found);
  }

  /**
   * Call it after each commit and on each new connection: a crash of the server closes all
   * connections.
   */
  recordPosition(): void {
    if (!this.#isUnsupported) this.#recorder?.scheduleRecord();
  }

  async #readPosition(): Promise<WalPosition | null> {
    if (this.#isUnsupported) return null;
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
      this.#isUnsupported = UNSUPPORTED_SQLSTATE.has(String((error as { code?: string }).code));
      const outcome = this.#isUnsupported
        ? 'lost writes will not be detected'
        : 'the next commit retries';
      this.#log.warn({ err: error }, `write-ahead log position not readable: ${outcome}`);
      return null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#recorder?.[Symbol.asyncDispose]();
    await this.#pool.end();
  }
}
