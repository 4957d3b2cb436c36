import type { TokenizedText } from '../candidates.ts';
import type { MentionTypingResult } from '../entity-typing.ts';
import type { Word } from '../words.ts';
import { extractWordFeatures, type WordFeatures } from './word-features.ts';

/** A run of capitalised words, [from, to). */
interface Run {
  readonly from: number;
  readonly to: number;
}

interface View {
  readonly words: readonly Word[];
  readonly signs: readonly WordFeatures[];
  readonly runs: readonly (Run | null)[];
  readonly lines: readonly Line[];
  /** Words that occur elsewhere in lower case, and capitalised within a sentence. */
  readonly small: ReadonlySet<string>;
  readonly capital: ReadonlySet<string>;
  readonly isSmall: boolean;
}

/** The line of a word. */
interface Line {
  /** "bullet", "label" with its word, "short", "last", or "plain". */
  readonly kind: string;
  readonly label: string;
}

const edge: WordFeatures = {
  plain: '|',
  shape: '|',
  rarity: '|',
  coarse: '|',
  fine: '|',
  lists: [],
  verdict: '|',
  sure: '',
  points: [],
};

/** Features of every word of a text, sentence by sentence: word indices, and their features. */
export function extractTokenFeatures(
  reading: TokenizedText,
  verdicts: MentionTypingResult,
): { readonly at: number; readonly features: string[] }[][] {
  const view = viewOf(reading, verdicts);
  const sentences: { at: number; features: string[] }[][] = [];
  for (const [at, word] of reading.words.entries()) {
    if (at === 0 || reading.words[at - 1]?.sentence !== word.sentence) sentences.push([]);
    sentences.at(-1)?.push({ at, features: featuresAt(view, at) });
  }
  return sentences;
}

function viewOf(reading: TokenizedText, verdicts: MentionTypingResult): View {
  const { words } = reading;
  return {
    words,
    signs: extractWordFeatures(reading, verdicts),
    runs: runsOf(words),
    lines: linesOf(reading),
    small: new Set(words.filter(({ capital }) => !capital).map(({ plain }) => plain)),
    capital: new Set(
      words.filter(({ capital, first }) => capital && !first).map(({ plain }) => plain),
    ),
    isSmall: reading.isLowercase,
  };
}

function runsOf(words: readonly Word[]): (Run | null)[] {
  const runs: (Run | null)[] = words.map(() => null);
  for (let from = 0; from < words.length; from += 1) {
    if (!words[from]?.capital) continue;
    let to = from + 1;
    while (words[to]?.capital && words[to]?.sentence === words[from]?.sentence) to += 1;
    for (let at = from; at < to; at += 1) runs[at] = { from, to };
    from = to - 1;
  }
  return runs;
}

function linesOf({ text, words }: TokenizedText): Line[] {
  const lines: Line[] = [];
  let end = -1;
  let line: Line = { kind: 'plain', label: '' };
  for (const { start } of words) {
    if (start > end) {
      const from = text.lastIndexOf('\n', start) + 1;
      end = text.indexOf('\n', start);
      if (end < 0) end = text.length;
      line = lineOf(text, from, end);
    }
    lines.push(line);
  }
  return lines;
}

function lineOf(text: string, from: number, end: number): Line {
  const line = text.slice(from, Math.min(end, from + 80)).trim();
  const label =
    /^[-*>\s]*([\p{L}-]{2,20}(?: [\p{L}-]{2,20})?)\s?:/u.exec(line)?.[1]?.toLowerCase() ?? '';
  const bullet = /^[-*>•]/.test(line) ? 'bullet' : '';
  const place = from === 0 ? 'first' : end >= text.trimEnd().length ? 'last' : '';
  const size = end - from < 30 ? 'short' : '';
  return { kind: `${bullet} ${place} ${size}`, label };
}

function featuresAt(view: View, at: number): string[] {
  const features = ['bias'];
  addWords(features, view, at);
  addClasses(features, view, at);
  addForm(features, view, at);
  addLists(features, view, at);
  addVerdicts(features, view, at);
  addRun(features, view, at);
  addPlace(features, view, at);
  return features;
}

/** The features of a neighbour; none outside the sentence. */
const beside = ({ words, signs }: View, at: number, on: number): WordFeatures =>
  words[at + on]?.sentence === words[at]?.sentence ? (signs[at + on] ?? edge) : edge;

function addWords(features: string[], view: View, at: number): void {
  const [before, here, next] = [-1, 0, 1].map((on) => beside(view, at, on)) as [
    WordFeatures,
    WordFeatures,
    WordFeatures,
  ];
  const earlier = beside(view, at, -2).plain;
  const later = beside(view, at, 2).plain;
  features.push(`w0 ${here.plain}`, `w-1 ${before.plain}`, `w+1 ${next.plain}`);
  features.push(`w-2 ${earlier}`, `w+2 ${later}`);
  features.push(`w-1w0 ${before.plain} ${here.plain}`, `w0w+1 ${here.plain} ${next.plain}`);
  features.push(`w-2w-1 ${earlier} ${before.plain} ${here.shape}`);
  features.push(`w+1w+2 ${next.plain} ${later} ${here.shape}`);
  features.push(`w-1s0 ${before.plain} ${here.shape}`, `w+1s0 ${next.plain} ${here.shape}`);
}

