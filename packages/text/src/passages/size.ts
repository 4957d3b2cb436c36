/** A part of a text by offsets in UTF-16 code units: [start, end). */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A run of so many characters without white space counts as one word more. */
const longRunCharacters = 24;

/** The characters of \s. */
export const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || (code >= 160 && otherSpaces.has(code));
const otherSpaces = new Set(
  Array.from(
    '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
      '\u2028\u2029\u202f\u205f\u3000\ufeff',
    (space) => space.charCodeAt(0),
  ),
);

/** Counts words one character after the other, without building a list. */
class WordCounter {
  #count = 0;
  #runLength = 0;
  #isWithinWord = false;

  get count(): number {
    return this.#count;
  }

  add(isSpaceCharacter: boolean): void {
    if (this.#runLength > 0 && isSpaceCharacter === !this.#isWithinWord) this.#runLength += 1;
    else {
      this.#runLength = 1;
      this.#isWithinWord = !isSpaceCharacter;
      if (this.#isWithinWord) this.#count += 1;
    }
    if (this.#runLength % longRunCharacters === 0) this.#count += 1;
  }
}

/**
 * Size of a range in words. A long run without white space counts as several, as does a long run of
 * white space, so that this bounds the number of characters in any script.
 */
export function sizeOf(text: string, { start, end }: Range): number {
  const counter = new WordCounter();
  for (let i = start; i < end; i += 1) counter.add(isSpace(text.charCodeAt(i)));
  return counter.count;
}

/** Without white space at either end; null if there is nothing else. */
export function trimRange(text: string, { start, end }: Range): Range | null {
  let [from, to] = [start, end];
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return from === to ? null : { start: from, end: to };
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Cuts a range into parts of at most this size, between words if possible. */
export function cutBySize(text: string, range: Range, sizeMax: number): Range[] {
  const parts: Range[] = [];
  let rest = trimRange(text, range);
  while (rest !== null) {
    const end = endOfPart(text, rest, sizeMax);
    const part = trimRange(text, { start: rest.start, end });
    if (part) parts.push(part);
    rest = trimRange(text, { start: end, end: rest.end });
  }
  return parts;
}

function endOfPart(text: string, { start, end }: Range, sizeMax: number): number {
  const counter = new WordCounter();
  let wordStart = start;
  for (let i = start; i < end; i += 1) {
    const isSpaceHere = isSpace(text.charCodeAt(i));
    if (!isSpaceHere && i > start && isSpace(text.charCodeAt(i - 1))) wordStart = i;
    counter.add(isSpaceHere);
    if (counter.count <= sizeMax) continue;
    if (wordStart > start) return wordStart;
    return i > start + 1 && isLowSurrogate(text.charCodeAt(i)) ? i - 1 : i;
  }
  return end;
}
