import { densestStart, findInPassage, trimPartialWord } from './excerpt.ts';

const charactersMax = 400;
const leadCharacters = 80;

/**
 * The passage of a text that matches best; of a long one the part with the most of the query's
 * terms, at most 400 characters and cut between words.
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
    densestStart(findInPassage(passage, terms), charactersMax - leadCharacters),
  );
  const cut = passage.slice(from, from + charactersMax);
  const isLast = from + charactersMax >= passage.length;
  return (from > 0 ? '… ' : '') + (isLast ? cut : `${trimPartialWord(cut)} …`);
}

/** Some words before a place, and as near to the end as the whole length allows. */
function highlightStart(passage: string, place: number): number {
  const from = Math.max(0, Math.min(place - leadCharacters, passage.length - charactersMax));
  if (from === 0) return 0;
  const word = passage.slice(from, place + 1).search(/(?<=\s)\S/);
  if (word >= 0) return from + word;
  const isHalf = /^[\uDC00-\uDFFF]/.test(passage.slice(from, from + 1));
  return isHalf ? from + 1 : from;
}
