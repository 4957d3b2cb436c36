/** Plain BM25 over stems: the yardstick of every figure, computed in the same run. */
import { irregularForms } from '@mneme/text';
import porter2 from 'wink-porter2-stemmer';

export interface Bm25Options {
  readonly k1: number;
  readonly b: number;
}

/** Kept apart from the service's own, so that the yardstick stays while the service changes. */
const stopWords = new Set(
  `a about above after again against all am an and any are as at be because been before being
  below between both but by can cannot could did do does doing down during each few for from
  further had has have having he her here hers herself him himself his how i if in into is it its
  itself just let me more most my myself no nor not now of off on once only or other ought our
  ours ourselves out over own same she should so some such than that the their theirs them
  themselves then there these they this those through to too under until up very was we were what
  when where which while who whom why will with would you your yours yourself yourselves d ll m o
  re s t ve don didn doesn isn aren wasn weren hasn haven hadn won wouldn shouldn couldn mustn
  shan ain`.split(/\s+/),
);

/** Lower case, runs of letters and digits, stop words out, irregular → base form, Porter2. */
export function stemsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .filter((word) => !stopWords.has(word))
    .map((word) => porter2(irregularForms.get(word) ?? word));
}

interface Posting {
  readonly text: number;
  readonly count: number;
}

/** Robertson & Zaragoza, "The Probabilistic Relevance Framework", 2009; idf as in Lucene. */
export class Bm25 {
  readonly #options: Bm25Options;
  readonly #postings = new Map<string, Posting[]>();
  readonly #lengths: number[];
  readonly #meanLength: number;

  constructor(texts: readonly string[], options: Bm25Options) {
    this.#options = options;
    this.#lengths = texts.map((text, i) => this.#add(stemsOf(text), i));
    const sum = this.#lengths.reduce((total, length) => total + length, 0);
    this.#meanLength = Math.max(1, sum / Math.max(1, texts.length));
  }

  #add(stems: readonly string[], text: number): number {
    const counts = new Map<string, number>();
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    for (const [stem, count] of counts) {
      const postings = this.#postings.get(stem);
      if (postings) postings.push({ text, count });
      else this.#postings.set(stem, [{ text, count }]);
    }
    return stems.length;
  }

  /** One score for each text, in their order. */
  scores(query: string): Float64Array {
    const { k1, b } = this.#options;
    const scores = new Float64Array(this.#lengths.length);
    for (const stem of new Set(stemsOf(query))) {
      const postings = this.#postings.get(stem) ?? [];
      const idf = Math.log(
        1 + (this.#lengths.length - postings.length + 0.5) / (postings.length + 0.5),
      );
      for (const { text, count } of postings) {
        const norm = k1 * (1 - b + (b * (this.#lengths[text] ?? 0)) / this.#meanLength);
        scores[text] = (scores[text] ?? 0) + (idf * count * (k1 + 1)) / (count + norm);
      }
    }
    return scores;
  }

  /** Places of the texts that share a stem with the query, best first, equal ones in order. */
  rank(query: string, limit: number): number[] {
    const scores = this.scores(query);
    return [...scores.keys()]
      .filter((text) => (scores[text] ?? 0) > 0)
      .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
      .slice(0, limit);
  }
}

/** Of each text, windows of so many words that overlap by half (Kaszkiewicz & Zobel 2001). */
function windowsOf(text: string, size: number): string[] {
  const words = text.split(/\s+/);
  const windows: string[] = [];
  for (let from = 0; ; from += size / 2) {
    windows.push(words.slice(from, from + size).join(' '));
    if (from + size >= words.length) return windows;
  }
}

/** BM25 with passages: a text has the score of its best window. */
export class PassageBm25 {
  readonly #windows: Bm25;
  /** By window. */
  readonly #texts: readonly number[];

  constructor(texts: readonly string[], windowWords: number, options: Bm25Options) {
    const windows = texts.map((text) => windowsOf(text, windowWords));
    this.#texts = windows.flatMap((own, text) => own.map(() => text));
    this.#windows = new Bm25(windows.flat(), options);
  }

  /** As `Bm25.rank`. */
  rank(query: string, limit: number): number[] {
    const best = new Map<number, number>();
    for (const [window, score] of this.#windows.scores(query).entries()) {
      const text = this.#texts[window] as number;
      if (score > (best.get(text) ?? 0)) best.set(text, score);
    }
    return [...best.keys()]
      .sort((a, b) => (best.get(b) ?? 0) - (best.get(a) ?? 0) || a - b)
      .slice(0, limit);
  }
}

/** Those of which the better one is the baseline. */
export const passageBm25Variants = [80, 150].flatMap((windowWords) => [
  { windowWords, k1: 1.2, b: 0.75 },
  { windowWords, k1: 0.9, b: 0.4 },
]);
