import { type Block, blocksOf } from './blocks.ts';
import {
  continuesLine,
  isIndented,
  isListItem,
  isLogEntry,
  isTableRow,
  type Line,
} from './lines.ts';
import { cutBySize, isSpace, type Range, sizeOf, trimRange } from './size.ts';

/** What is not split unless it is long: a sentence, a list item, a row, an entry, a function. */
export interface Unit extends Range {
  readonly size: number;
  /** Of its whole block, if it is the first unit of one; else 0. */
  readonly blockSize: number;
  /** Begins something else than what precedes it: a section, or a later time in a log. */
  readonly beginsPart: boolean;
  /** Begins a passage, whatever the size of the one before. */
  readonly standsAlone: boolean;
  /** Belongs to what follows: a heading, the header of a table, the line before a list. */
  readonly leads: boolean;
}

/** What a block is part of: a heading, and the line that explains its rows or items. */
export interface Outline extends Range {
  /** In order; they precede the block or are its beginning. */
  readonly contexts: readonly Range[];
}

type Part = Range & {
  readonly leads?: boolean;
  readonly beginsPart?: boolean;
  readonly standsAlone?: boolean;
};

/** Longer units are divided. */
const unitSizeMax = 80;
const contextCharactersMax = 240;
const titleCharactersMax = 120;
const sentenceEnd = /(?<=[.!?。！？])\s+(?=\p{Lu}|\p{N}|["'(“‘])|(?<=[。！？])(?=\S)/gu;
/** A pause in a log that is so many times the usual one begins another part. */
const pauseFactor = 8;
const pauseMsMin = 1_000;

/** The units of a text in order, without white space at their ends. */
export const unitsOf = (text: string): Unit[] =>
  blocksOf(text).flatMap((block, i, all) => toUnits(text, block, partsOf(text, block, all[i + 1])));

function toUnits(text: string, { kind }: Block, parts: readonly Part[]): Unit[] {
  const cut = parts.flatMap((part) => cutLong(text, part));
  const blockSize = cut.reduce((sum, part) => sum + sizeOf(text, part), 0);
  return cut.map((part, i) => ({
    start: part.start,
    end: part.end,
    size: sizeOf(text, part),
    blockSize: i === 0 ? blockSize : 0,
    beginsPart: part.beginsPart === true || (kind === 'heading' && i === 0),
    standsAlone: part.standsAlone === true,
    leads: part.leads === true,
  }));
}

function cutLong(text: string, part: Part): Part[] {
  const range = trimRange(text, part);
  if (range === null) return [];
  if (sizeOf(text, range) <= unitSizeMax) return [{ ...part, ...range }];
  const { beginsPart = false, standsAlone = false } = part;
  return cutBySize(text, range, unitSizeMax).map((one, i) => ({
    ...one,
    beginsPart: beginsPart && i === 0,
    standsAlone: standsAlone && i === 0,
  }));
}

function partsOf(text: string, { kind, lines }: Block, next: Block | undefined): Part[] {
  switch (kind) {
    case 'heading':
      return [{ ...rangeOf(lines), leads: true }];
    case 'prose':
      return leadingInto(next, sentencesOf(text, lines));
    case 'list':
      return startingAt(lines, (line) => !isIndented(line) && isListItem(line));
    case 'table':
      return rowsOf(lines);
    case 'log':
      return entriesOf(lines);
    case 'code':
      return functionsOf(text, lines);
    case 'fence':
      return sizeOf(text, rangeOf(lines)) <= unitSizeMax
        ? [rangeOf(lines)]
        : functionsOf(text, lines);
  }
}

const rangeOf = (lines: readonly Line[]): Range => ({
  start: lines[0]?.start ?? 0,
  end: lines.at(-1)?.end ?? 0,
});

/** The last sentence before a list, a table or code leads into it if it ends with a colon. */
function leadingInto(next: Block | undefined, sentences: readonly Part[]): Part[] {
  const isLead = next !== undefined && !['prose', 'heading'].includes(next.kind);
  return sentences.map((one, i) => ({
    ...one,
    leads: isLead && i === sentences.length - 1,
  }));
}

/** Lines that were wrapped are joined; every other line is at least one unit. */
function sentencesOf(text: string, lines: readonly Line[]): Range[] {
  const joined: Line[][] = [];
  for (const line of lines) {
    const previous = joined.at(-1)?.at(-1);
    if (previous && continuesLine(previous, line)) joined.at(-1)?.push(line);
    else joined.push([line]);
  }
  return joined.flatMap((part) => splitBySentence(text, rangeOf(part)));
}

function splitBySentence(text: string, { start, end }: Range): Range[] {
  const ranges: Range[] = [];
  let from = start;
  for (const found of text.slice(start, end).matchAll(sentenceEnd)) {
    ranges.push({ start: from, end: start + found.index });
    from = start + found.index + found[0].length;
  }
  ranges.push({ start: from, end });
  return ranges;
}

/** Groups of lines, each from a line that starts one. */
function startingAt(lines: readonly Line[], starts: (line: Line) => boolean): Range[] {
  const groups: Line[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last && !starts(line)) last.push(line);
    else groups.push([line]);
  }
  return groups.map(rangeOf);
}

/** The number of lines in front of the rows. */
const headerLines = (lines: readonly Line[]): number => {
  const [first, second] = lines;
  if (first === undefined || second === undefined || lines.length < 3) return 0;
  const isRuled = isTableRow(first) && /^[\s|:+-]+$/.test(second.head);
  return isRuled ? 2 : 1;
};

function rowsOf(lines: readonly Line[]): Part[] {
  const header = headerLines(lines);
  const rows = lines.slice(header).map((line) => rangeOf([line]));
  return header === 0 ? rows : [{ ...rangeOf(lines.slice(0, header)), leads: true }, ...rows];
}

const clockPattern = /(\d{1,2}):(\d{2})(?::(\d{2}))?/;

/** Entries of a log; a long pause or another severity begins another part. */
function entriesOf(lines: readonly Line[]): Part[] {
  const entries = startingAt(lines, isLogEntry);
  const heads = lines.filter(isLogEntry).map(({ head }) => head);
  const times = heads.map(timeOfDayMs);
  const severities = heads.map(isSevere);
  const pauses = times.slice(1).map((time, i) => Math.abs(time - (times[i] ?? time)));
  const usual = pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 2)] ?? 0;
  const pauseMin = Math.max(pauseMsMin, usual * pauseFactor);
  return entries.map((entry, i) => ({
    ...entry,
    beginsPart: (pauses[i - 1] ?? 0) > pauseMin,
    standsAlone: i > 0 && severities[i] !== severities[i - 1],
  }));
}

