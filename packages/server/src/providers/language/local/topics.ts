import type { SourceText } from '@mneme/extraction';
import { termProbability, unknownTermProbability } from '@mneme/text';
import { topicsMax } from '../limits.ts';
import type { DocumentFrequencies, Topic, TopicCategory } from '../text-analyzer.ts';
import { extractPhrases, type Phrase } from './phrases.ts';

/** Weight of general English frequencies, in documents, added to the account's own. */
const priorDocuments = 50;
const rarest = unknownTermProbability;
/** Bonus for each additional word up to three; bonus for a phrase at the very start. */
const wordBonus = 0.15;
const positionBonus = 0.3;
/** Actions and attributes are more often incidental. */
const categoryWeights: Readonly<Record<TopicCategory, number>> = {
  entity: 1,
  concept: 1,
  action: 0.8,
  attribute: 0.75,
};
/** The score of a phrase of two rare words at the start that occurs once. */
const fullScore = 1.45;
const mainTopicsMin = 2;
const mainTopicsMax = 6;

interface Candidate {
  readonly phrase: Phrase;
  readonly key: string;
  readonly stems: ReadonlySet<string>;
  count: number;
  score: number;
}

/**
 * The topics of a text, the most relevant first, at most 20; deterministic for the same text and
 * frequencies. Candidates are phrases between stop words (Rose et al., "Automatic keyword
 * extraction from individual documents", 2010: RAKE); their weight is that of KP-Miner (El-Beltagy
 * and Rafea, 2009), tf·idf with a bonus for length and an early position:
 *     score = (1 + ln tf) · idf · (1 + 0.15·(min(words, 3) − 1)) · (1 + 0.3·(1 − place)) · category
 *     idf   = half the mean, half the maximum over its terms of
 *             ln((N + 50) / (holding + 50·commonness)), relative to that of the rarest term
 * with the position `place` 0..1 in the text, and category 0.8 for an action, 0.75 for an
 * attribute. Relevance: 0.5 for the score s that about the square root of the candidates reach (2
 * to 6 of them, and at least half of the best score b); above it 0.5 + (t − 0.5)·(score − s)/(b −
 * s) with t = b/1.45 within 0.55..1; below it (score/s)²/2. A threshold of 0.5 therefore selects
 * the main few. Only the first 20,000 characters are used.
 */
export function extractTopics(source: SourceText, frequencies: DocumentFrequencies): Topic[] {
  const candidates = groupCandidates(extractPhrases(source));
  const length = Math.max(1, Math.min(source.text.length, 20_000));
  const idf = idfBy(frequencies);
  for (const candidate of candidates) candidate.score = scoreOf(candidate, length, idf);
  const ranked = withoutDuplicates(candidates.sort(byScore));
  const relevance = relevanceBy(ranked.map(({ score }) => score));
  return ranked.slice(0, topicsMax).map(({ phrase, score }) => ({
    name: phrase.text,
    relevance: relevance(score),
    category: phrase.category,
  }));
}

/** Phrases with the same stems are one candidate, with the form and position of the first. */
function groupCandidates(phrases: readonly Phrase[]): Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (const phrase of phrases) {
    const key = phrase.stems.toSorted().join(' ');
    const existing = candidates.get(key);
    if (existing) existing.count += 1;
    else candidates.set(key, { phrase, key, stems: new Set(phrase.stems), count: 1, score: 0 });
  }
  return [...candidates.values()];
}

function idfBy({ documents, documentFrequency }: DocumentFrequencies): (stem: string) => number {
  const cache = new Map<string, number>();
  const idfOf = (frequency: number, chance: number): number =>
    Math.log((documents + priorDocuments) / (frequency + priorDocuments * chance));
  const highest = idfOf(0, rarest);
  return (stem) => {
    const cached = cache.get(stem);
    if (cached !== undefined) return cached;
    const share =
      idfOf(Math.min(documentFrequency(stem), documents), termProbability(stem)) / highest;
    const bounded = Math.min(1, Math.max(0.02, share));
    cache.set(stem, bounded);
    return bounded;
  };
}

function scoreOf(
  { phrase, stems, count }: Candidate,
  length: number,
  idf: (stem: string) => number,
): number {
  const weights = [...stems].map(idf);
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  const rarity = (mean + Math.max(...weights)) / 2;
  const extent = 1 + wordBonus * (Math.min(stems.size, 3) - 1);
  const place = 1 + positionBonus * (1 - Math.min(1, phrase.start / length));
  return (1 + Math.log(count)) * rarity * extent * place * categoryWeights[phrase.category];
}

const byScore = (a: Candidate, b: Candidate): number =>
  b.score - a.score || a.phrase.start - b.phrase.start;

/**
 * Removes a phrase within another ("cluster", "Kubernetes cluster"), or the longer one if the
 * shorter is more than twice as frequent. Most texts name few things: only the best are compared.
 */
function withoutDuplicates(ranked: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of ranked) {
    if (kept.length >= topicsMax * 2) break;
    const similar = kept.findIndex(
      (other) => holds(other.stems, candidate.stems) || holds(candidate.stems, other.stems),
    );
    const other = kept[similar];
    if (!other) kept.push(candidate);
    else kept[similar] = { ...better(candidate, other), score: other.score };
  }
  return kept;
}

const holds = (all: ReadonlySet<string>, some: ReadonlySet<string>): boolean =>
  some.size <= all.size && [...some].every((stem) => all.has(stem));

function better(a: Candidate, b: Candidate): Candidate {
  const [short, long] = a.stems.size < b.stems.size ? [a, b] : [b, a];
  return short.count > 2 * long.count ? short : long;
}

function relevanceBy(scores: readonly number[]): (score: number) => number {
  const best = scores[0] ?? 1;
  const kept = Math.min(
    mainTopicsMax,
    Math.max(mainTopicsMin, Math.round(Math.sqrt(scores.length)) + 1),
  );
  const middle = Math.max(scores[kept - 1] ?? 0, best / 2);
  const top = Math.min(1, Math.max(0.55, best / fullScore));
  return (score) => {
    if (score < middle) return rounded((score / middle) ** 2 / 2, Math.floor);
    const share = best > middle ? (score - middle) / (best - middle) : 1;
    return rounded(0.5 + (top - 0.5) * share, Math.round);
  };
}

const rounded = (value: number, round: (value: number) => number): number =>
  round(value * 1000) / 1000;
