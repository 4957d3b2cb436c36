import type { Item } from '../items.ts';
import type { Source } from '../source-files.ts';

export interface FormatOptions {
  /** A label of the Encoding Standard; null: detected. */
  readonly encoding: string | null;
  /** The field or column that each field of a memory is read from. */
  readonly map: Readonly<Record<string, string>>;
  /** What separates columns; null: detected. */
  readonly delimiter: string | null;
}

/** Reads the files of an export. Throws CliError for files that are of another format. */
export interface ImportFormat {
  /** Several sources of this format may use the same ids: their name tells them apart. */
  readonly hasLocalIds: boolean;
  read(source: Source, options: FormatOptions): AsyncGenerator<Item>;
}
