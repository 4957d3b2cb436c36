import type { TranscribeOptions, Transcript } from '@mneme/contract';
import type { DocumentFrequencies, TextAnalyzer } from '../../../providers/language/index.ts';
import { oneLine } from '../../../text/one-line.ts';
import { extractTerms } from '../../../text/terms.ts';
import { type ChapterRange, splitChapters, type TimedText } from './chapters.ts';

type TranscriptAnalysis = Pick<Transcript, 'entities' | 'chapters' | 'summary'>;

/** A text is read so far at once. */
const chunkCharacters = 15_000;
const entitiesMax = 500;
const titleCharactersMax = 80;

/**
 * What is read out of the words: who and what is named, chapters, and a summary, each unless it was
 * asked to be left out.
 */
export async function analyseTranscript(
  language: TextAnalyzer,
  said: readonly TimedText[],
  at: Date,
  options: TranscribeOptions,
  signal: AbortSignal,
): Promise<TranscriptAnalysis> {
  const {
    enableEntityDetection: wantsEntities = true,
    enableAutoChapters: wantsChapters = true,
    enableAutoSummarization: wantsSummary = true,
  } = options;
  const entities = wantsEntities ? await extractEntities(language, said, at, signal) : [];
  const [text = '', ...more] = splitIntoChunks(said);
  // What is read at once is summed up as it is; of more, the chapters are.
  const needsChapters = wantsChapters || (wantsSummary && more.length > 0);
  const chapters = needsChapters
    ? await describeChapters(language, splitChapters(said), at, signal)
    : [];
  signal.throwIfAborted();
  const source = more.length === 0 ? text : chapters.map((one) => one.summary).join(' ');
  const hasSummary = wantsSummary && source !== '';
  return {
    entities,
    chapters: wantsChapters ? chapters : [],
    summary: hasSummary ? (await language.summary({ text: source, at })).value : null,
  };
}

async function extractEntities(
  language: TextAnalyzer,
  said: readonly TimedText[],
  at: Date,
  signal: AbortSignal,
): Promise<Transcript['entities']> {
  const found = new Map<string, Transcript['entities'][number]>();
  for (const text of splitIntoChunks(said)) {
    signal.throwIfAborted();
    const { value } = await language.extract({ text, at });
    for (const { name, type, confidence } of value.entities) {
      const key = `${type} ${name.toLowerCase()}`;
      const known = found.get(key);
      if (!known || known.confidence < confidence) found.set(key, { name, type, confidence });
    }
  }
  return [...found.values()].slice(0, entitiesMax);
}

/** The words in texts of a length that is read whole. */
function splitIntoChunks(said: readonly TimedText[]): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const { text } of said) {
    if (piece.length + text.length > chunkCharacters && piece !== '') {
      pieces.push(piece);
      piece = '';
    }
    piece += piece === '' ? text : ` ${text}`;
  }
  return piece === '' ? pieces : [...pieces, piece];
}

/** Named by what is particular to each among the chapters. */
async function describeChapters(
  language: TextAnalyzer,
  stretches: readonly ChapterRange[],
  at: Date,
  signal: AbortSignal,
): Promise<Transcript['chapters']> {
  const terms = stretches.map(({ text }) => new Set(extractTerms(text).words));
  const frequencies: DocumentFrequencies = {
    documents: stretches.length,
    documentFrequency: (term) => terms.filter((own) => own.has(term)).length,
  };
  const chapters: Transcript['chapters'] = [];
  for (const { start, end, text } of stretches) {
    signal.throwIfAborted();
    const source = { text, at };
    const [topics, summary] = await Promise.all([
      language.topics(source, frequencies),
      language.summary(source),
    ]);
    const name = topics.value[0]?.name ?? text;
    const title = oneLine(name, titleCharactersMax);
    chapters.push({ title, start, end, summary: summary.value });
  }
  return chapters;
}
