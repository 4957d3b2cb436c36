/** The entries of a list that is written as lines of words, or of phrases between commas. */
export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const phrasesOf = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');

export const wordSet = (text: string): ReadonlySet<string> => new Set(wordsOf(text));
export const phraseSet = (text: string): ReadonlySet<string> => new Set(phrasesOf(text));

/** Any one of the words, whole; a "_" stands for a space. */
export const wordPattern = (text: string): RegExp =>
  new RegExp(`^(?:${wordsOf(text).join('|').replaceAll('_', ' ')})$`);
