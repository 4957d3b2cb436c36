// Control characters, line separators and marks that change the writing direction.
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Untrusted text on one line, without control characters that a terminal interprets. */
export const toOneLine = (text: string): string => text.replace(unprintable, ' ').trim();

/** The lines of an untrusted text, each without control characters that a terminal interprets. */
export const toPrintableLines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\t', '    ').replace(unprintable, ' ').trimEnd());
