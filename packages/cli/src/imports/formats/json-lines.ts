import { type SkippedItem, skipped } from '../items.ts';
import { isObject, type Json } from '../json-value.ts';
import type { TextLine } from '../text-lines.ts';

export const lineCharactersMax = 32 * 2 ** 20;

/** The object of a line; null for an empty line. */
export function parseJsonLine(
  { text, isEnded }: TextLine,
  place: string,
): { readonly type: 'object'; readonly value: Json } | SkippedItem | null {
  if (text === null) return skipped('item_too_large', place);
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { type: 'object', value } : skipped('invalid_record', place);
  } catch {
    // The last line of a file that was cut has no end.
    return skipped(isEnded ? 'invalid_json' : 'truncated_file', place);
  }
}
