import { type DateRange, parseDates } from '../../../text/dates/index.ts';
import { type Sentence, splitSentences } from '../../../text/sentences.ts';
import { isStopWord, stem } from '../../../text/stem.ts';
import { termProbability } from '../../../text/term-probability.ts';
import { truncateText } from '../../../text/truncate-text.ts';
import { isEnglishWord } from '../../../text/vocabulary.ts';
import type { QualityFactors, SourceText } from '../text-analyzer.ts';
import { scoreActionability } from './actionability.ts';
import { anyPhrasePattern } from './any-of.ts';
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
 * How good a text is to keep, by three factors of 0..1, to three places. The first 20,000
 * characters are read. A text without words has 0 in each.
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

/** Exact words from here on count as details. */
const detailMin = 0.8;
/** So many details give 1 − 1/e of what their number can give. */
const detailsTypical = 6;
/** A text of few words is judged as if so many ordinary ones stood beside them. */
const priorWords = 3;
const rarest = Math.log(1 / termProbability(''));
/** The rarity of the most ordinary content words, which say nothing particular. */
const ordinary = 0.35;

/**
 * Specificity after the measures of Louis and Nenkova ("Automatic identification of general and
 * specific sentences", 2011): rare words, numbers, names, dates. Each content word has v = 1 when
 * it is one of the last three, else its idf in general English, as a share of the rarest word's
 * and stretched from 0.35..1 to 0..1:
 *
 *     specificity = 0.5·Σv/(n + 3) + 0.5·(1 − e^(−d/6)),  d: those of the n words with v ≥ 0.8
 *
 * Words like "thing" and "ok" have 0. A number, name or date more never lowers it.
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

/** Reading ease from here on is plain English; Flesch calls 60 to 70 so. */
const easePlain = 70;
const wordsMin = 4;
const sentenceWordsGood = 20;
const sentenceWordsMax = 50;

/**
 * Clarity: Flesch's reading ease ("A new readability yardstick", 1948), clipped, with what it does
 * not see. Per sentence: words w, hedges h ("maybe", "sort of"), pronouns u with nothing before
 * that they could stand for.
 *
 *     clarity = whole · (0.3·clip(ease/70) + 0.25·length + 0.2·(1 − clip(h)) + 0.25·(1 − clip(u)))
 *     ease    = 206.835 − 1.015·w − 84.6·syllables per word; scripts other than Latin: 70
 *     length  = 1 up to 20 words, then down to 0 at 50
 *     whole   = a quarter for each word of the text, at most 1
 *
 * Hedges count for neither w nor syllables, so that one more never raises it.
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

/** Groups of vowels, without a silent e at the end: right for about nine English words of ten. */
function syllablesIn(lower: string): number {
  const word = lower.normalize('NFKD').replaceAll(/[^a-z]/g, '');
  const groups = word.replace(/(?:[^laeiouy]es|[^td]ed|[^l]e)$/, '').match(/[aeiouy]+/g);
  return Math.max(1, groups?.length ?? 1);
}

const lengthOf = (words: number): number =>
  clip((sentenceWordsMax - words) / (sentenceWordsMax - sentenceWordsGood));

const pronouns = new Set("it it's they they're he he's she she's him them himself".split(' '));
const pointers = new Set(['this', 'that', 'these', 'those', "that's"]);

/** Pronouns before any name or thing: whoever reads them later cannot know what they mean. */
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
