/** Splits a list that is written as lines of words, or of phrases between commas. */
export const splitWords = (text: string): string[] =>
  text.split(/\s+/).filter((word) => word !== '');

const splitPhrases = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');

export const wordSet = (text: string): ReadonlySet<string> => new Set(splitWords(text));
export const phraseSet = (text: string): ReadonlySet<string> => new Set(splitPhrases(text));

/** Matches any of the words, whole; a "_" stands for a space. */
export const wordPattern = (text: string): RegExp =>
  new RegExp(`^(?:${splitWords(text).join('|').replaceAll('_', ' ')})$`);