const severePattern = /\b(?:WARN(?:ING)?|ERR(?:OR)?|FATAL|CRIT(?:ICAL)?|ALERT|EMERG|PANIC)\b/i;
const isSevere = (head: string): boolean => severePattern.test(head);

function timeOfDayMs(head: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] = (clockPattern.exec(head) ?? []).map(Number);
  return ((hours * 60 + minutes) * 60 + (seconds || 0)) * 1_000;
}

/** Functions and classes begin after a blank line without indentation; long ones are divided. */
function functionsOf(text: string, lines: readonly Line[]): Range[] {
  const begins = new Set<Line>();
  for (const [i, line] of lines.entries()) {
    const isTop = !line.isBlank && !isSpace(line.head.charCodeAt(0)) && !/^[})\]]/.test(line.head);
    if (isTop && lines[i - 1]?.isBlank !== false) begins.add(line);
  }
  return startingAt(lines, (line) => begins.has(line)).flatMap((part) =>
    sizeOf(text, part) <= unitSizeMax ? [part] : dividedAtBlanks(text, lines, part),
  );
}

/** At blank lines; what is still long is divided into lines. */
function dividedAtBlanks(text: string, lines: readonly Line[], { start, end }: Range): Range[] {
  const own = lines.filter((line) => line.start >= start && line.end <= end);
  const begins = new Set(own.filter((line, i) => !line.isBlank && own[i - 1]?.isBlank === true));
  return startingAt(own, (line) => begins.has(line)).flatMap((part) =>
    sizeOf(text, part) <= unitSizeMax
      ? [part]
      : own
          .filter((line) => line.start >= part.start && line.end <= part.end)
          .map((line) => rangeOf([line])),
  );
}

/**
 * What each block of a text is part of: its heading, the header of a table, the sentence that leads
 * into a list or code.
 */
export function outlineOf(text: string): Outline[] {
  const outlines: Outline[] = [];
  const blocks = blocksOf(text);
  const title = titleOf(blocks[0]);
  let heading: Range | null = null;
  let lead: Range | null = null;
  for (const block of blocks) {
    const range = rangeOf(block.lines);
    const header = block.kind === 'table' ? headerLines(block.lines) : 0;
    const contexts = [
      title,
      heading?.start === title?.start ? null : heading,
      block.kind === 'prose' || lead?.start === title?.start ? null : lead,
      header > 0 ? rangeOf(block.lines.slice(0, 1)) : null,
    ];
    if (block.kind === 'heading') heading = range;
    else {
      outlines.push({
        ...range,
        contexts: contexts.flatMap((one) => (one ? [shortened(text, one)] : [])),
      });
    }
    lead = block.kind === 'prose' ? (sentencesOf(text, block.lines).at(-1) ?? null) : null;
  }
  return outlines;
}

/** A first line that stands alone. */
function titleOf(first: Block | undefined): Range | null {
  const isTitle = first?.lines.length === 1 && (first.kind === 'heading' || first.kind === 'prose');
  const range = isTitle ? rangeOf(first.lines) : null;
  return range && range.end - range.start <= titleCharactersMax ? range : null;
}

const shortened = (text: string, { start, end }: Range): Range => {
  const last = Math.min(end, start + contextCharactersMax);
  const isHalf = last < end && /[\uD800-\uDBFF]/.test(text.charAt(last - 1));
  return { start, end: isHalf ? last - 1 : last };
};
