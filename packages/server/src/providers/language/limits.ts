/** What every answer keeps to, whoever gives it. */

export const topicsMax = 20;
export const topicCharactersMax = 80;

/** From here on a text is long. */
const longTextMin = 2_000;
const shortSummaryMax = 300;
const longSummaryMax = 600;

/** So many characters has the summary of a text at most. */
export const summaryCharactersMax = (text: string): number =>
  text.length >= longTextMin ? longSummaryMax : shortSummaryMax;

/** A line of at most `charactersMax` characters; what is longer is cut at a word and gets "…". */
export function truncateLine(line: string, charactersMax: number): string {
  if (line.length <= charactersMax) return line;
  const cut = line.slice(0, charactersMax - 1);
  const space = cut.lastIndexOf(' ');
  const end = space > charactersMax / 2 ? space : cut.length;
  // Never half of a surrogate pair.
  return `${cut
    .slice(0, end)
    .replace(/[\uD800-\uDBFF]$/u, '')
    .trimEnd()}…`;
}
