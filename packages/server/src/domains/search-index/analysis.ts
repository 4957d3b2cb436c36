import {
  contextsOfPassages,
  extractTerms,
  hasTimeExpression,
  type Passage,
  parseDates,
  splitIntoPassages,
} from '@mneme/text';
import { TimeSlice } from '../../kernel/time-slice.ts';

/** The stored terms of a passage. */
export interface PassageTerms {
  /** Content words, without compounds. */
  readonly length: number;
  /** Whether the text mentions a time at all. */
  readonly statesTime: boolean;
  /** Start of the passage in the text, in characters. */
  readonly start: number;
  readonly end: number;
  readonly terms: readonly { readonly term: string; readonly count: number }[];
  /** Terms that only its context has, such as its heading. */
  readonly contextTerms: readonly string[];
}

export interface TextAnalysis {
  /** The text's last sentence is a question. */
  readonly isQuestion: boolean;
  /** There is a question in its last 60 characters. */
  readonly hasQuestionAtEnd: boolean;
  /** Balance of first and second person words, −1..1: 1 is all first person. */
  readonly firstPersonBalance: number;
  /** Time ranges that the text mentions: [from, to) pairs in epoch milliseconds, in one array. */
  readonly dates: Float64Array;
  readonly passages: readonly PassageTerms[];
}

const endCharacters = 60;
/** Person words are counted only in the first characters of a text. */
const personCharacters = 20_000;
const firstPerson = /\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves)\b/gi;
const secondPerson = /\b(?:you|your|yours|yourself|yourselves)\b/gi;
/** Of texts whose passages are split by what they are; earlier versions split them otherwise. */
const splitFlag = 'p';
/** Later dates of a long text say little about the whole. */
const datesMax = 32;

/**
 * Analyses a text once, when it is written; the result is stored, so that loading an index needs no
 * analysis. The first line is about the whole text: `@`, its flags, the counts of first and second
 * person words, its dates. Then one line per passage: length, start, end, then each term and its
 * count; 0 for a term that only the context of the passage has, such as its heading.
 * @param at when the text was said: "yesterday" in it is relative to this
 */
export const analyseText = (text: string, at: Date): string =>
  [...formatLines(text, at)].join('\n');

/**
 * As `analyseText`, but yields to the event loop between slices of work.
 * @param slice shared by several texts that are analysed one after the other
 */
export async function analyseTextYielding(
  text: string,
  at: Date,
  slice = new TimeSlice(),
): Promise<string> {
  const lines: string[] = [];
  for (const line of formatLines(text, at)) {
    lines.push(line);
    if (slice.shouldYield) await slice.yield();
  }
  return lines.join('\n');
}

function* formatLines(text: string, at: Date): Generator<string> {
  const passages = splitIntoPassages(text);
  yield formatHeader(text, at, passages.length > 1);
  const contexts = passages.length > 1 ? contextsOfPassages(text, passages) : [];
  for (const [i, passage] of passages.entries()) yield formatPassage(passage, contexts[i] ?? '');
}

function formatHeader(text: string, at: Date, isSplit: boolean): string {
  const trimmed = text.trimEnd();
  const flags = [
    /[?？]["')\]]*$/.test(trimmed) ? 'q' : '',
    /[?？]/.test(trimmed.slice(-endCharacters)) ? 'e' : '',
    isSplit ? splitFlag : '',
    `${countMatches(text, firstPerson)}:${countMatches(text, secondPerson)}`,
  ].join('');
  const dates = parseDates(text, at)
    .slice(0, datesMax)
    .map(({ from, to }) => `${from},${to}`);
  return `@${[flags, ...dates].join(' ')}`;
}

const countMatches = (text: string, words: RegExp): number =>
  text.slice(0, personCharacters).match(words)?.length ?? 0;

function formatPassage({ text, start, end }: Passage, context: string): string {
  const { words, compounds } = extractTerms(text);
  const counts = new Map<string, number>();
  for (const term of words) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const term of compounds) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const term of new Set(extractTerms(context).words)) {
    if (!counts.has(term)) counts.set(term, 0);
  }
  const pairs = [...counts].map(([term, count]) => `${term} ${count}`);
  return [`${words.length}${hasTimeExpression(text) ? 't' : ''}:${start}:${end}`, ...pairs].join(
    ' ',
  );
}

/**
 * Whether stored terms are those of an earlier version: without dates and questions, or with other
 * passages.
 * @param current those of the present version
 */
export const isOutdatedAnalysis = (stored: string, current: string): boolean =>
  isFormerFormat(stored) || (isSplit(current) && !isSplit(stored));

/** Terms from before dates and questions were stored; they are searched without them. */
export const isFormerFormat = (terms: string): boolean => !terms.startsWith('@');

const isSplit = (terms: string): boolean =>
  (terms.slice(0, terms.indexOf('\n')).split(' ', 1)[0] ?? '').includes(splitFlag);

/** Whether the text of stored terms has more than one passage. */
export const hasSeveralPassages = (terms: string): boolean =>
  terms.indexOf('\n', terms.indexOf('\n') + 1) > 0;

/** The passages of stored terms, as ranges of the text. */
export function passageRangesOf(terms: string): { start: number; end: number }[] {
  const lines = terms.startsWith('@') ? terms.split('\n').slice(1) : terms.split('\n');
  return lines.map((line) => {
    const [, start = 0, end = 0] = (line.split(' ', 1)[0] ?? '').split(':');
    return { start: Number(start), end: Number(end) };
  });
}

/** The inverse of `analyseText`. */
export function parseTextAnalysis(stored: string): TextAnalysis {
  // Older rows have passages only: dates and flags were added first, persons later.
  const [head = '', ...lines] = (stored.startsWith('@') ? stored : `@\n${stored}`).split('\n');
  const [flags = '', ...dates] = head.slice(1).split(' ');
  return {
    isQuestion: flags.includes('q'),
    hasQuestionAtEnd: flags.includes('e'),
    firstPersonBalance: parseFirstPersonBalance(flags),
    dates: Float64Array.from(dates.flatMap((range) => range.split(',').map(Number))),
    passages: lines.map(parsePassage),
  };
}

/** (first − second) ÷ (first + second + 1), counted over the words that name a person. */
function parseFirstPersonBalance(flags: string): number {
  const [, first = 0, second = 0] = /(\d+):(\d+)$/.exec(flags)?.map(Number) ?? [];
  return (first - second) / (first + second + 1);
}

function parsePassage(line: string): PassageTerms {
  const parts = line.split(' ');
  const [length = '', start = 0, end = 0] = (parts[0] ?? '').split(':');
  const terms: { term: string; count: number }[] = [];
  const contextTerms: string[] = [];
  for (let i = 1; i + 1 < parts.length; i += 2) {
    const [term = '', count] = [parts[i], Number(parts[i + 1])];
    if (count > 0) terms.push({ term, count });
    else contextTerms.push(term);
  }
  return {
    length: Number.parseInt(length, 10),
    statesTime: length.endsWith('t'),
    start: Number(start),
    end: Number(end),
    terms,
    contextTerms,
  };
}
