import { isStopWord, stem } from './stem.ts';

// Runs of letters, digits and underscores, joined by the separators of paths, versions and
// addresses.
const chunkPattern = /[\p{L}\p{N}_]+(?:[./\\:@#-][\p{L}\p{N}_]+)*/gu;
const runPattern = /[\p{L}\p{N}]+/gu;
const camelPattern = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu;
const compoundPattern = /[_./\\:@#]/;
// Scripts without spaces between words: indexed as pairs of characters.
const unspacedScripts = 'Han Hiragana Katakana Hangul Thai Lao Khmer Myanmar'
  .split(' ')
  .map((script) => `\\p{Script=${script}}`);
const unspaced = new RegExp(`[${unspacedScripts.join('')}]+`, 'gu');
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
const ascii = /^[\u0000-\u007f]*$/;

const termCharactersMax = 80;

export interface SearchTerms {
  /** Stems of the content words in order, with repetitions; their number is the length. */
  readonly words: string[];
  /** Whole identifiers, paths and versions: searchable, but not counted in the length. */
  readonly compounds: string[];
  /** Those of the words that are single characters of an identifier: they identify nothing. */
  readonly fragments: string[];
}

/**
 * Extracts the search terms of a text in any script: lower case, without accents and stop words,
 * English words stemmed, identifiers both whole and in parts.
 */
export function extractTerms(text: string): SearchTerms {
  const folded = foldAccents(text);
  const terms: SearchTerms = { words: [], compounds: [], fragments: [] };
  for (const [chunk] of folded.matchAll(chunkPattern)) {
    if (compoundPattern.test(chunk)) addCompound(chunk, terms);
    const runs = chunk.match(runPattern) ?? [];
    for (const run of runs) addRun(run, terms, runs.length > 1);
  }
  return terms;
}

/** NFKD without marks, then NFC so that Hangul syllables stay composed. */
export function foldAccents(text: string): string {
  return ascii.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/\p{Mn}+/gu, '')
        .normalize('NFC');
}

/** Normalizes text for phrase comparison: ignores letter case, accents and kinds of white space. */
export const normalizeText = (text: string): string =>
  foldAccents(text).toLowerCase().replaceAll(/\s+/gu, ' ');

/** Whether the text contains a script without spaces between words, which is searched by pairs. */
export const hasUnspacedScript = (text: string): boolean =>
  !ascii.test(text) && text.search(unspaced) >= 0;

function addCompound(chunk: string, terms: SearchTerms): void {
  if (chunk.length <= termCharactersMax) terms.compounds.push(chunk.toLowerCase());
}

/** @param isPart whether the run is a part of an identifier, path or version */
function addRun(run: string, terms: SearchTerms, isPart: boolean): void {
  if (hasUnspacedScript(run)) {
    addUnspaced(run, terms);
    return;
  }
  const word = run.toLowerCase();
  const parts = word === run || /^\p{Lu}\p{Ll}+$/u.test(run) ? null : run.match(camelPattern);
  if (!parts || parts.length < 2) {
    addWord(word, terms, isPart);
    return;
  }
  // Stemmed like a plain word, since a query may be all lower case.
  if (word.length <= termCharactersMax) terms.compounds.push(stem(word));
  for (const part of parts) addWord(part.toLowerCase(), terms, true);
}

function addUnspaced(run: string, terms: SearchTerms): void {
  let from = 0;
  for (const match of run.matchAll(unspaced)) {
    if (match.index > from) addWord(run.slice(from, match.index).toLowerCase(), terms);
    const characters = [...match[0]];
    if (characters.length === 1) terms.words.push(match[0]);
    for (let i = 0; i + 1 < characters.length; i += 1) {
      terms.words.push(`${characters[i]}${characters[i + 1]}`);
    }
    from = match.index + match[0].length;
  }
  if (from < run.length) addWord(run.slice(from).toLowerCase(), terms);
}

function addWord(word: string, terms: SearchTerms, isPart = false): void {
  if (isStopWord(word)) return;
  if (isPart && word.length === 1) terms.fragments.push(word);
  const short = word.length <= termCharactersMax ? word : word.slice(0, termCharactersMax);
  terms.words.push(stem(short));
}
