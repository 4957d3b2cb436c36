import { stem } from '../../text/stem.ts';
import { fold } from '../../text/terms.ts';

const charactersMax = 400;
const run = /[\p{L}\p{N}]+/gu;

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
  const from = bestStart(passage, terms);
  const cut = passage.slice(from, from + charactersMax);
  const isLast = from + charactersMax >= passage.length;
  const head = from > 0 ? '… ' : '';
  // Never half a word, nor half of a character that takes two places.
  const tail = isLast ? cut : `${cut.replace(/\s*(?:\S+|[\uD800-\uDBFF])$/, '')} …`;
  return head + tail;
}

/** Where a window begins that holds the most terms: some words before the first of them. */
function bestStart(passage: string, terms: ReadonlySet<string>): number {
  const found = [...passage.matchAll(run)].filter(([word]) =>
    terms.has(stem(fold(word).toLowerCase())),
  );
  const places = found.map(({ index }) => index);
  let best = { from: 0, held: 0 };
  for (const [i, place] of places.entries()) {
    const last = place + charactersMax - leadCharacters;
    const held = places.slice(i).filter((other) => other < last).length;
    if (held > best.held) best = { from: place, held };
  }
  const from = Math.max(0, Math.min(best.from - leadCharacters, passage.length - charactersMax));
  return from === 0 ? 0 : from + passage.slice(from).search(/(?<=\s)\S|$/);
}

const leadCharacters = 80;
