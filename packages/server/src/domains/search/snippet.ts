import type { Occurrence } from '@mneme/text';
import { densestWindowStart, findInPassage, trimPartialWord } from './excerpt.ts';

const snippetCharactersMax = 240;
const leadCharacters = 40;

export interface Snippet {
  readonly snippet: string;
  /** [start, end) in the snippet, in UTF-16 code units. */
  readonly ranges: [start: number, end: number][];
}

/**
 * The part of the best passage with the most query terms, and their ranges in it; cut between
 * words, with an ellipsis where the content continues.
 */
export function snippetOf(
  content: string,
  [start, end]: readonly [start: number, end: number],
  terms: ReadonlySet<string>,
  phrases: readonly string[],
): Snippet {
  const [first, last] = end > start ? [start, end] : [0, content.length];
  const passage = content.slice(first, last);
  const occurrences = findInPassage(passage, terms, phrases);
  const [from, to] = windowOf(passage, occurrences);
  const head = content.slice(0, first + from).trim() === '' ? '' : '… ';
  const tail = content.slice(first + to).trim() === '' ? '' : ' …';
  const shift = head.length - from;
  return {
    snippet: head + passage.slice(from, to) + tail,
    ranges: occurrences
      .filter((one) => one[0] >= from && one[1] <= to)
      .map((one) => [one[0] + shift, one[1] + shift]),
  };
}

/** Starts some words before the occurrence after which the window contains the most of them. */
function windowOf(passage: string, occurrences: readonly Occurrence[]): Occurrence {
  const start = densestWindowStart(occurrences, snippetCharactersMax - leadCharacters);
  const near = Math.max(0, start - leadCharacters);
  const from = near === 0 ? 0 : start - leadingWords(passage.slice(near, start)).length;
  const to = Math.min(passage.length, from + snippetCharactersMax);
  const trimmedFrom =
    from + (passage.slice(from, to).length - passage.slice(from, to).trimStart().length);
  const cut =
    to === passage.length ? passage.slice(from, to) : trimPartialWord(passage.slice(from, to));
  return [trimmedFrom, from + cut.trimEnd().length];
}

/** The text before, without a partial word at its start. */
const leadingWords = (before: string): string => /(?<=\s)\S[\s\S]*$/u.exec(before)?.[0] ?? '';
