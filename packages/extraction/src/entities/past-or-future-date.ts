import type { DateRange } from '@mneme/text';

const dayMs = 86_400_000;
const hasYear = /\d{4}|'\d\d|\b(?:last|next|this|today|yesterday|tomorrow|ago|week|year)\b/i;
const weekday = /day$|^(?:mon|tue|wed|thu|fri|sat|sun)/i;
/** "FinOps to report in", "booked for", "promised a playground by": refers to the future. */
const ahead = new RegExp(
  '(?:^|[\\s(])(?:\\p{Lu}[\\p{L}-]* to \\p{Ll}{2,}(?: [^.;:!?\\n]*)? (?:in|on|by|before)|' +
    '(?:booked|scheduled|slated|due|planned|fixed|set|invited|yes)(?: [^.;!?\\n]{0,40})? ' +
    '(?:for|on|in|by)|(?:promised|expects|hopes|agreed)(?: [^.;!?\\n]{0,40})? by) (?:the )?$',
  'u',
);

/** "Since" refers to the past and a booking to the future, whatever the tense of nearby verbs. */
export function correctPastOrFutureDate(text: string, range: DateRange, at: Date): DateRange {
  if (hasYear.test(range.text)) return range;
  const before = text.slice(Math.max(0, range.start - 80), range.start);
  const since = /\bsince (?:the )?$/i.test(before) || /^since\b/i.test(range.text);
  if (since && range.from > at.getTime()) return shifted(range, -1);
  return range.to <= at.getTime() && ahead.test(before) ? shifted(range, 1) : range;
}

/** The same weekday of another week, or the same days of another year. */
function shifted(range: DateRange, by: 1 | -1): DateRange {
  const moved = (ms: number): number => {
    if (weekday.test(range.text)) return ms + by * 7 * dayMs;
    const date = new Date(ms);
    return date.setUTCFullYear(date.getUTCFullYear() + by);
  };
  return { ...range, from: moved(range.from), to: moved(range.to) };
}
