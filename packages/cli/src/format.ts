/** Columns are two blanks apart. */
const gap = '  ';

// Control characters, line separators, and marks that turn the direction of what follows.
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Text from elsewhere on one line, without anything that moves the terminal's cursor. */
export const toOneLine = (text: string): string => text.replace(unprintable, ' ').trim();

/** At most `max` characters on one line; an ellipsis stands for what is cut off. */
export function excerpt(text: string, max = 80): string {
  // Only the start is looked at: a memory may hold a megabyte.
  const start = Array.from(toOneLine(text.slice(0, max * 8)));
  const isWhole = start.length <= max && text.length <= max * 8;
  return isWhole ? start.join('') : `${start.slice(0, max - 1).join('')}…`;
}

/** `1 row`, `2 rows`. */
export const pluralize = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;

/** `[0:12–0:15]`, which holds both of these seconds of a recording; `[0:12]` where they are one. */
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

/** Rows of cells in aligned columns; the last column may be as long as it likes. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) => row.map(toOneLine));
  const widths = clean.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(widest[i] ?? 0, cell.length)),
    [],
  );
  return clean.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** A list under its heading, or one line that says there is nothing. */
export function formatList<T>(
  records: readonly T[],
  columns: Readonly<Record<string, (record: T) => string>>,
  nothing: string,
): string[] {
  if (records.length === 0) return [nothing];
  const cells = Object.values(columns);
  return formatTable([
    Object.keys(columns).map((name) => name.toUpperCase()),
    ...records.map((record) => cells.map((cell) => cell(record))),
  ]);
}
