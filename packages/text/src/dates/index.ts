import { truncateText } from '../truncate-text.ts';
import { type Grain, toReferenceTime } from './calendar.ts';
import { parseDatePhrase } from './date-phrase.ts';
import { dateCuePattern } from './lexicon.ts';
import { resolveDate } from './resolve-date.ts';
import { hasDurationExpression } from './time-cues.ts';
import { type TextGenre, type Token, tokenizeDateText } from './tokens.ts';

export { isTemporalQuestion } from './time-cues.ts';

/** A date in a text, resolved to a time range. */
export interface DateRange {
  /** Epoch ms, half-open: from ≤ t < to. */
  readonly from: number;
  readonly to: number;
  readonly grain: Grain;
  /** The words and their offsets: `text.slice(start, end)`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const cutCharacters = 24;

/**
 * Parses the dates of a text, absolute and relative to `reference`, in order and without overlap:
 * English and the numeric forms of other scripts, in UTC, with weeks starting on Monday. Without a
 * year or week, the nearest past occurrence is chosen or, if the sentence is about the future, the
 * next one; `aim` decides ambiguous sentences. A clock time does not narrow a day, since the
 * author's time zone is unknown. "Since 2016" lasts until the end of the reference day; "until",
 * "before" and "after" yield the date that they name.
 */
export function parseDates(text: string, reference: Date, aim: TextGenre = 'told'): DateRange[] {
  const now = toReferenceTime(reference.getTime());
  const input = truncateText(text);
  if (!dateCuePattern.test(input)) return [];
  const tokens = tokenizeDateText(input);
  const ranges: DateRange[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const parsed = parseDatePhrase(tokens, at, aim);
    const range = parsed && resolveDate(parsed.expression, now);
    if (!range) continue;
    const start = tokens[at]?.start ?? 0;
    const end = tokens[parsed.end - 1]?.end ?? start;
    // Its year may be beyond the cut.
    if (input.length < text.length && end > input.length - cutCharacters) break;
    ranges.push({ ...range, text: text.slice(start, end), start, end });
    at = parsed.end - 1;
  }
  return ranges;
}

/** Whether a text contains any time: a date, a weekday, a clock time, "ago", a duration. */
export function hasTimeExpression(text: string): boolean {
  const input = truncateText(text);
  return (
    hasDurationExpression(input) ||
    (dateCuePattern.test(input) && hasDateExpression(tokenizeDateText(input)))
  );
}

const hasDateExpression = (tokens: readonly Token[]): boolean =>
  tokens.some((_, at) => parseDatePhrase(tokens, at) !== null);
