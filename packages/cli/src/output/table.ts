import { toOneLine } from './printable.ts';
import { displayWidth, padToWidth, truncateToWidth } from './width.ts';

const columnGap = '  ';
/** No column is truncated below this width. */
const columnsMin = 12;
/** Other columns are omitted before a text has less than this width. */
const textColumnsMin = 20;

export interface TableOptions {
  /** Columns of the terminal; null if the output is no terminal, so that nothing is truncated. */
  readonly width: number | null;
  /** Which columns hold texts: they are truncated before others. */
  readonly textColumns?: readonly number[];
  /** Which columns can be omitted on a narrow terminal, the last first. */
  readonly optionalColumns?: readonly number[];
  /** Applied to the first row. */
  readonly heading?: (text: string) => string;
}

/** Rows of cells in aligned columns that fit the terminal, without blanks at the end of a line. */
export function renderTable(
  rows: readonly (readonly string[])[],
  { width, textColumns = [], optionalColumns = [], heading = (text) => text }: TableOptions,
): string[] {
  const clean = rows.map((row) => row.map(toOneLine));
  const natural = clean.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(widest[i] ?? 0, displayWidth(cell))),
    [],
  );
  const columns =
    width === null
      ? [...natural.keys()]
      : visibleColumns(natural, width, textColumns, optionalColumns);
  const widths = width === null ? natural : fitWidths(natural, columns, width, textColumns);
  return clean.map((row, index) => {
    const cells = columns.map((i) =>
      padToWidth(truncateToWidth(row[i] ?? '', widths[i] ?? 0), widths[i] ?? 0),
    );
    const line = cells.join(columnGap).trimEnd();
    const fitted = width === null ? line : truncateToWidth(line, width);
    return index === 0 ? heading(fitted) : fitted;
  });
}

const totalWidth = (widths: readonly number[]): number =>
  widths.reduce((sum, one) => sum + one, columnGap.length * Math.max(0, widths.length - 1));

/** Omits optional columns, the last first, until the texts have room. */
function visibleColumns(
  natural: readonly number[],
  width: number,
  textColumns: readonly number[],
  optionalColumns: readonly number[],
): number[] {
  const needed = (i: number): number =>
    textColumns.includes(i) ? Math.min(natural[i] ?? 0, textColumnsMin) : (natural[i] ?? 0);
  const omitted = new Set<number>();
  const visible = (): number[] => [...natural.keys()].filter((i) => !omitted.has(i));
  for (const i of [...optionalColumns].reverse()) {
    if (totalWidth(visible().map(needed)) <= width) break;
    omitted.add(i);
  }
  return visible();
}

/** Narrows the text columns, the widest first; then any but the first, as far as necessary. */
function fitWidths(
  natural: readonly number[],
  columns: readonly number[],
  width: number,
  textColumns: readonly number[],
): number[] {
  const widths = [...natural];
  const excess = (): number => totalWidth(columns.map((i) => widths[i] ?? 0)) - width;
  const texts = columns.filter((i) => textColumns.includes(i));
  narrow(widths, texts, excess);
  narrow(widths, columns.slice(1), excess);
  return widths;
}

/** Takes columns from the widest of `indexes` until nothing exceeds or all have the minimum. */
function narrow(widths: number[], indexes: readonly number[], excess: () => number): void {
  while (excess() > 0) {
    const [widest, second] = [...indexes].sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    const current = widest === undefined ? 0 : (widths[widest] ?? 0);
    if (widest === undefined || current <= columnsMin) return;
    // Down to the next widest column, so that equal columns share the rest.
    const next = second === undefined ? 0 : (widths[second] ?? 0);
    const target = Math.max(columnsMin, current - excess(), Math.min(current - 1, next));
    widths[widest] = target;
  }
}
