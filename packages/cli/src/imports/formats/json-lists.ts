import { CliError } from '../../errors.ts';
import { decodeText } from '../decode-text.ts';
import { type SkippedItem, skipped } from '../items.ts';
import { readJsonItems } from '../json-items.ts';
import { isObject, type Json } from '../json-value.ts';
import type { Source, SourceFile } from '../source-files.ts';

export interface JsonRecord {
  readonly type: 'record';
  readonly list: string | null;
  readonly value: Json;
  /** The file with the index in its list. */
  readonly place: string;
}

/** The objects in the lists of a JSON file; what is none is skipped. */
export async function* readJsonRecords(
  file: SourceFile,
  encoding: string | null,
): AsyncGenerator<JsonRecord | SkippedItem> {
  for await (const event of readJsonItems(decodeText(file.name, file.open(), encoding))) {
    if (event.type === 'broken') {
      const place = `${file.name}[${event.index}]`;
      yield skipped(event.isTruncated ? 'truncated_file' : 'invalid_json', place);
      continue;
    }
    const { list, index } = event;
    const place = `${file.name}${list === null ? '' : `.${list}`}[${index}]`;
    if (event.type === 'too_large') yield skipped('item_too_large', place);
    else if (isObject(event.value)) yield { type: 'record', list, value: event.value, place };
    else yield skipped('invalid_record', place);
  }
}

/** Throws CliError if no file has a name of the format; a single file may have any name. */
export function findFiles(source: Source, pattern: RegExp, what: string): SourceFile[] {
  const files = source.files.filter((one) => one.type === 'file');
  const [single, ...others] = files;
  if (single && others.length === 0 && single.name === source.name) return [single];
  const found = files.filter(({ name }) => pattern.test(name));
  if (found.length > 0) return found;
  throw new CliError('no_export', `${source.name} has no ${what}.`);
}

/** What of a folder is no file. */
export const skippedFiles = (source: Source): SkippedItem[] =>
  source.files.filter((one) => one.type === 'skipped');
