import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { CliError } from '../../errors.ts';
import { decodeText } from '../decode-text.ts';
import { type Item, type SkippedItem, skipped } from '../items.ts';
import type { Json } from '../json-value.ts';
import type { SourceFile } from '../source-files.ts';
import type { FormatOptions, ImportFormat } from './format.ts';
import { findFiles, skippedFiles } from './json-lists.ts';
import { findColumns, readRow } from './rows.ts';

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
  readonly info: { readonly lines: number };
}

async function* readTable(file: SourceFile, options: FormatOptions): AsyncGenerator<Item> {
  const { encoding, map } = options;
  let columns: ReturnType<typeof findColumns> | null = null;
  const problems: SkippedItem[] = [];
  const placeOf = (line: number): string => `${file.name}:${line}`;
  const parser = parse({
    delimiter: options.delimiter ?? (await findDelimiter(file, encoding)),
    columns: nameColumns,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: recordBytesMax,
  });
  const text = Readable.from(decodeText(file.name, file.open(), encoding));
  text.on('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of text.pipe(parser) as AsyncIterable<CsvRow>) {
      columns ??= requireContent(findColumns(Object.keys(record), map), record, file);
      const place = placeOf(info.lines);
      yield readRow(record, columns, { place, modifiedAt: file.modifiedAt, format: 'text' });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // A quote that is never closed: what follows cannot be told apart.
    const isTooLarge = error.code === 'CSV_MAX_RECORD_SIZE';
    const line = Number((error as { lines?: unknown }).lines ?? 0);
    yield skipped(isTooLarge ? 'item_too_large' : 'truncated_file', placeOf(line));
  }
  yield* problems;
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

function requireContent(
  columns: ReturnType<typeof findColumns>,
  record: Json,
  { name }: SourceFile,
): ReturnType<typeof findColumns> {
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
