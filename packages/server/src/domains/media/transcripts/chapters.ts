import { extractTerms } from '@mneme/text';

/** Times in seconds. */
export interface TimedText {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface ChapterRange extends TimedText {
  /** Indexes of its segments; `until` is exclusive. */
  readonly from: number;
  readonly until: number;
}

/** Words on each side of a gap that are compared. */
const comparedWords = 60;
const chapterSecondsMin = 60;
const segmentsMin = 6;
const chaptersMax = 50;

/**
 * Splits a transcript where the vocabulary changes (Hearst, TextTiling, 1997): computes the cosine
 * of the terms before and after each gap. The deepest valleys become boundaries, at least a minute
 * apart.
 */
export function splitChapters(segments: readonly TimedText[]): ChapterRange[] {
  const [first] = segments;
  const last = segments.at(-1);
  if (!first || !last) return [];
  const termLists = segments.map(({ text }) => extractTerms(text).words);
  const seconds = last.end - first.start;
  const isShort = segments.length < segmentsMin || seconds < 2 * chapterSecondsMin;
  const boundaries = isShort ? [] : selectBoundaries(segments, valleyDepths(termLists));
  const bounds = [0, ...boundaries, segments.length];
  return bounds.slice(1).map((until, i) => toChapterRange(segments, bounds[i] ?? 0, until));
}

function toChapterRange(segments: readonly TimedText[], from: number, until: number): ChapterRange {
  const own = segments.slice(from, until);
  return {
    from,
    until,
    start: own[0]?.start ?? 0,
    end: Math.max(...own.map(({ end }) => end)),
    text: own.map(({ text }) => text).join(' '),
  };
}

/** Depth of each gap below the similarity peaks on both sides. Gap i precedes segment i. */
function valleyDepths(termLists: readonly (readonly string[])[]): number[] {
  const similarity = termLists.map((_, gap) =>
    gap === 0 ? 1 : cosine(before(termLists, gap), after(termLists, gap)),
  );
  return similarity.map((own, gap) => {
    if (gap === 0) return 0;
    let left = own;
    for (let at = gap - 1; at > 0 && (similarity[at] as number) >= left; at -= 1) {
      left = similarity[at] as number;
    }
    let right = own;
    for (let at = gap + 1; at < similarity.length && (similarity[at] as number) >= right; at += 1) {
      right = similarity[at] as number;
    }
    return left - own + (right - own);
  });
}

function before(termLists: readonly (readonly string[])[], gap: number): string[] {
  const words: string[] = [];
  for (let at = gap - 1; at >= 0 && words.length < comparedWords; at -= 1) {
    words.push(...(termLists[at] ?? []));
  }
  return words;
}

function after(termLists: readonly (readonly string[])[], gap: number): string[] {
  const words: string[] = [];
  for (let at = gap; at < termLists.length && words.length < comparedWords; at += 1) {
    words.push(...(termLists[at] ?? []));
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

function selectBoundaries(segments: readonly TimedText[], depths: readonly number[]): number[] {
  const inner = depths.slice(1);
  const mean = inner.reduce((sum, depth) => sum + depth, 0) / inner.length;
  const variance = inner.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / inner.length;
  const depthMin = Math.max(0.1, mean + Math.sqrt(variance) / 2);
  const start = (index: number): number => segments[index]?.start ?? 0;
  const selected: number[] = [];
  const ends = [start(0), segments.at(-1)?.end ?? 0];
  const deepest = [...depths.keys()].sort((a, b) => (depths[b] ?? 0) - (depths[a] ?? 0) || a - b);
  for (const gap of deepest) {
    if ((depths[gap] ?? 0) < depthMin || selected.length + 1 >= chaptersMax) break;
    const isTooClose = [...ends, ...selected.map(start)].some(
      (other) => Math.abs(other - start(gap)) < chapterSecondsMin,
    );
    if (!isTooClose) selected.push(gap);
  }
  return selected.sort((a, b) => a - b);
}
