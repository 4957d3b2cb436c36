import { type Range, sizeOf, trimRange } from './size.ts';
import { outlineOf, type Unit, unitsOf } from './units.ts';

/** A part of a text by offsets in UTF-16 code units: [start, end). */
export interface Passage extends Range {
  readonly text: string;
}

/** Up to this size a text stays whole; no passage is larger. */
const wholeSizeMax = 120;
const passageSizeMax = 80;
/** A passage of this size ends where a section ends, … */
const partSizeMin = 30;
/** … and one of this size where a paragraph ends that is followed by one that does not fit. */
const blockSizeMin = 40;

/**
 * Splits a text into passages that are searched separately, so that a long text is found by the
 * content of one part. A text of at most 120 words is one passage. Otherwise sentences, list items,
 * rows of tables, entries of logs and functions of code are packed into passages of about 80 words
 * that end where a paragraph or section ends if possible. Passages follow each other; between them
 * is only white space. No passage is longer than 120 words, and splitting one again returns it
 * whole. The time is linear in the length of the text.
 */
export function splitIntoPassages(text: string): Passage[] {
  const whole = { start: 0, end: text.length, text };
  if (sizeOf(text, whole) <= wholeSizeMax || trimRange(text, whole) === null) return [whole];
  return packUnits(text, unitsOf(text)).map(({ start, end }) => ({
    start,
    end,
    text: text.slice(start, end),
  }));
}

function packUnits(text: string, units: readonly Unit[]): Range[] {
  const passages: Range[] = [];
  let current: Unit[] = [];
  for (const unit of units) {
    if (current.length > 0 && !continuesPassage(text, current, unit)) {
      const lead = trailingLead(current);
      const rest = current.slice(current.length - lead);
      passages.push(spanOf(current.slice(0, current.length - lead)));
      const isTooLong = rest.length > 0 && sizeOf(text, spanOf([...rest, unit])) > wholeSizeMax;
      if (isTooLong) passages.push(spanOf(rest));
      current = isTooLong ? [unit] : [...rest, unit];
    } else current.push(unit);
  }
  if (current.length > 0) passages.push(spanOf(current));
  return passages;
}

const spanOf = (units: readonly Unit[]): Range => ({
  start: units[0]?.start ?? 0,
  end: units.at(-1)?.end ?? 0,
});

function continuesPassage(text: string, current: readonly Unit[], unit: Unit): boolean {
  const span = spanOf(current);
  const size = sizeOf(text, span);
  const together = sizeOf(text, { start: span.start, end: unit.end });
  // A heading and what it leads to stay together.
  if (current.every(({ leads }) => leads)) return together <= wholeSizeMax;
  if (together > passageSizeMax || unit.standsAlone) return false;
  if (unit.beginsPart && size >= partSizeMin) return false;
  return unit.blockSize === 0 || size < blockSizeMin || size + unit.blockSize <= passageSizeMax;
}

/** Number of last units that belong to what follows, unless all do. */
function trailingLead(units: readonly Unit[]): number {
  const last = units.findLastIndex(({ leads }) => !leads);
  return last < 0 ? 0 : units.length - 1 - last;
}

/**
 * What passages are part of, as lines: the title of the text, the heading of the section and, for a
 * part of a table or list, the header or the sentence before it. Without what a passage has itself.
 * @param passages in their order
 */
export function contextsOfPassages(text: string, passages: readonly Range[]): string[] {
  const outlines = outlineOf(text);
  let at = 0;
  return passages.map(({ start }) => {
    while (at + 1 < outlines.length && (outlines[at]?.end ?? 0) <= start) at += 1;
    const contexts = (outlines[at]?.contexts ?? []).filter((one) => one.end <= start);
    return contexts.map((one) => text.slice(one.start, one.end)).join('\n');
  });
}

/** The texts by which a model understands passages: each after its context. */
export const passagesInContext = (text: string, passages: readonly Range[]): string[] =>
  contextsOfPassages(text, passages).map((context, i) => {
    const own = text.slice(passages[i]?.start, passages[i]?.end);
    return context === '' ? own : `${context}\n${own}`;
  });
