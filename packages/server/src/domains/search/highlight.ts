import { densestWindowStart, findInPassage, trimPartialWord } from './excerpt.ts';

const charactersMax = 400;
const leadCharacters = 80;

/**
 * The best matching passage of a text; of a long passage the part with the most query terms, at
 * most 400 characters and cut between words.
 */
export function highlightOf(
  content: string,
  [start, end]: readonly [start: number, end: number],
  terms: ReadonlySet<string>,
): string {
  const passage = (end > start ? content.slice(start, end) : content).trim();
  if (passage.length <= charactersMax) return passage;
  const from = highlightStart(
    passage,
    densestWindowStart(findInPassage(passage, terms), charactersMax - leadCharacters),
  );
  const cut = passage.slice(from, from + charactersMax);
  const isLast = from + charactersMax >= passage.length;
  return (from > 0 ? '… ' : '') + (isLast ? cut : `${trimPartialWord(cut)} …`);
}

/**
 * Start some words before an occurrence, moved back so that the full length fits before the end.
 */
function highlightStart(passage: string, position: number): number {
  const from = Math.max(0, Math.min(position - leadCharacters, passage.length - charactersMax));
  if (from === 0) return 0;
  const word = passage.slice(from, position + 1).search(/(?<=\s)\S/);
  if (word >= 0) return from + word;
  const isHalf = /^[\uDC00-\uDFFF]/.test(passage.slice(from, from + 1));
  return isHalf ? from + 1 : from;
}
