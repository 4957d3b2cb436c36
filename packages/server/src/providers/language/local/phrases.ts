import { getGazetteer, type SourceText } from '@mneme/extraction';
import {
  extractTerms,
  hasUnspacedScript,
  isEnglishWord,
  isStopWord,
  parseDates,
  type Sentence,
  splitSentences,
  stem,
  truncateText,
} from '@mneme/text';
import { topicCharactersMax } from '../limits.ts';
import type { TopicCategory } from '../text-analyzer.ts';
import * as lexicon from './lexicon.ts';

/** An occurrence of a phrase that may be a topic. */
export interface Phrase {
  readonly text: string;
  readonly category: TopicCategory;
  /** The search terms of its words, in order. */
  readonly stems: readonly string[];
  /** Start of the phrase, in characters. */
  readonly start: number;
}

type Kind = 'name' | 'noun' | 'deed' | 'verb' | 'adjective' | 'weak' | 'number' | 'unit' | 'none';

interface Part {
  readonly word: Word;
  readonly kind: Kind;
}

interface Word {
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  /** Only spaces or "&" between it and the word before; anything else starts a new phrase. */
  readonly isJoined: boolean;
  readonly isAnded: boolean;
  readonly isFirst: boolean;
  readonly isPossessive: boolean;
}

const wordsMax = 4;
const wordCharactersMax = 40;
/** In scripts without spaces a longer run is a clause. */
const unspacedMax = 8;

