import { findOccurrences, type Occurrence } from '../../text/occurrences.ts';

/** A passage without any space between its words is not looked at further than this. */
const scanCharactersMax = 20_000;

/** Where terms and phrases stand in the beginning of a passage: in order, and apart. */
export const findInPassage = (
  passage: string,
  terms: ReadonlySet<string>,
  phrases: readonly string[] = [],
): Occurrence[] => findOccurrences(passage.slice(0, scanCharactersMax), terms, phrases);

/** The first of the occurrences that begin a stretch of such length with the most of them. */
export function densestStart(found: readonly Occurrence[], characters: number): number {
  let best = { start: 0, held: 0 };
  let next = 0;
  for (const [i, [start]] of found.entries()) {
    while ((found[next]?.[1] ?? Number.POSITIVE_INFINITY) <= start + characters) next += 1;
    if (next - i > best.held) best = { start, held: next - i };
  }
  return best.start;
}

/**
 * A text that was cut off, without the word that may have been cut in two, or that half of a
 * character that takes two places. Where spaces are rare it is cut within a word.
 */
export function trimPartialWord(cut: string): string {
  const whole = cut.replace(/\s+\S*$/, '');
  return (whole.length * 2 < cut.length ? cut : whole).replace(/[\uD800-\uDBFF]$/, '');
}
