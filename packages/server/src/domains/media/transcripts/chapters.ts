import { extractTerms } from '../../../text/terms.ts';

/** Something said, in seconds. */
export interface TimedText {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface ChapterRange extends TimedText {
  /** The segments of it, as their places. */
  readonly from: number;
  readonly until: number;
}

/** Words on either side of a gap that are compared. */
const comparedWords = 60;
const chapterSecondsMin = 60;
const segmentsMin = 6;
const chaptersMax = 50;

/**
 * Cuts what was said where the words change: at each gap, the cosine of the terms before and after
 * (Hearst's TextTiling, 1997); the deepest valleys are the borders, a minute apart at least.
 */
export function splitChapters(said: readonly TimedText[]): ChapterRange[] {
  const [first] = said;
  const last = said.at(-1);
  if (!first || !last) return [];
  const bags = said.map(({ text }) => extractTerms(text).words);
  const seconds = last.end - first.start;
  const isShort = said.length < segmentsMin || seconds < 2 * chapterSecondsMin;
  const borders = isShort ? [] : selectBoundaries(said, valleyDepths(bags));
  const places = [0, ...borders, said.length];
  return places.slice(1).map((until, i) => toChapterRange(said, places[i] ?? 0, until));
}

function toChapterRange(said: readonly TimedText[], from: number, until: number): ChapterRange {
  const own = said.slice(from, until);
  return {
    from,
    until,
    start: own[0]?.start ?? 0,
    end: Math.max(...own.map(({ end }) => end)),
    text: own.map(({ text }) => text).join(' '),
  };
}

/** How far likeness falls at each gap below the hills beside it; gap i lies before segment i. */
function valleyDepths(bags: readonly (readonly string[])[]): number[] {
  const likeness = bags.map((_, gap) =>
    gap === 0 ? 1 : cosine(before(bags, gap), after(bags, gap)),
  );
  return likeness.map((own, gap) => {
    if (gap === 0) return 0;
    let left = own;
    for (let at = gap - 1; at > 0 && (likeness[at] as number) >= left; at -= 1) {
      left = likeness[at] as number;
    }
    let right = own;
    for (let at = gap + 1; at < likeness.length && (likeness[at] as number) >= right; at += 1) {
      right = likeness[at] as number;
    }
    return left - own + (right - own);
  });
}

function before(bags: readonly (readonly string[])[], gap: number): string[] {
  const words: string[] = [];
  for (let at = gap - 1; at >= 0 && words.length < comparedWords; at -= 1) {
    words.push(...(bags[at] ?? []));
  }
  return words;
}

function after(bags: readonly (readonly string[])[], gap: number): string[] {
  const words: string[] = [];
  for (let at = gap; at < bags.length && words.length < comparedWords; at += 1) {
    words.push(...(bags[at] ?? []));
  }
  return words;
}

function cosine(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, [number, number]>();
  for (const [side, words] of [one, other].entries()) {
    for (const word of words) {
      const pair = counts.get(word) ?? [0, 0];
      pair[side as 0 | 1] += 1;
      counts.set(word, pair);
    }
  }
  let dot = 0;
  let left = 0;
  let right = 0;
  for (const [a, b] of counts.values()) {
    dot += a * b;
    left += a * a;
    right += b * b;
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right);
}

function selectBoundaries(said: readonly TimedText[], depths: readonly number[]): number[] {
  const inner = depths.slice(1);
  const mean = inner.reduce((sum, depth) => sum + depth, 0) / inner.length;
  const variance = inner.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / inner.length;
  const least = Math.max(0.1, mean + Math.sqrt(variance) / 2);
  const start = (place: number): number => said[place]?.start ?? 0;
  const kept: number[] = [];
  const ends = [start(0), said.at(-1)?.end ?? 0];
  const deepest = [...depths.keys()].sort((a, b) => (depths[b] ?? 0) - (depths[a] ?? 0) || a - b);
  for (const gap of deepest) {
    if ((depths[gap] ?? 0) < least || kept.length + 1 >= chaptersMax) break;
    const near = [...ends, ...kept.map(start)].some(
      (other) => Math.abs(other - start(gap)) < chapterSecondsMin,
    );
    if (!near) kept.push(gap);
  }
  return kept.sort((a, b) => a - b);
}
