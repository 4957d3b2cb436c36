/** A pattern of whole words and phrases, parted by commas; each may be a pattern itself. */
export const anyPhrasePattern = (phrases: string, flags: string): RegExp =>
  new RegExp(`\\b(?:${phrases.trim().split(/,\s*/).join('|')})\\b`, flags);
