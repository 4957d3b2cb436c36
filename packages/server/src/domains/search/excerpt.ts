import { findOccurrences, type Occurrence } from '@mneme/text';

/** In a passage without spaces, only this many characters are scanned. */
const scanCharactersMax = 20_000;

/** Occurrences of terms and phrases at the start of a passage: in order, without overlaps. */
export const findInPassage = (
  passage: string,
  terms: ReadonlySet<string>,
  phrases: readonly string[] = [],
): Occurrence[] => findOccurrences(passage.slice(0, scanCharactersMax), terms, phrases);

/** Start of the window of this length with the most occurrences; the first of several. */
export function densestWindowStart(occurrences: readonly Occurrence[], characters: number): number {
  let best = { start: 0, held: 0 };
  let next = 0;
  for (const [i, [start]] of occurrences.entries()) {
    while ((occurrences[next]?.[1] ?? Number.POSITIVE_INFINITY) <= start + characters) next += 1;
    if (next - i > best.held) best = { start, held: next - i };
  }
  return best.start;
}

/**
 * Removes a word from the end that may be cut in two, and half of a surrogate pair. Where spaces
 * are rare it cuts within a word.
 */
export function trimPartialWord(cut: string): string {
  const whole = cut.replace(/\s+\S*$/, '');
  return (whole.length * 2 < cut.length ? cut : whole).replace(/[\uD800-\uDBFF]$/, '');
}