function addClasses(features: string[], view: View, at: number): void {
  const { shape, coarse, fine } = beside(view, at, 0);
  for (const on of [-2, -1, 0, 1, 2]) {
    const signs = beside(view, at, on);
    features.push(`c${on} ${signs.coarse}`, `f${on} ${signs.fine}`);
    if (on !== 0) features.push(`f${on}s0 ${signs.fine} ${shape}`);
  }
  features.push(`f0s0 ${fine} ${shape}`, `c0s0 ${coarse} ${shape}`);
  features.push(`c-1c0 ${beside(view, at, -1).coarse} ${coarse}`);
  features.push(`c0c+1 ${coarse} ${beside(view, at, 1).coarse}`);
}

function addForm(features: string[], view: View, at: number): void {
  const { plain, shape, rarity } = beside(view, at, 0);
  for (const length of [1, 2, 3, 4]) {
    if (plain.length <= length) break;
    features.push(`end ${plain.slice(-length)}`, `begin ${plain.slice(0, length)}`);
  }
  features.push(`end s0 ${plain.slice(-3)} ${shape}`);
  const [before, next] = [beside(view, at, -1), beside(view, at, 1)];
  features.push(`s0 ${shape}`, `s-1 ${before.shape}`, `s+1 ${next.shape}`);
  features.push(`s-1s0 ${before.shape} ${shape}`, `s0s+1 ${shape} ${next.shape}`);
  features.push(`s3 ${before.shape} ${shape} ${next.shape}`);
  features.push(
    `r0 ${rarity} ${shape}`,
    `r-1 ${before.rarity} ${shape}`,
    `r+1 ${next.rarity} ${shape}`,
  );
  const first = view.words[at]?.first ? 'first' : 'later';
  features.push(`${first} ${shape} ${rarity}`, `${first} ${shape}`);
}

function addLists(features: string[], view: View, at: number): void {
  const { shape, rarity, lists } = beside(view, at, 0);
  for (const on of [-2, -1, 0, 1, 2]) {
    for (const list of beside(view, at, on).lists) {
      features.push(`l${on} ${list}`);
      if (on === 0) features.push(`l0s0 ${list} ${shape}`, `l0r0 ${list} ${rarity}`);
      else features.push(`l${on}s0 ${list} ${shape}`);
    }
  }
  features.push(`l0all ${lists.join(',')} ${shape}`);
}

function addVerdicts(features: string[], view: View, at: number): void {
  const [before, here, next] = [-1, 0, 1].map((on) => beside(view, at, on)) as [
    WordFeatures,
    WordFeatures,
    WordFeatures,
  ];
  features.push(`v0 ${here.verdict}`, `v-1 ${before.verdict}`, `v+1 ${next.verdict}`);
  features.push(`v0sure ${here.verdict} ${here.sure}`, `v0v+1 ${here.verdict} ${next.verdict}`);
  features.push(`v-1v0 ${before.verdict} ${here.verdict}`, `v0r0 ${here.verdict} ${here.rarity}`);
  features.push(`v0s0 ${here.verdict} ${here.shape}`, `v0c0 ${here.verdict} ${here.coarse}`);
  features.push(`v0c-1 ${here.verdict} ${before.coarse}`, `v0c+1 ${here.verdict} ${next.coarse}`);
  for (const points of here.points) features.push(`p0 ${points}`);
  if (here.points.length === 0) features.push(`p0 none ${here.shape}`);
  features.push(`v0w-1 ${here.verdict} ${before.plain}`, `v0w+1 ${here.verdict} ${next.plain}`);
}

/** Context of the run of capitals that contains a word, or that it may start. */
function addRun(features: string[], view: View, at: number): void {
  const run = view.runs[at];
  if (!run) return;
  const { from, to } = run;
  const place = at === from ? 'B' : 'I';
  const [first, last] = [view.signs[from] ?? edge, view.signs[to - 1] ?? edge];
  const before = beside(view, from, -1);
  const after = beside(view, to - 1, 1);
  const length = Math.min(4, to - from);
  features.push(`run ${place} ${length} ${to - at}`, `runlast ${last.plain}`);
  features.push(`runbefore ${place} ${before.plain}`, `runafter ${place} ${after.plain}`);
  features.push(`runbeforef ${before.fine}`, `runafterf ${after.fine}`, `runlastf ${last.fine}`);
  features.push(`runbeforec ${before.coarse} ${length}`, `runafterc ${after.coarse} ${length}`);
  features.push(`runbefore2 ${beside(view, from, -2).plain} ${before.plain}`);
  features.push(`runafter2 ${after.plain} ${beside(view, to - 1, 2).plain}`);
  features.push(`runaround ${before.plain} ${after.plain}`, `runfirstc ${first.coarse}`);
  for (const list of last.lists) features.push(`runlastl ${list} ${place}`);
  for (const list of first.lists) features.push(`runfirstl ${list} ${place}`);
}

function addPlace(features: string[], view: View, at: number): void {
  const { shape, plain } = beside(view, at, 0);
  const { kind, label } = view.lines[at] ?? { kind: '', label: '' };
  const word = view.words[at];
  features.push(`line ${kind} ${shape}`);
  if (label !== '') features.push(`label ${label} ${shape}`);
  if (view.isSmall) features.push(`small ${shape}`);
  if (word?.glued) features.push(`glued ${shape}`);
  if (word?.capital && view.small.has(plain)) features.push('elsewhere small');
  if (word?.capital && word.first && view.capital.has(plain)) features.push('elsewhere capital');
}