const amount = String.raw`\p{N}+(?:[.,]\p{N}+)+%?(?![\p{L}\p{N}])`;
const part = String.raw`[\p{L}\p{N}\p{M}_]*`;
const joint = String.raw`[-./:@'’&#+][\p{L}\p{N}]`;
const wordPattern = new RegExp(
  String.raw`${amount}|[\p{L}\p{N}°µ]${part}(?:${joint}${part})*(?:\+\+|[#%])?`,
  'gu',
);
const codeBlock = /```[^`]*(?:`{1,2}[^`]+)*```/g;
const number = /^[\p{N}][\p{N}.,:/-]*%?$/u;
const measured = /^[\p{N}][\p{N}.,]*(?:%|[\p{L}°µ]{1,4}%?)$/u;
const capital = /^\p{Lu}/u;
const identifier = /_|\p{L}-\p{Lu}|\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}|\p{L}[./@#]\p{L}|\+\+|#$/u;
const shouted = /^\p{Lu}{2,}$/u;
const titles = new Set(['dr', 'mr', 'mrs', 'ms', 'prof', 'st']);
const determiners = new Set(
  `a an the this that these those my your his her its our their no some any each every`.split(' '),
);
const pronouns = new Set('i we they he she it you who me us them him'.split(' '));

const stemsOf = (words: ReadonlySet<string>): ReadonlySet<string> => new Set([...words].map(stem));
const lightStems = stemsOf(lexicon.lightVerbs);
const contentStems = stemsOf(lexicon.contentVerbs);

/**
 * The phrases of a text that may be topics, in order and with repeats: runs of one to four words
 * between stop words, punctuation and verbs, classified by simple cues of English (word lists,
 * suffixes, adjacent words). Dates are excluded. Only the first 20,000 characters are used.
 */
export function extractPhrases({ text, at }: SourceText): Phrase[] {
  const read = truncateText(text).replaceAll(codeBlock, (block) => ' '.repeat(block.length));
  const masked = withoutDates(read, at);
  const sentences = splitSentences(masked).map(wordsOf);
  const names = namesAmong(sentences);
  return sentences.flatMap((words) => phrasesAmong(words, words.map(kindsBy(words, names))));
}

function withoutDates(text: string, at: Date): string {
  let masked = '';
  let from = 0;
  for (const { start, end } of parseDates(text, at)) {
    masked += `${text.slice(from, start)}${';'.repeat(end - start)}`;
    from = end;
  }
  return masked + text.slice(from);
}

function wordsOf(sentence: Sentence): Word[] {
  const words: Word[] = [];
  let before = 0;
  for (const { 0: written, index } of sentence.text.matchAll(wordPattern)) {
    const gap = sentence.text.slice(before, index);
    before = index + written.length;
    const text = written.replace(/['’]s$/u, '');
    const last = words.at(-1);
    words.push({
      text,
      lower: text.toLowerCase().replaceAll('’', "'"),
      start: sentence.start + index,
      end: sentence.start + index + text.length,
      isJoined: /^(?:\s{1,3}| & )$/u.test(gap) && last?.isPossessive === false,
      isAnded: gap.includes('&'),
      isFirst: last === undefined || /[:"“(]/u.test(gap),
      isPossessive: text !== written,
    });
  }
  return words;
}

const isCapital = ({ text }: Word): boolean => capital.test(text);

/** Lower-case forms of words that are capitalised in the middle of a sentence. */
function namesAmong(sentences: readonly (readonly Word[])[]): ReadonlySet<string> {
  const inside = sentences.flatMap((words) => words.filter((word) => !word.isFirst));
  return new Set(inside.filter(isCapital).map(({ lower }) => lower));
}

const isFunctionWord = (lower: string): boolean =>
  isStopWord(lower) ||
  lexicon.fillerWords.has(lower) ||
  titles.has(lower) ||
  (lower.includes("'") && isStopWord(lower.slice(0, lower.indexOf("'"))));

const isNounLike = (word: Word | undefined): boolean =>
  word?.isJoined === true &&
  !isFunctionWord(word.lower) &&
  !(word.lower.endsWith('ly') && !lexicon.nonAdverbsInLy.has(word.lower));

function kindsBy(words: readonly Word[], names: ReadonlySet<string>) {
  return (word: Word, i: number): Kind => {
    const before = words[i - 1];
    const next = words[i + 1];
    const isSpaced = word.text.length <= unspacedMax || !hasUnspacedScript(word.text);
    if (word.text.length > wordCharactersMax || !isSpaced) return 'none';
    if (isFunctionWord(word.lower)) {
      return shouted.test(word.text) && !word.isFirst && !before?.text.match(shouted)
        ? 'name'
        : 'none';
    }
    if (number.test(word.text) || measured.test(word.text)) return 'number';
    if (
      before &&
      number.test(before.text) &&
      word.isJoined &&
      lexicon.measurementUnits.has(word.lower)
    ) {
      return 'unit';
    }
    if (isName(word, next, words[i + 2], names)) return 'name';
    return kindOfPlain(word, before, next);
  };
}

function isName(
  word: Word,
  next: Word | undefined,
  second: Word | undefined,
  names: ReadonlySet<string>,
): boolean {
  if (identifier.test(word.text)) return true;
  if (!isCapital(word)) return false;
  if (!word.isFirst || shouted.test(word.text)) return true;
  if (names.has(word.lower) || !isEnglishWord(word.lower)) return true;
  // "Ana prefers tea": lists of English words contain common given names, too.
  if (getGazetteer().isGivenName(word.lower) && !getGazetteer().isEverydayWord(word.lower))
    return true;
  const isVerb = contentStems.has(stem(word.lower)) || lightStems.has(stem(word.lower));
  if (isVerb || lexicon.weakAdjectives.has(word.lower)) return false;
  if (next?.isJoined !== true) return false;
  // "East of Eden".
  const isLinked = lexicon.nameParticles.has(next.lower) && second?.isJoined === true;
  const other = isLinked ? second : next;
  return isCapital(other) && !isFunctionWord(other.lower);
}

/**
 * The kind of a lower-case word, or of one that is capitalised only as the first of its sentence.
 */
function kindOfPlain(word: Word, before: Word | undefined, next: Word | undefined): Kind {
  const { lower } = word;
  const isAdverb = lower.endsWith('ly') && !lexicon.nonAdverbsInLy.has(lower);
  if (isAdverb || lower.length < 2) return 'none';
  if (lexicon.nounsInIng.has(lower)) return lightStems.has(stem(lower)) ? 'none' : 'noun';
  if (isVerbHere(word, before, next)) return lightStems.has(stem(lower)) ? 'none' : 'verb';
  if (/\p{L}{3}ing$/u.test(lower)) return lightStems.has(stem(lower)) ? 'none' : 'deed';
  if (lexicon.weakAdjectives.has(lower) && !lexicon.degreeAdjectives.has(lower)) return 'weak';
  if (lexicon.degreeAdjectives.has(lower) || lexicon.standaloneAdjectives.has(lower))
    return 'adjective';
  if (/\p{L}{3}ed$/u.test(lower)) return isNounLike(next) ? 'adjective' : 'none';
  return 'noun';
}

function isVerbHere(word: Word, before: Word | undefined, next: Word | undefined): boolean {
  const { lower } = word;
  const base = stem(lower);
  const isLight = lightStems.has(base);
  const isKnown = isLight || contentStems.has(base);
  const cue = before?.lower ?? '';
  const isPast = /\p{L}{2}ed$/u.test(lower);
  if (lexicon.verbCues.has(cue)) return isKnown || isPast || !isDescribing(lower);
  if (cue === 'to') return isKnown;
  const isAfterDeterminer = determiners.has(cue);
  if (isAfterDeterminer) return false;
  if (isKnown && isIrregular(lower, base)) return true;
  if (lexicon.auxiliaries.has(cue)) return isPast || isLight || lower.endsWith('ing');
  const isAfterThing = word.isJoined && isNounLike({ ...(before as Word), isJoined: true });
  if (isPast) return isKnown && (isAfterThing || !isNounLike(next));
  const isBeforeObject =
    next?.isJoined === true && (determiners.has(next.lower) || pronouns.has(next.lower));
  const isSaidOfName = isAfterThing && isCapital(before as Word) && next?.isJoined === true;
  if (isKnown && (isBeforeObject || (isSaidOfName && lower.endsWith('s')))) return true;
  if (!isLight || lower.endsWith('ing')) return isLight;
  return !isAfterThing || lower !== base || next === undefined || !isNounLike(next);
}

/** "taught" as a form of "teach". */
const isIrregular = (lower: string, base: string): boolean =>
  !lower.startsWith(base.slice(0, 3)) || (lower.endsWith('n') && !base.endsWith('n'));

const isDescribing = (lower: string): boolean =>
  lexicon.degreeAdjectives.has(lower) ||
  lexicon.weakAdjectives.has(lower) ||
  lexicon.standaloneAdjectives.has(lower);

function phrasesAmong(words: readonly Word[], kinds: readonly Kind[]): Phrase[] {
  const phrases: Phrase[] = [];
  let run: number[] = [];
  const close = (): void => {
    const phrase = phraseOf(run, words, kinds);
    if (phrase) phrases.push(phrase);
    run = [];
  };
  for (const [i, word] of words.entries()) {
    const kind = kinds[i] as Kind;
    const isLink =
      kinds[i - 1] === 'name' &&
      kinds[i + 1] === 'name' &&
      word.isJoined &&
      words[i + 1]?.isJoined === true &&
      lexicon.nameParticles.has(word.lower);
    if (!word.isJoined || (kind === 'none' && !isLink) || kind === 'verb') close();
    if (kind === 'verb') {
      run = [i];
      close();
    } else if (kind !== 'none' || isLink) run.push(i);
    if (kind === 'unit') close();
  }
  close();
  return phrases;
}

function phraseOf(
  run: readonly number[],
  words: readonly Word[],
  kinds: readonly Kind[],
): Phrase | null {
  const parts = run.map((i) => ({ word: words[i] as Word, kind: kinds[i] as Kind }));
  const measure = measureOf(parts);
  const taken = measure ?? withoutEdges(parts);
  const first = taken[0]?.word;
  if (!first || (!measure && taken.every(isWeak))) return null;
  const text = taken.map(({ word, kind }, i) => {
    const written = kind === 'name' ? word.text : word.lower;
    return i === 0 ? written : `${word.isAnded ? ' & ' : ' '}${written}`;
  });
  const name = text.join('');
  if (name.length > topicCharactersMax) return null;
  const category = measure ? 'attribute' : categoryOf(taken);
  const stems = taken.flatMap(({ word }) => termsIn(word.text));
  return { text: name, category, stems, start: first.start };
}

/** The terms of a word as in the index: the whole word for an identifier, else its stems. */
function termsIn(word: string): readonly string[] {
  const { words, compounds } = extractTerms(word);
  if (compounds.length > 0) return compounds;
  return words.length > 0 ? words : [word.toLowerCase()];
}

/** "12 MB", "40ms", "20%": the measure at the end of a run. */
function measureOf(parts: readonly Part[]): readonly Part[] | null {
  if (parts.at(-1)?.kind === 'unit') return parts.slice(-2);
  const [only] = parts;
  const isMeasure = parts.length === 1 && only && measured.test(only.word.text);
  return isMeasure ? parts : null;
}

/** Removes words that cannot start or end a phrase; an attribute may remain alone. */
function withoutEdges(parts: readonly Part[]): readonly Part[] {
  let from = 0;
  let to = parts.length;
  const kindAt = (i: number): Kind | undefined => parts[i]?.kind;
  while (from < to && ['weak', 'number'].includes(kindAt(from) ?? '')) from += 1;
  const isLoose = (i: number): boolean => {
    const alone = i === from;
    if (kindAt(i) === 'adjective')
      return !alone || !lexicon.standaloneAdjectives.has(parts[i]?.word.lower ?? '');
    return kindAt(i) === 'weak' || (kindAt(i) === 'number' && alone);
  };
  while (from < to && isLoose(to - 1)) to -= 1;
  from = Math.max(from, to - wordsMax);
  while (from < to && lexicon.nameParticles.has(parts[from]?.word.lower ?? '')) from += 1;
  return parts.slice(from, to);
}

/** Too general, even together with others: "item 1". */
function isWeak({ word: { lower }, kind }: Part): boolean {
  if (kind === 'name') return lower.length < 2;
  return kind === 'number' || lexicon.weakNouns.has(lower) || lower.length < 3;
}

function categoryOf(parts: readonly Part[]): TopicCategory {
  const isNamed = ({ word, kind }: Part): boolean =>
    kind === 'name' || kind === 'number' || lexicon.nameParticles.has(word.lower);
  if (parts.every(isNamed)) return 'entity';
  const first = parts[0];
  const last = parts.at(-1);
  if (first?.kind === 'verb' || first?.kind === 'deed' || last?.kind === 'deed') return 'action';
  if (last?.kind === 'adjective') return 'attribute';
  const isOfDegree = parts.length > 1 && lexicon.degreeAdjectives.has(first?.word.lower ?? '');
  return isOfDegree ? 'attribute' : 'concept';
}
