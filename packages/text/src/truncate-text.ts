/** Maximum length for analysis; longer texts are better processed by passages. */
const charactersMax = 20_000;

/**
 * The first 20,000 characters of a text, cut at a space so that no number is truncated, and never
 * within a surrogate pair.
 */
export function truncateText(text: string): string {
  if (text.length <= charactersMax) return text;
  const head = text.slice(0, charactersMax);
  const end = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n')) + 1;
  return head.slice(0, end) || head.replace(/[\uD800-\uDBFF]$/, '');
}
