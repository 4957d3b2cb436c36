import { truncateText } from '../truncate-text.ts';
import { type Grain, toReferenceTime } from './calendar.ts';
import { parseDatePhrase } from './date-phrase.ts';
import { dateCuePattern } from './lexicon.ts';
import { resolveDate } from './resolve.ts';
import { hasDurationExpression } from './time-cues.ts';
import { type TextGenre, type Token, tokenizeDateText } from './tokens.ts';

export { isTemporalQuestion } from './time-cues.ts';

/** A date said in a text, as the time it means. */
export interface DateRange {
  /** Epoch ms, half-open: from ≤ t < to. */
  readonly from: number;
  readonly to: number;
  readonly grain: Grain;
  /** The words, and where they stand: `text.slice(start, end)`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const cutCharacters = 24;

/**
 * The dates of a text, absolute and relative to `reference`, in order and not overlapping: English
 * and the numeric forms of other scripts, in UTC, with weeks from Monday. Without a year or week it
 * is the nearest that has begun or, where the sentence speaks of what will be, the next. A clock
 * time narrows no day, since nobody knows the time zone of who wrote. "Since 2016" lasts until the
 * end of the reference's day; "until", "before" and "after" give the date they name. `aim` is what
 * a date without a year or week is where the sentence leaves it open.
 */
export function parseDates(text: string, reference: Date, aim: TextGenre = 'told'): DateRange[] {
  const now = toReferenceTime(reference.getTime());
  const read = truncateText(text);
  if (!dateCuePattern.test(read)) return [];
  const tokens = tokenizeDateText(read);
  const ranges: DateRange[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const found = parseDatePhrase(tokens, at, aim);
    const stretch = found && resolveDate(found.expression, now);
    if (!stretch) continue;
    const start = tokens[at]?.start ?? 0;
    const end = tokens[found.end - 1]?.end ?? start;
    // Its year may stand behind the cut.
    if (read.length < text.length && end > read.length - cutCharacters) break;
    ranges.push({ ...stretch, text: text.slice(start, end), start, end });
    at = found.end - 1;
  }
  return ranges;
}

/** Whether a text states any time at all: a date, a weekday, a clock time, "ago", a duration. */
export function hasTimeExpression(text: string): boolean {
  const read = truncateText(text);
  return (
    hasDurationExpression(read) ||
    (dateCuePattern.test(read) && hasDateExpression(tokenizeDateText(read)))
  );
}

const hasDateExpression = (tokens: readonly Token[]): boolean =>
  tokens.some((_, at) => parseDatePhrase(tokens, at) !== null);
