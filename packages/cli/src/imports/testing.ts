import type { FormatOptions, ImportFormat } from './formats/format.ts';
import type { Item } from './items.ts';
import type { Source, SourceFile } from './source-files.ts';

export const modifiedAt = new Date('2026-01-01T00:00:00Z');

const detected: FormatOptions = { encoding: null, map: {}, delimiter: null };

/** Bytes in pieces of a size. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A file of the content, which is read in pieces. */
const fileOf = (name: string, content: string | Uint8Array, size = 7): SourceFile => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return { type: 'file', name, bytes: bytes.length, modifiedAt, open: () => inPieces(bytes, size) };
};

/** Files by their names; of a single one, the source has its name. */
function sourceOf(contents: Readonly<Record<string, string | Uint8Array>>): Source {
  const files = Object.entries(contents).map(([name, content]) => fileOf(name, content, 4_096));
  const name = files.length === 1 ? (files[0]?.name ?? '') : 'folder';
  return { name, files, close: () => undefined };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export const readItems = (
  format: ImportFormat,
  contents: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<FormatOptions> = {},
): Promise<Item[]> => collect(format.read(sourceOf(contents), { ...detected, ...options }));

/** Reasons and places of what was skipped. */
export const skipsOf = (items: readonly Item[]): string[] =>
  items.flatMap((item) => (item.type === 'skipped' ? [`${item.reason} ${item.place}`] : []));
