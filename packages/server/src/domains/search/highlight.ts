const charactersMax = 400;

/** The passage of a text that matches best, cut at a word where it is long. */
export function highlightOf(content: string, [start, end]: readonly [number, number]): string {
  const passage = (end > start ? content.slice(start, end) : content).trim();
  if (passage.length <= charactersMax) return passage;
  const cut = passage.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.replace(/\s+\S*$/, '')} …`;
}
