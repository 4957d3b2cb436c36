/**
 * Collapses a text to one storable line without control characters, which a terminal would execute.
 * Truncates it without splitting a character.
 */
export const toOneLine = (text: string, charactersMax: number): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed()
    .slice(0, charactersMax)
    .replace(/[\uD800-\uDBFF]$/, '');
