import { decodeText } from '../decode-text.ts';
import type { Item } from '../items.ts';
import type { Json } from '../json-value.ts';
import type { SourceFile } from '../source-files.ts';
import { readTextLines } from '../text-lines.ts';
import type { FormatOptions, ImportFormat } from './format.ts';
import { lineCharactersMax, parseJsonLine } from './json-lines.ts';
import { findFiles, readJsonRecords, skippedFiles } from './json-lists.ts';
import { findColumns, readRow } from './rows.ts';

/** One object per line, or a JSON list of objects. */
export const jsonlFormat: ImportFormat = {
  hasLocalIds: true,
  async *read(source, options) {
    yield* skippedFiles(source);
    for (const file of findFiles(source, /\.(?:jsonl|ndjson|json)$/, '.jsonl file')) {
      const isList = await startsWithList(file, options.encoding);
      yield* isList ? readList(file, options) : readLines(file, options);
    }
  },
};

async function startsWithList(file: SourceFile, encoding: string | null): Promise<boolean> {
  for await (const piece of decodeText(file.name, file.open(), encoding)) {
    const [first] = piece.trimStart();
    if (first !== undefined) return first === '[';
  }
  return false;
}

async function* readList(file: SourceFile, options: FormatOptions): AsyncGenerator<Item> {
  for await (const record of readJsonRecords(file, options.encoding)) {
    if (record.type === 'skipped') yield record;
    else yield toItem(record.value, record.place, file, options);
  }
}

async function* readLines(file: SourceFile, options: FormatOptions): AsyncGenerator<Item> {
  const text = decodeText(file.name, file.open(), options.encoding);
  for await (const line of readTextLines(text, lineCharactersMax)) {
    const place = `${file.name}:${line.number}`;
    const parsed = parseJsonLine(line, place);
    if (parsed === null) continue;
    yield parsed.type === 'skipped' ? parsed : toItem(parsed.value, place, file, options);
  }
}

/** Objects may have different fields. */
function toItem(row: Json, place: string, file: SourceFile, { map }: FormatOptions): Item {
  const columns = findColumns(Object.keys(row), map);
  return readRow(row, columns, { place, modifiedAt: file.modifiedAt, format: 'text' });
}
