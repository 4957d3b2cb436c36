import { encodeParameter } from '../encode-parameter.ts';
import type { DatabaseErrorFields } from '../errors.ts';
import {
  type BackendResponse,
  parseBackendResponse,
  type ResultColumn,
  withBinaryBytea,
} from './backend-response.ts';
import { CopyDataReader, withCopyData } from './copy-data.ts';
import { RequestWriter } from './frontend-request.ts';

/** The protocol sends the count as a 16-bit number. */
const PARAMETERS_MAX = 65_535;
const STATEMENTS_MAX = 200;
/** Longer texts are most likely used once (many placeholders) and are not cached. */
const CACHED_SQL_LENGTH_MAX = 16_384;

const CACHEABLE = /^\s*(select|with|insert|update|delete|merge|values)\b/i;
const CHANGES_PLANS = /^(ALTER|CREATE|DROP|DISCARD|DEALLOCATE)/;
/** "cached plan must not change result type" and "prepared statement does not exist". */
const STALE_STATEMENT = new Set(['0A000', '26000']);

/** A statement that the database has parsed under a name. */
interface PreparedStatement {
  name: string;
  /** Undefined until the first response arrives. */
  columns: ResultColumn[] | undefined;
}

export interface StatementResult {
  rows: Record<string, unknown>[];
  tag: string;
}

/** The thread that runs the database. */
export interface SessionThread {
  send(request: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
  stream(request: Uint8Array<ArrayBuffer>): AsyncIterable<Uint8Array>;
}

/**
 * A session with the database. Each statement is one request and one response, and is parsed and
 * planned once; PGlite's own `query` needs five steps and eight times as long.
 */
export class Session {
  readonly #thread: SessionThread;
  readonly #onNotice: (notice: DatabaseErrorFields) => void;
  readonly #writer = new RequestWriter();
  readonly #statements = new Map<string, PreparedStatement>();
  readonly #statementsToClose: string[] = [];
  #statementCount = 0;
  #pendingBegin: string | undefined;

  constructor(thread: SessionThread, onNotice: (notice: DatabaseErrorFields) => void) {
    this.#thread = thread;
    this.#onNotice = onNotice;
  }

  /** Sends a `begin` together with the next statement, in one message. */
  begin(sql: string): void {
    this.#pendingBegin = sql;
  }

  /**
   * Runs one statement, or a script of several if there are no parameters. Throws DatabaseError,
   * TypeError for an unsupported parameter, RangeError for a value that JavaScript cannot
   * represent.
   */
  async query(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    // A NUL would end the text early, and PostgreSQL would read the rest as another field.
    if (sql.includes('\0')) throw new TypeError('SQL must not contain a NUL character');
    if (parameters.length > PARAMETERS_MAX) throw new RangeError('Too many query parameters');
    if (parameters.length === 0 && isScript(sql)) {
      const request = this.#startRequest().query(sql).drain();
      if (sql.includes(';')) this.#dropAll();
      return this.#finish(parseBackendResponse(await this.#thread.send(request), undefined));
    }
    const values = parameters.map(encodeParameter);
    const prepared = this.#find(sql);
    if (prepared?.columns) return this.#runPrepared(sql, prepared, prepared.columns, values);
    // A statement whose first response is pending is sent unnamed.
    const fresh = prepared ? undefined : this.#prepare(sql);
    const name = fresh?.name ?? '';
    const writer = this.#startRequest().parse(name, sql).describe(name);
    const request = writer.bind(name, values, []).execute().sync().drain();
    const response = parseBackendResponse(await this.#thread.send(request), undefined);
    if (fresh && response.error) this.#drop(sql, fresh);
    else if (fresh) fresh.columns = (response.columns ?? []).map(withBinaryBytea);
    return this.#finish(response);
  }

  /** Runs a `copy … from stdin` with its whole input. */
  async copyIn(sql: string, input: readonly Uint8Array[]): Promise<StatementResult> {
    const request = withCopyData(this.#startRequest().query(sql).drain(), input);
    return this.#finish(parseBackendResponse(await this.#thread.send(request), undefined));
  }

  /** Runs a `copy … to stdout` and streams its output; the database waits for the reader. */
  async *copyOut(sql: string): AsyncGenerator<Uint8Array> {
    const reader = new CopyDataReader();
    for await (const chunk of this.#thread.stream(this.#startRequest().query(sql).drain())) {
      const data = reader.read(chunk);
      if (data.length > 0) yield Buffer.concat(data);
    }
    this.#finish(parseBackendResponse(reader.others, undefined));
  }

  async #runPrepared(
    sql: string,
    prepared: PreparedStatement,
    columns: ResultColumn[],
    values: ReturnType<typeof encodeParameter>[],
  ): Promise<StatementResult> {
    const formats = columns.map((column) => column.format);
    const writer = this.#startRequest().bind(prepared.name, values, formats);
    const response = parseBackendResponse(
      await this.#thread.send(writer.execute().sync().drain()),
      columns,
    );
    if (response.error && STALE_STATEMENT.has(String(response.error.code)))
      this.#drop(sql, prepared);
    return this.#finish(response);
  }

  #finish(response: BackendResponse): StatementResult {
    for (const notice of response.notices) this.#onNotice(notice);
    if (response.error) throw response.error;
    if (CHANGES_PLANS.test(response.tag)) this.#dropAll();
    return { rows: response.rows, tag: response.tag };
  }

  #find(sql: string): PreparedStatement | undefined {
    const prepared = this.#statements.get(sql);
    if (prepared) {
      // The insertion order of the map is the order of use.
      this.#statements.delete(sql);
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }

  #prepare(sql: string): PreparedStatement | undefined {
    if (sql.length > CACHED_SQL_LENGTH_MAX || !CACHEABLE.test(sql)) return undefined;
    this.#statementCount += 1;
    const prepared = { name: `s${this.#statementCount}`, columns: undefined };
    this.#statements.set(sql, prepared);
    if (this.#statements.size > STATEMENTS_MAX) {
      for (const [oldest, { name }] of this.#statements) {
        this.#statements.delete(oldest);
        this.#statementsToClose.push(name);
        break;
      }
    }
    return prepared;
  }

  #drop(sql: string, prepared: PreparedStatement): void {
    if (this.#statements.get(sql) === prepared) this.#statements.delete(sql);
    this.#statementsToClose.push(prepared.name);
  }

  #dropAll(): void {
    for (const { name } of this.#statements.values()) this.#statementsToClose.push(name);
    this.#statements.clear();
  }

  /** The writer after queueing the pending Close and begin messages. */
  #startRequest(): RequestWriter {
    for (const name of this.#statementsToClose.splice(0)) this.#writer.closeStatement(name);
    if (this.#pendingBegin !== undefined) this.#writer.query(this.#pendingBegin);
    this.#pendingBegin = undefined;
    return this.#writer;
  }
}

/**
 * Whether to use the simple protocol: for several statements, or one that is not a query (begin,
 * create).
 */
function isScript(sql: string): boolean {
  return sql.includes(';') || !CACHEABLE.test(sql);
}
