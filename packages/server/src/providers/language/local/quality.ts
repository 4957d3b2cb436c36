import type { SourceText } from '@mneme/extraction';
import {
  type DateRange,
  isEnglishWord,
  isStopWord,
  parseDates,
  type Sentence,
  splitSentences,
  stem,
  termProbability,
  truncateText,
  unknownTermProbability,
} from '@mneme/text';
import type { QualityFactors } from '../text-analyzer.ts';
import { scoreActionability } from './actionability.ts';
import { anyPhrasePattern } from './any-phrase-pattern.ts';
import { auxiliaries, fillerWords, weakNouns } from './lexicon.ts';

interface Word {
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly isFirst: boolean;
}

const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*(?:['’.:/@-][\p{L}\p{N}_]+)*/gu;
const hedge = anyPhrasePattern(
  `maybe, perhaps, possibly, probably, presumably, apparently, supposedly, somehow, somewhat,
  sort of, kind of, kinda, sorta, i (?:think|guess|suppose|believe), i'm not certain, not sure,
  unsure, might, may be, could be, seems?, seemingly, or something, or so, whatever, more or less,
  roughly`,
  'giu',
);

/**
 * The quality of a text by three factors, each 0..1 with three decimals. Only the first 20,000
 * characters are used. Without words each factor is 0.
 */
export function scoreQuality({ text, at }: SourceText): QualityFactors {
  const read = truncateText(text);
  const sentences = splitSentences(read);
  const dates = parseDates(read, at);
  return {
    specificity: rounded(scoreSpecificity(sentences, dates)),
    clarity: rounded(scoreClarity(read)),
    actionability: rounded(scoreActionability(sentences, dates)),
  };
}

function wordsOf(sentences: readonly Sentence[]): Word[] {
  return sentences.flatMap((sentence) =>
    [...sentence.text.matchAll(wordPattern)].map(({ 0: text, index }, i) => ({
      text,
      lower: text.toLowerCase().replaceAll('’', "'"),
      start: sentence.start + index,
      isFirst: i === 0,
    })),
  );
}

/** Words of at least this specificity count as details. */
const detailMin = 0.8;
/** This number of details gives 1 − 1/e of the maximum. */
const detailsTypical = 6;
/** Short texts are smoothed by this many common words. */
const priorWords = 3;
const rarest = Math.log(1 / unknownTermProbability);
/** The rarity of the most common content words, which are not specific. */
const ordinary = 0.35;

/**
 * Specificity after the measures of Louis and Nenkova ("Automatic identification of general and
 * specific sentences", 2011): rare words, numbers, names, dates. Each content word has v = 1 if it
 * is a number, name or date, else its idf in general English, relative to the rarest word and
 * rescaled from 0.35..1 to 0..1:
 *     specificity = 0.5·Σv/(n + 3) + 0.5·(1 − e^(−d/6)),  d: those of the n words with v ≥ 0.8
 * Words like "thing" and "ok" have 0. An additional number, name or date never lowers it.
 */
function scoreSpecificity(sentences: readonly Sentence[], dates: readonly DateRange[]): number {
  const isDated = ({ start }: Word): boolean =>
    dates.some((date) => start >= date.start && start < date.end);
  const words = wordsOf(sentences).filter(({ lower }) => !isStopWord(lower));
  if (words.length === 0) return 0;
  const values = words.map((word) => (isExact(word) || isDated(word) ? 1 : rarityOf(word.lower)));
  const sum = values.reduce((before, value) => before + value, 0);
  const mean = sum / (values.length + priorWords);
  const details = values.filter((value) => value >= detailMin).length;
  return 0.5 * mean + 0.5 * (1 - Math.exp(-details / detailsTypical));
}

function isExact({ text, lower, isFirst }: Word): boolean {
  if (/\p{N}|\p{Ll}\p{Lu}|_/u.test(text)) return true;
  return /^\p{Lu}/u.test(text) && (!isFirst || !isEnglishWord(lower));
}

function rarityOf(lower: string): number {
  if (weakNouns.has(lower) || fillerWords.has(lower)) return 0;
  const share = Math.log(1 / termProbability(stem(lower))) / rarest;
  return Math.min(1, Math.max(0, (share - ordinary) / (1 - ordinary)));
}

/** From this reading ease on a text is plain English; Flesch calls 60 to 70 so. */
const easePlain = 70;
const wordsMin = 4;
const sentenceWordsGood = 20;
const sentenceWordsMax = 50;

/**
 * Clarity: Flesch's reading ease ("A new readability yardstick", 1948), clipped, combined with
 * signs that it does not measure. Per sentence: words w, hedges h ("maybe", "sort of"), and
 * pronouns u without an antecedent.
 *     clarity = whole · (0.3·clip(ease/70) + 0.25·length + 0.2·(1 − clip(h)) + 0.25·(1 − clip(u)))
 *     ease    = 206.835 − 1.015·w − 84.6·syllables per word; scripts other than Latin: 70
 *     length  = 1 up to 20 words, then down to 0 at 50
 *     whole   = a quarter for each word of the text, at most 1
 * Hedges count neither in w nor in syllables, so that an additional hedge never raises it.
 */
function scoreClarity(text: string): number {
  const hedges = text.match(hedge)?.length ?? 0;
  const sentences = splitSentences(text.replaceAll(hedge, ' '));
  const words = wordsOf(sentences);
  if (words.length === 0) return 0;
  const perSentence = words.length / sentences.length;
  const unresolved = unresolvedAmong(words) / sentences.length;
  const whole = Math.min(1, words.length / wordsMin);
  const parts =
    0.3 * clip(easeOf(words, perSentence) / easePlain) +
    0.25 * lengthOf(perSentence) +
    0.2 * (1 - clip(hedges / sentences.length)) +
    0.25 * (1 - clip(unresolved));
  return whole * parts;
}

function easeOf(words: readonly Word[], perSentence: number): number {
  const latin = words.filter(({ lower }) => /^\p{Script=Latin}/u.test(lower));
  if (latin.length * 2 < words.length) return easePlain;
  const syllables = latin.reduce((sum, { lower }) => sum + syllablesIn(lower), 0) / latin.length;
  return 206.835 - 1.015 * perSentence - 84.6 * syllables;
}

/** Vowel groups, without a silent e at the end: correct for about nine of ten English words. */
function syllablesIn(lower: string): number {
  const word = lower.normalize('NFKD').replaceAll(/[^a-z]/g, '');
  const groups = word.replace(/(?:[^laeiouy]es|[^td]ed|[^l]e)$/, '').match(/[aeiouy]+/g);
  return Math.max(1, groups?.length ?? 1);
}

const lengthOf = (words: number): number =>
  clip((sentenceWordsMax - words) / (sentenceWordsMax - sentenceWordsGood));

const pronouns = new Set("it it's they they're he he's she she's him them himself".split(' '));
const pointers = new Set(['this', 'that', 'these', 'those', "that's"]);

/** Pronouns before any name or thing: a later reader cannot know what they refer to. */
function unresolvedAmong(words: readonly Word[]): number {
  let count = 0;
  for (const [i, word] of words.entries()) {
    const next = words[i + 1];
    const isPointer =
      pointers.has(word.lower) && (next === undefined || auxiliaries.has(next.lower));
    if (pronouns.has(word.lower) || isPointer || word.lower === "that's") count += 1;
    else if (!isStopWord(word.lower) && !/(?:ed|ing|ly)$/.test(word.lower)) break;
  }
  return count;
}

const clip = (value: number): number => Math.min(1, Math.max(0, value));
const rounded = (value: number): number => Math.round(clip(value) * 1000) / 1000;
