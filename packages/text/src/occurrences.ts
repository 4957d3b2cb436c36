import { extractTerms, foldAccents, hasUnspacedScript } from './terms.ts';

/** Position of a match in a text: [start, end) in UTF-16 code units. */
export type Occurrence = readonly [start: number, end: number];

// The patterns of terms.ts, but before accents are removed.
const chunkPattern = /[\p{L}\p{N}\p{M}_]+(?:[./\\:@#-][\p{L}\p{N}\p{M}_]+)*/gu;
const runPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** Finds terms and phrases in a text: in order, without overlap. */
export function findOccurrences(
  text: string,
  terms: ReadonlySet<string>,
  phrases: readonly string[] = [],
): Occurrence[] {
  const found = phrases.flatMap((phrase) => [...phraseIn(text, phrase)]);
  for (const { 0: chunk, index } of text.matchAll(chunkPattern)) {
    if (terms.has(foldAccents(chunk).toLowerCase())) found.push([index, index + chunk.length]);
    for (const run of chunk.matchAll(runPattern)) {
      for (const [start, end] of withinRun(run[0], terms)) {
        found.push([index + run.index + start, index + run.index + end]);
      }
    }
  }
  return mergeOverlaps(found);
}

function* phraseIn(text: string, phrase: string): Generator<Occurrence> {
  const words = phrase.split(/\s+/u).filter((word) => word !== '');
  if (words.length === 0) return;
  const pattern = new RegExp(words.map(escaped).join('\\s+'), 'giu');
  for (const { 0: found, index } of text.matchAll(pattern)) yield [index, index + found.length];
}

const escaped = (word: string): string => word.replaceAll(/[$()*+.?[\\\]^{|}/]/g, '\\$&');

/**
 * A word is marked completely if any of its parts matches; in unspaced scripts, each pair is
 * marked.
 */
function* withinRun(run: string, terms: ReadonlySet<string>): Generator<Occurrence> {
  if (!hasUnspacedScript(run)) {
    const { words, compounds } = extractTerms(run);
    if ([...words, ...compounds].some((term) => terms.has(term))) yield [0, run.length];
    return;
  }
  const characters = [...run];
  let at = 0;
  for (const [i, character] of characters.entries()) {
    const pair = character + (characters[i + 1] ?? '');
    if (terms.has(foldAccents(pair))) yield [at, at + pair.length];
    else if (terms.has(foldAccents(character))) yield [at, at + character.length];
    at += character.length;
  }
}

/** Merges occurrences that overlap or touch. */
function mergeOverlaps(found: readonly Occurrence[]): Occurrence[] {
  const apart: [number, number][] = [];
  for (const [start, end] of found.toSorted(([a], [b]) => a - b)) {
    const last = apart.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else apart.push([start, end]);
  }
  return apart;
}
