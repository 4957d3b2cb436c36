const wholeWordsMax = 120;
const passageWordsMax = 80;

/** A part of a text by character offsets: [start, end). */
export interface Passage {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const codeBlock = /```[\s\S]*?(?:```|$)/g;
const lineEnd = /\n+/g;
const sentenceEnd = /(?<=[.!?。！？])\s+(?=\p{Lu}|\p{N}|["'(])/gu;
const word = /\S+\s*/g;

/** Counts words without building a list: a megabyte has many. */
function wordCount(text: string): number {
  let count = 0;
  let within = false;
  for (let i = 0; i < text.length; i += 1) {
    const space = isSpace(text.charCodeAt(i));
    if (!space && !within) count += 1;
    within = !space;
  }
  return count;
}

/** The characters of \s. */
const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || (code >= 160 && otherSpaces.has(code));
const otherSpaces = new Set(
  Array.from(
    '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
      '\u2028\u2029\u202f\u205f\u3000\ufeff',
    (space) => space.charCodeAt(0),
  ),
);

/**
 * Splits a text into passages that are searched separately, so that a long text is found by the
 * content of one part. A text of at most 120 words is one passage; otherwise code blocks, list
 * items and sentences are packed greedily into passages of 80 words.
 */
export function splitIntoPassages(text: string): Passage[] {
  if (wordCount(text) <= wholeWordsMax) return [{ start: 0, end: text.length, text }];
  const passages: Passage[] = [];
  const [first, ...units] = splitUnits(text);
  let current = first ?? { start: 0, end: text.length };
  let words = wordCount(text.slice(current.start, current.end));
  for (const unit of units) {
    const count = wordCount(text.slice(unit.start, unit.end));
    if (words + count > passageWordsMax) {
      passages.push(passageAt(text, current));
      current = unit;
      words = count;
    } else {
      current = { start: current.start, end: unit.end };
      words += count;
    }
  }
  passages.push(passageAt(text, current));
  return passages;
}

const passageAt = (text: string, { start, end }: Range): Passage => ({
  start,
  end,
  text: text.slice(start, end),
});

function splitUnits(text: string): Range[] {
  const units: Range[] = [];
  let from = 0;
  for (const block of text.matchAll(codeBlock)) {
    units.push(...splitRange(text, { start: from, end: block.index }));
    from = block.index + block[0].length;
    units.push({ start: block.index, end: from });
  }
  units.push(...splitRange(text, { start: from, end: text.length }));
  return units
    .filter(({ start, end }) => /\S/.test(text.slice(start, end)))
    .flatMap((unit) => cutLong(text, unit));
}

const splitRange = (text: string, range: Range): Range[] =>
  splitBySeparator(text, range, lineEnd).flatMap((line) =>
    splitBySeparator(text, line, sentenceEnd),
  );

/** The ranges between the separators. */
function splitBySeparator(text: string, { start, end }: Range, separator: RegExp): Range[] {
  const ranges: Range[] = [];
  let from = start;
  for (const found of text.slice(start, end).matchAll(separator)) {
    ranges.push({ start: from, end: start + found.index });
    from = start + found.index + found[0].length;
  }
  ranges.push({ start: from, end });
  return ranges;
}

/** Splits a unit without sentence ends by words: passages must not grow without limit. */
function cutLong(text: string, unit: Range): Range[] {
  const written = text.slice(unit.start, unit.end);
  if (wordCount(written) <= passageWordsMax * 2) return [unit];
  const starts = [...written.matchAll(word)].map(({ index }) => index);
  const cut: Range[] = [];
  for (let i = 0; i < starts.length; i += passageWordsMax) {
    const next = starts[i + passageWordsMax];
    const end = next === undefined ? unit.end : unit.start + next;
    cut.push({ start: unit.start + (starts[i] as number), end });
  }
  return cut;
}
