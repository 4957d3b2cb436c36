/**
 * One line of what can be stored, without control characters, which a terminal would obey; cut
 * where it is too long, though never within a character.
 */
export const oneLine = (text: string, charactersMax: number): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed()
    .slice(0, charactersMax)
    .replace(/[\uD800-\uDBFF]$/, '');
