import type { DatabaseErrorFields } from '../errors.ts';
import { encodeParameter } from '../parameters.ts';
import {
  type BackendResponse,
  type Column,
  parseBackendResponse,
  withPreferredFormat,
} from './backend-response.ts';
import { CopyDataReader, withCopyData } from './copy-data.ts';
import { RequestWriter } from './frontend-request.ts';

/** The count is sent as a 16-bit number. */
const PARAMETERS_MAX = 65_535;
const STATEMENTS_MAX = 200;
/** A longer text is most likely made for one use (many placeholders) and not kept. */
const KEPT_SQL_LENGTH_MAX = 16_384;

const CACHEABLE = /^\s*(select|with|insert|update|delete|merge|values)\b/i;
const CHANGES_PLANS = /^(ALTER|CREATE|DROP|DISCARD|DEALLOCATE)/;
/** "cached plan must not change result type" and "prepared statement does not exist". */
const STALE_STATEMENT = new Set(['0A000', '26000']);

/** A statement that the database has parsed under a name. */
interface PreparedStatement {
  name: string;
  /** Known once the first answer is here. */
  columns: Column[] | undefined;
}

export interface StatementResult {
  rows: Record<string, unknown>[];
  tag: string;
}

/** Of the thread that the database runs in. */
export interface SessionThread {
  send(request: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
  stream(request: Uint8Array<ArrayBuffer>): AsyncIterable<Uint8Array>;
}

/**
 * One conversation with the database: each statement is one message there and one back, and is
 * parsed and planned once, since PGlite's own `query` takes five steps and eight times as long.
 */
export class Session {
  readonly #thread: SessionThread;
  readonly #onNotice: (notice: DatabaseErrorFields) => void;
  readonly #writer = new RequestWriter();
  readonly #statements = new Map<string, PreparedStatement>();
  readonly #toForget: string[] = [];
  #named = 0;
  #ahead: string | undefined;

  constructor(thread: SessionThread, onNotice: (notice: DatabaseErrorFields) => void) {
    this.#thread = thread;
    this.#onNotice = onNotice;
  }

  /** Puts a `begin` before the next statement: together they are one message there and back. */
  begin(sql: string): void {
    this.#ahead = sql;
  }

  /**
   * Runs one statement, or a script of several when there are no parameters.
   * Throws DatabaseError, TypeError for a parameter that cannot be sent, RangeError for a value
   * that JavaScript cannot hold.
   */
  async query(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    // A NUL would end the text early and let the rest be read as another field of the message.
    if (sql.includes('\0')) throw new TypeError('SQL must not contain a NUL character');
    if (parameters.length > PARAMETERS_MAX) throw new RangeError('Too many query parameters');
    if (parameters.length === 0 && isScript(sql)) {
      const request = this.#opened().query(sql).drain();
      if (sql.includes(';')) this.#dropAll();
      return this.#finish(parseBackendResponse(await this.#thread.send(request), undefined));
    }
    const values = parameters.map(encodeParameter);
    const prepared = this.#find(sql);
    if (prepared?.columns) return this.#again(sql, prepared, prepared.columns, values);
    // A statement whose first answer is still under way is sent unnamed.
    const fresh = prepared ? undefined : this.#prepare(sql);
    const name = fresh?.name ?? '';
    const writer = this.#opened().parse(name, sql).describe(name);
    const request = writer.bind(name, values, []).execute().sync().drain();
    const answer = parseBackendResponse(await this.#thread.send(request), undefined);
    if (fresh && answer.error) this.#drop(sql, fresh);
    else if (fresh) fresh.columns = (answer.columns ?? []).map(withPreferredFormat);
    return this.#finish(answer);
  }

  /** Runs a `copy … from stdin` with its whole input. */
  async copyIn(sql: string, input: readonly Uint8Array[]): Promise<StatementResult> {
    const request = withCopyData(this.#opened().query(sql).drain(), input);
    return this.#finish(parseBackendResponse(await this.#thread.send(request), undefined));
  }

  /** Runs a `copy … to stdout` and streams its output; the database waits while nobody reads. */
  async *copyOut(sql: string): AsyncGenerator<Uint8Array> {
    const reader = new CopyDataReader();
    for await (const piece of this.#thread.stream(this.#opened().query(sql).drain())) {
      const data = reader.read(piece);
      if (data.length > 0) yield Buffer.concat(data);
    }
    this.#finish(parseBackendResponse(reader.others, undefined));
  }

  async #again(
    sql: string,
    prepared: PreparedStatement,
    columns: Column[],
    values: ReturnType<typeof encodeParameter>[],
  ): Promise<StatementResult> {
    const formats = columns.map((column) => column.format);
    const writer = this.#opened().bind(prepared.name, values, formats);
    const answer = parseBackendResponse(
      await this.#thread.send(writer.execute().sync().drain()),
      columns,
    );
    if (answer.error && STALE_STATEMENT.has(String(answer.error.code))) this.#drop(sql, prepared);
    return this.#finish(answer);
  }

  #finish(answer: BackendResponse): StatementResult {
    for (const notice of answer.notices) this.#onNotice(notice);
    if (answer.error) throw answer.error;
    if (CHANGES_PLANS.test(answer.tag)) this.#dropAll();
    return { rows: answer.rows, tag: answer.tag };
  }

  #find(sql: string): PreparedStatement | undefined {
    const prepared = this.#statements.get(sql);
    if (prepared) {
      // The map's order is the order of use.
      this.#statements.delete(sql);
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }

  #prepare(sql: string): PreparedStatement | undefined {
    if (sql.length > KEPT_SQL_LENGTH_MAX || !CACHEABLE.test(sql)) return undefined;
    this.#named += 1;
    const prepared = { name: `s${this.#named}`, columns: undefined };
    this.#statements.set(sql, prepared);
    if (this.#statements.size > STATEMENTS_MAX) {
      for (const [oldest, { name }] of this.#statements) {
        this.#statements.delete(oldest);
        this.#toForget.push(name);
        break;
      }
    }
    return prepared;
  }

  #drop(sql: string, prepared: PreparedStatement): void {
    if (this.#statements.get(sql) === prepared) this.#statements.delete(sql);
    this.#toForget.push(prepared.name);
  }

  #dropAll(): void {
    for (const { name } of this.#statements.values()) this.#toForget.push(name);
    this.#statements.clear();
  }

  /** The writer, with what comes before the statement already in it. */
  #opened(): RequestWriter {
    for (const name of this.#toForget.splice(0)) this.#writer.closeStatement(name);
    if (this.#ahead !== undefined) this.#writer.query(this.#ahead);
    this.#ahead = undefined;
    return this.#writer;
  }
}

/** Goes by the simple protocol: several statements, or one that is no query (begin, create). */
function isScript(sql: string): boolean {
  return sql.includes(';') || !CACHEABLE.test(sql);
}
