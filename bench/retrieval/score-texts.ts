/** Pairs of texts of which one knows whether they say the same: what the shown score is held to. */
import { readFileSync } from 'node:fs';
import type { StoredDocument } from './data-sets.ts';

/** A memory, the same fact restated, a text on another matter, and a question that it answers. */
export interface ScoreTextQuadruple {
  readonly memory: string;
  readonly restated: string;
  readonly hard: string;
  readonly question: string;
}

export interface ScoreTextSets {
  /** The hard ones play on the words of the memory. */
  readonly sharedWords: readonly ScoreTextQuadruple[];
  /** The hard ones say something else in sentences of the same build. */
  readonly nearMiss: readonly ScoreTextQuadruple[];
  /** The hard ones say something else on the same topic. */
  readonly sameTopic: readonly ScoreTextQuadruple[];
  /** Short, odd and foreign ones, each to be found by itself. */
  readonly exact: readonly string[];
}

const read = (name: string): string =>
  readFileSync(new URL(`scores/${name}.txt`, import.meta.url), 'utf8').trimEnd();

export const loadScoreTexts = (): ScoreTextSets => ({
  sharedWords: parseScoreTextQuadruples(read('shared-words')),
  nearMiss: parseScoreTextQuadruples(read('near-miss')),
  sameTopic: parseScoreTextQuadruples(read('same-topic')),
  exact: read('exact')
    .split('\n')
    .map((line) => line.replaceAll('\\n', '\n')),
});

/** Blocks of four lines, `m:`, `r:`, `h:` and `q:`. Throws where a line is not in its place. */
export function parseScoreTextQuadruples(file: string): ScoreTextQuadruple[] {
  return file.split(/\n{2,}/).map((block) => {
    const match = /^m: (.+)\nr: (.+)\nh: (.+)\nq: (.+)$/.exec(block.trim());
    if (!match) throw new Error(`not m, r, h and q: ${block}`);
    const [, memory = '', restated = '', hard = '', question = ''] = match;
    return { memory, restated, hard, question };
  });
}

const proseKinds = ['ops', 'min', 'abs', 'kit', 'home', 'note', 'pol', 'guide'];
const passageWordsMin = 8;

export interface LongText {
  readonly content: string;
  /** Sentences of it, as they stand. */
  readonly passages: readonly string[];
}

/** All documents of a kind as one text of some thousand words, with a sentence of each third. */
export function buildLongTexts(documents: readonly StoredDocument[]): LongText[] {
  return proseKinds.map((kind) => {
    const own = documents.filter(({ id }) => id.startsWith(`${kind}-`));
    return {
      content: own.map(({ content }) => content).join('\n\n'),
      passages: own.flatMap(({ content }, i) => (i % 3 === 0 ? middleSentence(content) : [])),
    };
  });
}

function middleSentence(content: string): string[] {
  const sentences = content
    .split(/(?<=[.!?])\s+/)
    .filter((one) => one.split(/\s+/).length >= passageWordsMin && !hasExclusion(one));
  return sentences.slice(Math.floor(sentences.length / 2)).slice(0, 1);
}

/** Whether the text, searched for as it stands, leaves something out by `-term`. */
export const hasExclusion = (text: string): boolean => /(?:^|\s)-(?:"|[\p{L}\p{N}_])/u.test(text);

/** Two words of three. */
export const twoThirdsOfWords = (text: string): string =>
  text
    .split(/\s+/)
    .filter((_, i) => i % 3 !== 2)
    .join(' ');
