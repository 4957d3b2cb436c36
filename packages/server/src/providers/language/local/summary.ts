import type { SourceText } from '@mneme/extraction';
import {
  extractTerms,
  parseDates,
  type Sentence,
  splitSentences,
  termProbability,
  truncateText,
} from '@mneme/text';
import { summaryCharactersMax, truncateLine } from '../limits.ts';
import { anyPhrasePattern } from './any-phrase-pattern.ts';

const sentencesMax = 3;
/** Only the first sentences are compared: they say what a text is about. */
const comparedMax = 150;
const damping = 0.85;
const rounds = 30;
const weights = { centrality: 0.4, position: 0.3, cue: 0.3 };
/** Weight of the similarity to selected sentences. */
const redundancy = 0.7;
const wordsMin = 7;
const wordsMax = 35;

const cue = anyPhrasePattern(
  `agreed?, approved, because, chose, chosen, conclusion, decided, decision, deadline, due, goal,
  important, must, need(?:s|ed)? to, never, always, plan(?:s|ned)?, prefers?, result, summary,
  therefore, will`,
  'iu',
);
const isEnded = /\p{Sentence_Terminal}["'”’)\]]*$/u;
const isClosed = /[:;,–—-]$/u;

interface WeightedSentence {
  readonly sentence: Sentence;
  readonly terms: ReadonlyMap<string, number>;
  readonly norm: number;
  /** 1, lower for sentences that are too short or too long for a summary. */
  readonly fitness: number;
}

/**
 * A summary of a text's own sentences, in their order: at most three and 300 characters, or 600 for
 * texts of 2,000 and more. A text within that limit is its own summary. The combination is that of
 * Edmundson, "New methods in automatic extracting" (1969), with the centrality of LexRank (Erkan
 * and Radev, 2004) instead of its key words:
 *     score = (0.4·centrality + 0.3·position + 0.3·cue) · fitness
 *     centrality  PageRank with damping 0.85 over the cosines of tf·idf vectors, best = 1
 *     position    1/√i for the i-th sentence
 *     cue         0.7 for a word that marks decisions or reasons, 0.3 for a number or a date
 *     fitness     words/7 below 7 words, 35/words above 35, times the share of letters
 * with idf from general English. Sentences are selected one by one, each by its score minus 0.7 of
 * its similarity to those selected (Carbonell and Goldstein, "The use of MMR", 1998). Of a long
 * text the first 20,000 characters and 150 sentences are used. A text without sentences gives ''.
 */
export function summarize({ text, at }: SourceText): string {
  const read = truncateText(text).trim();
  const sentences = splitSentences(read);
  const charactersMax = summaryCharactersMax(text);
  if (sentences.length <= sentencesMax && read.length <= charactersMax) return read;
  const candidates = sentences.slice(0, comparedMax).map(toWeightedSentence);
  const scores = scoresOf(candidates, datesIn(read, at));
  const selected: number[] = [];
  let remaining = charactersMax;
  while (selected.length < sentencesMax) {
    const best = selectBestSentence(candidates, scores, selected, remaining);
    if (best === null) break;
    selected.push(best);
    remaining -= textAt(candidates, best).length + 2;
  }
  if (selected.length === 0) selected.push(highest(scores));
  return joined(
    selected.sort((a, b) => a - b).map((i) => textAt(candidates, i)),
    charactersMax,
  );
}

const textAt = (candidates: readonly WeightedSentence[], i: number): string =>
  (candidates[i]?.sentence.text ?? '').replaceAll(/\s+/gu, ' ');

const datesIn = (text: string, at: Date): readonly number[] =>
  parseDates(text, at).map(({ start }) => start);

function toWeightedSentence(sentence: Sentence): WeightedSentence {
  const { words } = extractTerms(sentence.text);
  const terms = new Map<string, number>();
  for (const word of words) terms.set(word, (terms.get(word) ?? 0) + 1);
  for (const [term, count] of terms) terms.set(term, count * Math.log(1 / termProbability(term)));
  const norm = Math.hypot(...terms.values());
  return { sentence, terms, norm, fitness: scoreFitness(sentence.text) };
}

function scoreFitness(text: string): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const signs = text.match(/\S/gu)?.length ?? 0;
  const words = text.match(/\S+/gu)?.length ?? 0;
  // Without spaces between words, two characters count as one word.
  const count = Math.max(words, /\p{Lo}/u.test(text) ? letters / 2 : 0);
  return Math.min(1, count / wordsMin, wordsMax / Math.max(1, count)) * (letters / (signs || 1));
}

function scoresOf(candidates: readonly WeightedSentence[], dates: readonly number[]): number[] {
  const central = centralities(candidates);
  return candidates.map(({ sentence, fitness }, i) => {
    const { start, end, text } = sentence;
    const isExact = /\p{N}/u.test(text) || dates.some((at) => at >= start && at < end);
    const cues = (cue.test(text) ? 0.7 : 0) + (isExact ? 0.3 : 0);
    const centrality = central[i] ?? 0;
    const position = 1 / Math.sqrt(i + 1);
    const score =
      weights.centrality * centrality + weights.position * position + weights.cue * cues;
    return score * fitness;
  });
}

/** PageRank over the similarity of sentences; the most central has 1. */
function centralities(candidates: readonly WeightedSentence[]): number[] {
  const count = candidates.length;
  const similarity = candidates.map((a) => candidates.map((b) => (a === b ? 0 : cosine(a, b))));
  const sums = similarity.map((row) => row.reduce((sum, value) => sum + value, 0));
  let ranks = candidates.map(() => 1 / count);
  for (let round = 0; round < rounds; round += 1) {
    ranks = candidates.map((_, i) => {
      let received = 0;
      for (let j = 0; j < count; j += 1) {
        const sum = sums[j] as number;
        if (sum > 0) received += ((ranks[j] as number) * (similarity[j]?.[i] as number)) / sum;
      }
      return (1 - damping) / count + damping * received;
    });
  }
  const most = Math.max(...ranks);
  return ranks.map((rank) => rank / most);
}

function cosine(a: WeightedSentence, b: WeightedSentence): number {
  if (a.norm === 0 || b.norm === 0) return 0;
  const [few, many] = a.terms.size < b.terms.size ? [a.terms, b.terms] : [b.terms, a.terms];
  let product = 0;
  for (const [term, weight] of few) product += weight * (many.get(term) ?? 0);
  return product / (a.norm * b.norm);
}

/** The best remaining sentence that fits, or null. */
function selectBestSentence(
  candidates: readonly WeightedSentence[],
  scores: readonly number[],
  selected: readonly number[],
  remaining: number,
): number | null {
  let best: number | null = null;
  let bestScore = 0;
  for (const [i, candidate] of candidates.entries()) {
    if (selected.includes(i) || textAt(candidates, i).length > remaining) continue;
    const alike = selected.map((j) => cosine(candidate, candidates[j] as WeightedSentence));
    const score = (scores[i] ?? 0) * (1 - redundancy * Math.max(0, ...alike));
    if (score > bestScore) [best, bestScore] = [i, score];
  }
  return best;
}

const highest = (scores: readonly number[]): number => scores.indexOf(Math.max(...scores));

/** One line; a sentence without final punctuation gets a full stop. */
function joined(texts: readonly string[], charactersMax: number): string {
  const line = texts.reduce((before, text) => {
    if (before === '') return text;
    if (isEnded.test(before) || isClosed.test(before)) return `${before} ${text}`;
    return `${before}. ${text}`;
  }, '');
  return truncateLine(line, charactersMax);
}
