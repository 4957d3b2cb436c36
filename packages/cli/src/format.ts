import { toOneLine } from './output/printable.ts';
import { renderTable } from './output/table.ts';

export { toOneLine };

/** At most `max` characters on one line, with an ellipsis if the text is truncated. */
export function excerpt(text: string, max = 80): string {
  // Only the start is processed: a memory may have a megabyte of text.
  const start = Array.from(toOneLine(text.slice(0, max * 8)));
  const isWhole = start.length <= max && text.length <= max * 8;
  return isWhole ? start.join('') : `${start.slice(0, max - 1).join('')}…`;
}

/** `1 row`, `2 rows`. */
export const pluralize = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `[0:12–0:15]`, widened to whole seconds; `[0:12]` for an empty range. */
export function formatTimeRange(start: number, end: number): string {
  const [from, to] = [Math.floor(start), Math.ceil(end)];
  return from >= to ? `[${formatClock(from)}]` : `[${formatClock(from)}–${formatClock(to)}]`;
}

/** `0:12`, `1:02:03`. */
function formatClock(seconds: number): string {
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const short = `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${short.padStart(5, '0')}` : short;
}

/** Rows of cells in aligned columns, without blanks at the end of a line. */
export const formatTable = (rows: readonly (readonly string[])[]): string[] =>
  renderTable(rows, { width: null });

/** A list with column headings that fits the terminal, or `emptyText` for an empty list. */
export function formatList<T>(
  records: readonly T[],
  columns: Readonly<Record<string, (record: T) => string>>,
  emptyText: string,
  width: number | null = null,
): string[] {
  if (records.length === 0) return [emptyText];
  const cells = Object.values(columns);
  const heading = Object.keys(columns).map((name) => name.toUpperCase());
  const rows = [heading, ...records.map((record) => cells.map((cell) => cell(record)))];
  return renderTable(rows, { width, textColumns: [cells.length - 1] });
}
