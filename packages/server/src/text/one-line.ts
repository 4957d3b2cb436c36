/** One line of what can be stored, cut where it is too long, though never within a character. */
export const oneLine = (text: string, charactersMax: number): string =>
  text
    .replaceAll('\0', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toWellFormed()
    .slice(0, charactersMax)
    .replace(/[\uD800-\uDBFF]$/, '');
