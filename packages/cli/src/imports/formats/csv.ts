import { finished } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { CliError } from '../../errors.ts';
import { decodeText } from '../decode-text.ts';
import { type Item, skipped } from '../items.ts';
import type { Json } from '../json-value.ts';
import type { SourceFile } from '../source-files.ts';
import type { FormatOptions, ImportFormat } from './format.ts';
import { findFiles, skippedFiles } from './json-lists.ts';
import { type Columns, findColumns, readRow } from './rows.ts';

const recordBytesMax = 32 * 2 ** 20;
const delimiters = [',', ';', '\t', '|'];

/** A table whose first row has the names of its columns. */
export const csvFormat: ImportFormat = {
  hasLocalIds: true,
  async *read(source, options) {
    yield* skippedFiles(source);
    for (const file of findFiles(source, /\.(?:csv|tsv)$/, '.csv file'))
      yield* readTable(file, options);
  },
};

interface CsvRow {
  readonly record: Json;
  /** At which it ends. */
  readonly line: number;
}

async function* readTable(file: SourceFile, options: FormatOptions): AsyncGenerator<Item> {
  let columns: Columns | null = null;
  const placeOf = (line: number): string => `${file.name}:${line}`;
  for await (const row of readRows(file, options)) {
    if ('error' in row) {
      // An unclosed quote: the rest cannot be split into records.
      const isTooLarge = row.error.code === 'CSV_MAX_RECORD_SIZE';
      yield skipped(isTooLarge ? 'item_too_large' : 'truncated_file', placeOf(row.line));
      continue;
    }
    const { record, line } = row;
    columns ??= requireContent(findColumns(Object.keys(record), options.map), record, file);
    const place = placeOf(line);
    yield readRow(record, columns, { place, modifiedAt: file.modifiedAt, format: 'text' });
  }
}

/** The rows up to an error, and the error with the line of the last row. */
async function* readRows(
  file: SourceFile,
  { encoding, delimiter }: FormatOptions,
): AsyncGenerator<CsvRow | { readonly error: CsvError; readonly line: number }> {
  const rows: CsvRow[] = [];
  let line = 1;
  const parser = parse({
    delimiter: delimiter ?? (await findDelimiter(file, encoding)),
    columns: nameColumns,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: recordBytesMax,
    // The stream would drop rows that precede an error.
    on_record: (record: Json, context) => {
      line = context.lines;
      rows.push({ record, line });
      return null;
    },
  });
  parser.on('error', () => undefined).resume();
  const send = (action: (done: (error?: Error | null) => void) => void): Promise<Error | null> =>
    new Promise((resolve) => {
      action((error) => resolve(error ?? null));
    });
  let error: Error | null = null;
  for await (const piece of decodeText(file.name, file.open(), encoding)) {
    error = await send((done) => parser.write(piece, done));
    yield* rows.splice(0);
    if (error !== null) break;
  }
  error ??= await send((done) => {
    finished(parser, done);
    parser.end();
  });
  yield* rows.splice(0);
  if (error === null) return;
  if (!(error instanceof CsvError)) throw error;
  yield { error, line };
}

/** Columns without a name, or with one that is taken, get their number. */
function nameColumns(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((given, i) => {
    const trimmed = given.trim();
    const name = trimmed === '' || taken.has(trimmed) ? `${trimmed}column_${i + 1}` : trimmed;
    taken.add(name);
    return name;
  });
}

function requireContent(columns: Columns, record: Json, { name }: SourceFile): Columns {
  const names = Object.keys(record);
  const missing = Object.entries(columns).find(([, column]) => !names.includes(column));
  if (missing === undefined && columns.content !== undefined) return columns;
  const wanted = missing === undefined ? 'for the content' : `named ${missing[1]}`;
  const list = names.slice(0, 20).join(', ');
  throw new CliError(
    'unknown_column',
    `${name} has no column ${wanted}. Say which one with --map content=<column>. It has: ${list}.`,
  );
}

/** The one that is most often in the first line. */
async function findDelimiter(file: SourceFile, encoding: string | null): Promise<string> {
  let head = '';
  for await (const piece of decodeText(file.name, file.open(), encoding)) {
    head += piece;
    if (head.includes('\n') || head.length > 65_536) break;
  }
  const line = (head.split('\n')[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const countOf = (delimiter: string): number => line.split(delimiter).length;
  return delimiters.reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
}
