import pg from 'pg';
import type { EngineLog } from '../engine.ts';
import { MigrationInProgress, SchemaChanged } from '../errors.ts';
import { schemaMarkerName } from '../schema-marker.ts';

const UNDEFINED_TABLE = '42P01';
const LOCK_NOT_AVAILABLE = '55P03';

/** Statements that change nothing. A query that begins with "with" may write and is checked. */
const CHANGES_NOTHING = /^\s*(?:select|values|show|set|commit|rollback)\b/i;

/** Whether a statement outside a transaction may write. */
export const isPotentialWrite = (text: string): boolean => !CHANGES_NOTHING.test(text);

/** The statement that fails if the schema version differs; prepared under its name. */
export interface SchemaCheckStatement {
  readonly name: string;
  readonly text: string;
}

/** Runs a statement of the fence on the connection. */
type RunStatement = (config: pg.QueryConfig) => Promise<pg.QueryResult>;

/**
 * Prevents a process from using a database that another version has migrated. The check reads the
 * table named after the schema version (see schema-marker.ts), in the same message and the same
 * transaction as the statement that it protects.
 */
export class SchemaFence {
  readonly #log: EngineLog;
  #version: number | null = null;
  #change: { expected: number; found: number | null } | null = null;
  #versionLookup: Promise<void> | null = null;

  constructor(log: EngineLog) {
    this.#log = log;
  }

  require(version: number | null): void {
    this.#version = version;
  }

  /** The required version; null: any. */
  get version(): number | null {
    return this.#version;
  }

  get change(): SchemaChanged | null {
    return this.#change && new SchemaChanged(this.#change.expected, this.#change.found);
  }

  /** Throws SchemaChanged once the change was detected. */
  assertUnchanged(): void {
    const { change } = this;
    if (change !== null) throw change;
  }

  /** The check as a statement; null while no version is required. */
  get check(): SchemaCheckStatement | null {
    if (this.#version === null) return null;
    const marker = schemaMarkerName(this.#version);
    return { name: `mneme_${marker}`, text: `select from ${marker}` };
  }

  /**
   * Explains a failed check: SchemaChanged, MigrationInProgress, or the error itself. Reads the
   * current version of the database.
   */
  async explain(error: unknown, runStatement: RunStatement): Promise<unknown> {
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    if (code === LOCK_NOT_AVAILABLE) return new MigrationInProgress(error);
    if (code !== UNDEFINED_TABLE) return error;
    this.#versionLookup ??= this.#readVersion(runStatement);
    await this.#versionLookup;
    return this.change ?? error;
  }

  async #readVersion(runStatement: RunStatement): Promise<void> {
    const expected = this.#version;
    if (expected === null || this.#change !== null) return;
    const text = 'select max(version) as version from schema_migrations';
    const found = await runStatement({ text }).then(
      ({ rows }) => (rows[0]?.version as number | null | undefined) ?? null,
      () => null,
    );
    this.#change = { expected, found };
    const change = new SchemaChanged(expected, found);
    this.#log.error({ expected, found }, change.message);
  }
}
