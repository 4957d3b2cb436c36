import { type ColumnSet, cellValue, columnsOf, columnTitle, fieldLabel } from './columns.ts';
import { toOneLine, toPrintableLines } from './printable.ts';
import type { Style } from './style.ts';
import { renderTable } from './table.ts';

/** How the output looks. */
export interface Display {
  /** Columns of the terminal; null if the output is not a terminal. */
  readonly width: number | null;
  readonly style: Style;
}

type JsonRecord = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRecordList = (value: unknown): value is readonly JsonRecord[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord);

/** Longer texts are shown whole where one record is shown, not in tables. */
const cellCharactersMax = 2_000;

/** A table of the records of an operation. */
export function describeRecords(
  operation: string,
  records: readonly JsonRecord[],
  display: Display,
): string[] {
  if (records.length === 0) return ['nothing found'];
  return describeTable(records, columnsOf(operation, null, records), display);
}

function describeTable(
  records: readonly JsonRecord[],
  columns: ColumnSet,
  { width, style }: Display,
): string[] {
  const rows = records.map((record) =>
    columns.map((column) => {
      const cell = formatCell(cellValue(record, column)).slice(0, cellCharactersMax);
      return width === null ? cell : shortenTime(cell);
    }),
  );
  const textColumns = columns.flatMap((column, i) => (column.endsWith('*') ? [i] : []));
  const titles = columns.map((column) => columnTitle(column, records));
  return renderTable([titles, ...rows], {
    width,
    textColumns,
    optionalColumns: optionalColumnsOf(columns, titles),
    heading: style.bold,
  });
}

/** Neither the first column nor texts nor ids, which people copy. */
const optionalColumnsOf = (columns: ColumnSet, titles: readonly string[]): number[] =>
  columns.flatMap((column, i) =>
    i === 0 || column.endsWith('*') || /\bID$/.test(titles[i] ?? '') ? [] : [i],
  );

/** `2026-01-05 09:30Z`: a terminal has room for little more. */
const shortenTime = (cell: string): string =>
  cell.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\dZ$/, '$1 $2Z');

/** Fields as aligned lines, lists of records as tables below them. */
export function describeResult(operation: string, result: unknown, display: Display): string[] {
  if (typeof result === 'string') return toPrintableLines(result);
  if (isRecordList(result)) return describeRecords(operation, result, display);
  if (!isRecord(result)) return [formatCell(result)];
  const lines = describeFields(result, display);
  const tables = listsIn(result, '');
  const isOnly = tables.length === 1 && Object.keys(result).length <= 2;
  const described = tables.flatMap(({ label, name, records }, i) => {
    const isMain = tables.length === 1 || name === 'data';
    const columns = columnsOf(isMain ? operation : null, name, records);
    const table = describeTable(records, columns, display);
    if (isOnly) return table;
    return [...(lines.length + i > 0 ? [''] : []), `${label}:`, ...table];
  });
  const all = [...(isOnly ? [] : lines), ...described];
  return all.length === 0 ? ['nothing found'] : all;
}

interface ListInside {
  readonly label: string;
  readonly name: string;
  readonly records: readonly JsonRecord[];
}

/** The lists of records of a record, and of the records inside of it. */
function listsIn(record: JsonRecord, prefix: string): ListInside[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const label = `${prefix}${fieldLabel(name)}`;
    if (isRecordList(value)) return [{ label, name, records: value }];
    return isRecord(value) ? listsIn(value, `${label}.`) : [];
  });
}

function describeFields(record: JsonRecord, { style }: Display): string[] {
  const fields = flatten(record, '');
  const labelWidth = Math.max(0, ...fields.map(([label]) => label.length));
  const indent = ' '.repeat(labelWidth + 2);
  return fields.flatMap(([label, [first = '', ...more]]) => [
    `${style.dim(label.padEnd(labelWidth))}  ${first}`.trimEnd(),
    ...more.map((line) => `${indent}${line}`.trimEnd()),
  ]);
}

/** Label and lines of each field that has a value; `limits.memories` for nested ones. */
function flatten(record: JsonRecord, prefix: string): [string, string[]][] {
  return Object.entries(record).flatMap(([name, value]): [string, string[]][] => {
    const label = prefix === '' ? fieldLabel(name) : `${prefix}.${fieldLabel(name)}`;
    if (value === null || value === undefined || value === '' || isRecordList(value)) return [];
    if (Array.isArray(value) && value.length === 0) return [];
    if (isRecord(value) && isRepetition(value, record)) return [];
    if (isRecord(value)) {
      return prefix.includes('.') ? [[label, [json(value)]]] : flatten(value, label);
    }
    return [[label, linesOf(value)]];
  });
}

/** Some records contain a part of their own fields again, for other clients. */
const isRepetition = (part: JsonRecord, whole: JsonRecord): boolean =>
  Object.keys(part).length > 1 &&
  Object.entries(part).every(
    ([name, value]) => JSON.stringify(whole[name]) === JSON.stringify(value),
  );

const linesOf = (value: unknown): string[] =>
  typeof value === 'string' && !isTime(value) ? toPrintableLines(value) : [formatCell(value)];

const json = (value: unknown): string => toOneLine(JSON.stringify(value));

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);

/** A value on one line: times without milliseconds, few digits, lists with commas. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(Math.round(value * 1_000) / 1_000);
  if (typeof value === 'string') {
    return isTime(value) ? value.replace(/\.\d{3}Z$/, 'Z') : toOneLine(value);
  }
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return toOneLine(value.join(', '));
  }
  return json(value);
}
