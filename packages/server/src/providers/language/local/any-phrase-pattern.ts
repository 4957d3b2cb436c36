/** A pattern of whole words and phrases, separated by commas; each may be a pattern. */
export const anyPhrasePattern = (phrases: string, flags: string): RegExp =>
  new RegExp(`\\b(?:${phrases.trim().split(/,\s*/).join('|')})\\b`, flags);
