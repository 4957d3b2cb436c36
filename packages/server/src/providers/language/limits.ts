/** Limits of every result, from models and rules. */

export const topicsMax = 20;
export const topicCharactersMax = 80;

/** From this length on a text is long. */
const longTextMin = 2_000;
const shortSummaryMax = 300;
const longSummaryMax = 600;

/** The maximum length of the summary of a text. */
export const summaryCharactersMax = (text: string): number =>
  text.length >= longTextMin ? longSummaryMax : shortSummaryMax;

/**
 * Truncates to at most `charactersMax` characters; a longer line is cut at a word and ends with
 * "…".
 */
export function truncateLine(line: string, charactersMax: number): string {
  if (line.length <= charactersMax) return line;
  const cut = line.slice(0, charactersMax - 1);
  const space = cut.lastIndexOf(' ');
  const end = space > charactersMax / 2 ? space : cut.length;
  // Never cuts a surrogate pair.
  return `${cut
    .slice(0, end)
    .replace(/[\uD800-\uDBFF]$/u, '')
    .trimEnd()}…`;
}
