import type { Occurrence } from '../../text/occurrences.ts';
import { densestStart, findInPassage, trimPartialWord } from './excerpt.ts';

const snippetCharactersMax = 240;
const leadCharacters = 40;

export interface Snippet {
  readonly snippet: string;
  /** [start, end) into the snippet, in UTF-16 code units. */
  readonly ranges: [start: number, end: number][];
}

/**
 * The part of the best passage with the most of what was asked, and where that stands in it; cut
 * between words, with an ellipsis where the content goes on.
 */
export function snippetOf(
  content: string,
  [start, end]: readonly [start: number, end: number],
  terms: ReadonlySet<string>,
  phrases: readonly string[],
): Snippet {
  const [first, last] = end > start ? [start, end] : [0, content.length];
  const passage = content.slice(first, last);
  const found = findInPassage(passage, terms, phrases);
  const [from, to] = windowOf(passage, found);
  const head = content.slice(0, first + from).trim() === '' ? '' : '… ';
  const tail = content.slice(first + to).trim() === '' ? '' : ' …';
  const shift = head.length - from;
  return {
    snippet: head + passage.slice(from, to) + tail,
    ranges: found
      .filter((one) => one[0] >= from && one[1] <= to)
      .map((one) => [one[0] + shift, one[1] + shift]),
  };
}

/** Begins some words before the occurrence from which on it holds the most of them. */
function windowOf(passage: string, found: readonly Occurrence[]): Occurrence {
  const start = densestStart(found, snippetCharactersMax - leadCharacters);
  const near = Math.max(0, start - leadCharacters);
  const from = near === 0 ? 0 : start - leadingWords(passage.slice(near, start)).length;
  const to = Math.min(passage.length, from + snippetCharactersMax);
  const trimmedFrom =
    from + (passage.slice(from, to).length - passage.slice(from, to).trimStart().length);
  const cut =
    to === passage.length ? passage.slice(from, to) : trimPartialWord(passage.slice(from, to));
  return [trimmedFrom, from + cut.trimEnd().length];
}

/** Whole words of what comes before. */
const leadingWords = (before: string): string => /(?<=\s)\S[\s\S]*$/u.exec(before)?.[0] ?? '';
