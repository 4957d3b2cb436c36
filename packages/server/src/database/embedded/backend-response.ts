import { DatabaseError, type DatabaseErrorFields } from '../errors.ts';
import { BYTEA_OID, getTextParser, type TextParser } from '../value-parsers.ts';
import { BINARY_FORMAT, TEXT_FORMAT } from './frontend-request.ts';

export interface ResultColumn {
  name: string;
  type: number;
  format: number;
  parse: TextParser;
}

export interface BackendResponse {
  /** Rows of the last statement that returned rows. */
  rows: Record<string, unknown>[];
  /** The columns described in this response. */
  columns: ResultColumn[] | undefined;
  /** Command tag of the last statement, such as `INSERT 0 3`. */
  tag: string;
  error: DatabaseError | undefined;
  notices: DatabaseErrorFields[];
}

/**
 * Parses one complete response of PostgreSQL's backend protocol.
 *
 * In: the bytes, and the columns of the statement if it was described earlier. Throws the errors of
 * value parsers (an int8 beyond a safe integer).
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function parseBackendResponse(
  bytes: Uint8Array,
  describedColumns: ResultColumn[] | undefined,
): BackendResponse {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const response: BackendResponse = {
    rows: [],
    columns: undefined,
    tag: '',
    error: undefined,
    notices: [],
  };
  let columns = describedColumns ?? [];
  for (let at = 0; at < buffer.length; ) {
    const body = at + 5;
    const end = at + 1 + buffer.readInt32BE(at + 1);
    switch (buffer[at]) {
      case 0x44: // D: a row
        response.rows.push(readRow(buffer, body, columns));
        break;
      case 0x54: // T: the columns of the following rows
        columns = readColumns(buffer, body);
        response.columns = columns;
        response.rows = [];
        break;
      case 0x43: // C: command complete
        response.tag = buffer.toString('latin1', body, end - 1);
        break;
      case 0x45: // E
        response.error ??= new DatabaseError(readFields(buffer, body));
        break;
      case 0x4e: // N
        response.notices.push(readFields(buffer, body));
        break;
    }
    at = end;
  }
  return response;
}

/** Requests bytea in binary format and all other types as text. */
export function withBinaryBytea(column: ResultColumn): ResultColumn {
  return { ...column, format: column.type === BYTEA_OID ? BINARY_FORMAT : TEXT_FORMAT };
}

function readRow(buffer: Buffer, body: number, columns: ResultColumn[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  let at = body + 2;
  for (const column of columns) {
    const length = buffer.readInt32BE(at);
    at += 4;
    if (length < 0) {
      row[column.name] = null;
      continue;
    }
    const end = at + length;
    row[column.name] =
      column.format === BINARY_FORMAT
        ? new Uint8Array(buffer.subarray(at, end))
        : column.parse(buffer.toString('utf8', at, end));
    at = end;
  }
  return row;
}

function readColumns(buffer: Buffer, body: number): ResultColumn[] {
  const columns: ResultColumn[] = [];
  const count = buffer.readUInt16BE(body);
  let at = body + 2;
  for (let index = 0; index < count; index += 1) {
    const end = buffer.indexOf(0, at);
    // After the name: table (4 bytes), column (2), type (4), size (2), modifier (4), format (2).
    const type = buffer.readUInt32BE(end + 7);
    const format = buffer.readInt16BE(end + 17);
    columns.push({
      name: buffer.toString('utf8', at, end),
      type,
      format,
      parse: getTextParser(type),
    });
    at = end + 19;
  }
  return columns;
}

const FIELD_NAMES: Record<string, keyof DatabaseErrorFields> = {
  M: 'message',
  V: 'severity',
  C: 'code',
  D: 'detail',
  H: 'hint',
  P: 'position',
  W: 'where',
  s: 'schema',
  t: 'table',
  c: 'column',
  d: 'dataType',
  n: 'constraint',
};

function readFields(buffer: Buffer, body: number): DatabaseErrorFields {
  const fields: DatabaseErrorFields = { message: '' };
  for (let at = body; buffer[at] !== 0; ) {
    const name = FIELD_NAMES[String.fromCharCode(buffer[at] ?? 0)];
    const end = buffer.indexOf(0, at + 1);
    if (name) fields[name] = buffer.toString('utf8', at + 1, end);
    at = end + 1;
  }
  return fields;
}
