import {
  countSeparators,
  fenceOf,
  isHeading,
  isIndented,
  isListItem,
  isLogEntry,
  isStatement,
  isTableRow,
  type Line,
  linesOf,
  looksLikeCode,
} from './lines.ts';

type BlockKind = 'heading' | 'prose' | 'list' | 'table' | 'log' | 'code' | 'fence';

/** Consecutive lines of one kind. */
export interface Block {
  readonly kind: BlockKind;
  /** The first and the last are not blank. */
  readonly lines: readonly Line[];
}

/** One of more entries is a log; fewer are dates in a text. */
const logEntriesMin = 3;
const delimitedRowsMin = 4;
const delimiters: readonly (readonly [separator: string, countMin: number])[] = [
  ['\t', 1],
  ['|', 2],
  [';', 2],
  [',', 2],
];
/** So much of a paragraph has to look like code. */
const codeShareMin = 0.6;

/** Divides a text into blocks of what its lines are. Blank lines between blocks belong to none. */
export function blocksOf(text: string): Block[] {
  const lines = linesOf(text);
  const blocks: { kind: BlockKind; from: number; to: number }[] = [];
  for (let at = 0; at < lines.length; ) {
    if ((lines[at] as Line).isBlank) {
      at += 1;
      continue;
    }
    const { kind, end } = blockAt(text, lines, at);
    const previous = blocks.at(-1);
    // Code has blank lines within.
    if (kind === 'code' && previous?.kind === 'code') previous.to = end;
    else blocks.push({ kind, from: at, to: end });
    at = end;
  }
  return blocks.map(({ kind, from, to }) => ({ kind, lines: lines.slice(from, to) }));
}

interface BlockEnd {
  readonly kind: BlockKind;
  /** Number of the line after it. */
  readonly end: number;
}

function blockAt(text: string, lines: readonly Line[], at: number): BlockEnd {
  const line = lines[at] as Line;
  const fence = fenceOf(line);
  if (fence !== undefined) return { kind: 'fence', end: endOfFence(lines, at, fence) };
  if (isHeading(line)) return { kind: 'heading', end: at + 1 };
  const table = endOfRun(lines, at, isTableRow);
  if (table - at >= 2) return { kind: 'table', end: table };
  const log = endOfLog(lines, at);
  if (log > at) return { kind: 'log', end: log };
  if (isListItem(line)) return { kind: 'list', end: endOfList(lines, at) };
  const delimited = endOfDelimited(text, lines, at);
  if (delimited > at) return { kind: 'table', end: delimited };
  const end = endOfParagraph(lines, at);
  return { kind: isCode(lines.slice(at, end)) ? 'code' : 'prose', end };
}

function endOfRun(lines: readonly Line[], at: number, isPart: (line: Line) => boolean): number {
  let end = at;
  while (end < lines.length && isPart(lines[end] as Line)) end += 1;
  return end;
}

/** A fence that nothing closes reaches to the end of the text. */
function endOfFence(lines: readonly Line[], at: number, fence: string): number {
  for (let end = at + 1; end < lines.length; end += 1) {
    const closing = fenceOf(lines[end] as Line);
    if (closing?.startsWith(fence)) return end + 1;
  }
  return withoutBlankEnd(lines, lines.length);
}

function withoutBlankEnd(lines: readonly Line[], end: number): number {
  let last = end;
  while (lines[last - 1]?.isBlank) last -= 1;
  return last;
}

const startsBlock = (line: Line): boolean => isHeading(line) || fenceOf(line) !== undefined;

/** Lines after an entry belong to it, such as a stack trace. Returns `at` if it is no log. */
function endOfLog(lines: readonly Line[], at: number): number {
  if (!isLogEntry(lines[at] as Line)) return at;
  let entries = 0;
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] as Line;
    if (isLogEntry(line)) entries += 1;
    else if (startsBlock(line)) break;
    else if (line.isBlank) {
      const next = endOfRun(lines, end, ({ isBlank }) => isBlank);
      const isOver = next === lines.length || !isLogEntry(lines[next] as Line);
      if (isOver) break;
    }
  }
  return entries >= logEntriesMin ? withoutBlankEnd(lines, end) : at;
}

/** Items with the lines that continue them. */
function endOfList(lines: readonly Line[], at: number): number {
  let end = at + 1;
  while (end < lines.length) {
    const line = lines[end] as Line;
    if (line.isBlank) {
      const next = endOfRun(lines, end, ({ isBlank }) => isBlank);
      const following = lines[next];
      if (!following || !(isListItem(following) || isIndented(following))) break;
      end = next;
    } else if (startsBlock(line) || (isTableRow(line) && !isIndented(line))) break;
    end += 1;
  }
  return withoutBlankEnd(lines, end);
}

/** Rows with equally many cells. Returns `at` if these are none. */
function endOfDelimited(text: string, lines: readonly Line[], at: number): number {
  const first = lines[at] as Line;
  if (/[.!?:]\s*$/.test(first.tail)) return at;
  for (const [separator, countMin] of delimiters) {
    const count = countSeparators(text, first, separator);
    if (count < countMin) continue;
    const isRow = (line: Line): boolean =>
      !line.isBlank && countSeparators(text, line, separator) === count;
    const end = endOfRun(lines, at, isRow);
    if (end - at >= delimitedRowsMin) return end;
  }
  return at;
}

function endOfParagraph(lines: readonly Line[], at: number): number {
  const isPart = (line: Line): boolean =>
    !line.isBlank && !startsBlock(line) && !isListItem(line) && !isTableRow(line);
  return Math.max(at + 1, endOfRun(lines, at, isPart));
}

function isCode(lines: readonly Line[]): boolean {
  const alike = lines.filter(looksLikeCode).length;
  const isMostly = alike >= codeShareMin * lines.length;
  return isMostly && lines.some(isStatement) && (lines.length > 1 || isIndentedOrEnded(lines));
}

const isIndentedOrEnded = ([line]: readonly Line[]): boolean =>
  line !== undefined && (isIndented(line) || /[{};]\s*$/.test(line.tail));
