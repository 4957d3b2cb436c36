import { isStopWord } from './stem.ts';

/**
 * A sentence by character offsets, [start, end), without surrounding white space or list marker.
 */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Range {
  start: number;
  end: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

const line = /[^\r\n]+/g;
/** "- ", "3. ", "b) ", "## ", "> ", "- [x] ". */
const listMarker =
  /^[^\S\r\n]*(?:(?:[-*+•‣–>]|#{1,6}|\(?(?:\d{1,3}|[a-z])[.)])\s+)+(?:\[[ xX]\]\s+)?/u;
/** A line that continues in lower case was wrapped, unless the previous line is short. */
const wrappedLineMin = 30;
const startsLowercase = /^\s*\p{Ll}/u;
const isEnded = /[.!?:;。！？]["'”’)\]]*\s*$/u;

/** Abbreviations that never end a sentence. */
const abbreviations = new Set(
  `dr mr mrs ms mx prof rev hon st gen sen rep gov lt capt cpt sgt col maj cmdr fr sr dipl ing
  herr mme mlle e.g i.e eg ie cf vs viz ca approx fig figs eq eqs sec ch vol vols ed eds nr pp al
  incl excl resp est op jan feb mar apr jun jul aug sept sep oct nov dec tel ext dept`.split(/\s+/),
);
/** Continue the sentence only before a number: "No. 5"; "She said no. 5 others left" is rarer. */
const beforeNumbers = new Set(['no', 'p', 'art', 'par', 'para', 'v']);

const headCharacters = 48;
const lastWordCharactersMax = 24;
const lastWord = /(?:^|[\s("'“‘[/])([\p{L}.]{1,16})\.\s*$/u;
const firstWord = /^["'“‘([]*([\p{L}\p{N}'’]{1,24})/u;
const wordBefore = /([\p{L}.'’-]{1,24})\s+\S{1,8}\s*$/u;

/**
 * Splits a text in any script into sentences: `Intl.Segmenter` (UAX #29) with corrections. "Dr.",
 * "e.g." and initials do not end a sentence; a list item is at least one sentence, without its
 * marker; a line that continues in lower case belongs to the previous one. The time is linear in
 * the text length.
 */
export function splitSentences(text: string): Sentence[] {
  return linesOf(text)
    .flatMap((range) => within(text, range))
    .map(({ start, end }) => ({ start, end, text: text.slice(start, end) }));
}

/** Joins wrapped lines and removes list markers. */
function linesOf(text: string): Range[] {
  const lines: Range[] = [];
  let before = '';
  for (const { 0: written, index } of text.matchAll(line)) {
    const sign = listMarker.exec(written)?.[0].length ?? 0;
    const last = lines.at(-1);
    const end = index + written.length;
    const isBroken =
      last !== undefined &&
      sign === 0 &&
      before.length >= wrappedLineMin &&
      startsLowercase.test(written) &&
      !isEnded.test(before.slice(-lastWordCharactersMax)) &&
      index - last.end <= 2;
    if (isBroken) last.end = end;
    else lines.push({ start: index + sign, end });
    before = written;
  }
  return lines;
}

function within(text: string, { start, end }: Range): Range[] {
  // The segmenter ends a sentence at every line break; replacing them preserves offsets.
  const flat = text.slice(start, end).replaceAll(/[\r\n\u0085\u2028\u2029]/g, ' ');
  const ranges: Range[] = [];
  let open: Range | null = null;
  for (const { segment, index } of segmenter.segment(flat)) {
    if (open) open.end = index + segment.length;
    else open = { start: index, end: index + segment.length };
    const head = flat.slice(Math.max(open.start, open.end - headCharacters), open.end);
    if (continuesSentence(head, flat.slice(open.end, open.end + lastWordCharactersMax))) continue;
    ranges.push(open);
    open = null;
  }
  if (open) ranges.push(open);
  return ranges.flatMap((range) => trimmed(flat, range, start));
}

/** Whether the sentence continues after an apparent end. */
function continuesSentence(head: string, next: string): boolean {
  const last = lastWord.exec(head)?.[1];
  const first = firstWord.exec(next)?.[1];
  if (last === undefined || first === undefined) return false;
  const word = last.toLowerCase();
  if (abbreviations.has(word)) return true;
  if (beforeNumbers.has(word)) return /^\p{N}/u.test(first);
  // "J. Smith", but not "plan B. The next" or "he and I. Tomorrow".
  if (!/^(?:\p{Lu}\.)*\p{Lu}$/u.test(last) || isStopWord(first.toLowerCase())) return false;
  if (!/^\p{Lu}/u.test(first)) return false;
  const before = wordBefore.exec(head)?.[1];
  return before === undefined || /^\p{Lu}/u.test(before) || (last !== 'I' && isStopWord(before));
}

function trimmed(flat: string, { start, end }: Range, offset: number): Range[] {
  const written = flat.slice(start, end);
  const left = written.length - written.trimStart().length;
  const length = written.trim().length;
  return length === 0
    ? []
    : [{ start: offset + start + left, end: offset + start + left + length }];
}
