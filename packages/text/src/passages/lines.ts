import { isSpace, type Range } from './size.ts';

/** A line without its end. */
export interface Line extends Range {
  /** Its first characters: enough to tell what it is. */
  readonly head: string;
  /** Its last characters. */
  readonly tail: string;
  readonly isBlank: boolean;
}

const headCharacters = 200;
const tailCharacters = 24;

export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    let first = start;
    while (first < end && isSpace(text.charCodeAt(first))) first += 1;
    lines.push({
      start,
      end,
      head: text.slice(start, Math.min(end, start + headCharacters)),
      tail: text.slice(Math.max(start, end - tailCharacters), end),
      isBlank: first === end,
    });
    start = end + 1;
  }
  return lines;
}

const fencePattern = /^[^\S\n]{0,3}(`{3,}|~{3,})/;
const headingPattern = /^[^\S\n]{0,3}#{1,6}[^\S\n]+\S/;
const listPattern = /^[^\S\n]{0,40}(?:[-*+•‣–]|\(?(?:\d{1,3}|[A-Za-z])[.)])[^\S\n]+\S/;
const rowPattern = /^[^\S\n]{0,8}\|.*\|/;
const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const timePattern = new RegExp(
  `^[^\\S\\n]{0,8}[[(<]?(?:\\d{4}[-/]\\d{2}[-/]\\d{2}[T ,_]+\\d{1,2}:\\d{2}|\\d{2}:\\d{2}:\\d{2}|` +
    `(?:${months}) +\\d{1,2} \\d{2}:\\d{2}|\\d{2}/(?:${months})/\\d{4}:\\d{2})`,
);
const codeWords = `export import from const let var function async class def return if for while
  public private protected static package func fn struct type interface enum impl use elif else try
  catch except with case switch select insert update delete create alter`;
const codeStart = new RegExp(
  [
    `\\s*(?:${codeWords.split(/\s+/).join('|')})\\b.*[({=;:,]`,
    '\\s*(?:[@#]\\w+[(<\\s]|#!|//|/\\*|\\*/|</?[a-z][\\w-]*[\\s>])',
    '\\s*[}\\])]+[;,)]*\\s*$',
    '\\s*[\\w.$]+\\s*(?:\\+=|:=|=)\\s*\\S',
  ]
    .map((pattern) => `^${pattern}`)
    .join('|'),
  'i',
);
const codeEnd = /[{};]\s*$|\)\s*(?:=>|->)?\s*[{:]?\s*$|[[({,]\s*$/;

/** The characters that open a fence; undefined for any other line. */
export const fenceOf = ({ head }: Line): string | undefined => fencePattern.exec(head)?.[1];
export const isHeading = ({ head }: Line): boolean => headingPattern.test(head);
export const isListItem = ({ head }: Line): boolean => listPattern.test(head);
export const isTableRow = ({ head, tail }: Line): boolean =>
  (rowPattern.test(head) || (/^[^\S\n]{0,8}\|/.test(head) && head.length === headCharacters)) &&
  /\|\s*$/.test(tail);
/** Starts with a time, like the entry of a log. */
export const isLogEntry = ({ head }: Line): boolean => timePattern.test(head);
export const isIndented = ({ head }: Line): boolean => /^(?:\t| {2,})\S/.test(head);
export const looksLikeCode = (line: Line): boolean =>
  codeStart.test(line.head) || codeEnd.test(line.tail) || isIndented(line);
/** A statement or a bracket, not only an indented line. */
export const isStatement = ({ head, tail }: Line): boolean =>
  codeStart.test(head) || /[{};]\s*$/.test(tail);

/** Separators of cells, outside of quotes. */
export function countSeparators(text: string, { start, end }: Range, separator: string): number {
  let count = 0;
  let isQuoted = false;
  for (let i = start; i < end; i += 1) {
    const character = text.charAt(i);
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) count += 1;
  }
  return count;
}

const wrappedCharactersMin = 30;

/** Whether a line of prose continues the previous one. */
export const continuesLine = (previous: Line, line: Line): boolean =>
  previous.end - previous.start >= wrappedCharactersMin &&
  /^\s*[\p{Ll}\p{N}(]/u.test(line.head) &&
  !/[.!?:;。！？]["'”’)\]]*\s*$/u.test(previous.tail);
