import type { TranscribeOptions, Transcript } from '@mneme/contract';
import { extractTerms, toOneLine } from '@mneme/text';
import type { DocumentFrequencies, TextAnalyzer } from '../../../providers/language/index.ts';
import { type ChapterRange, splitChapters, type TimedText } from './chapters.ts';

type TranscriptAnalysis = Pick<Transcript, 'entities' | 'chapters' | 'summary'>;

/** Longest text for one call of the language model. */
const chunkCharacters = 15_000;
const entitiesMax = 500;
const titleCharactersMax = 80;

/**
 * Extracts entities, chapters and a summary from a transcript, each unless the options disable it.
 */
export async function analyseTranscript(
  language: TextAnalyzer,
  segments: readonly TimedText[],
  at: Date,
  options: TranscribeOptions,
  signal: AbortSignal,
): Promise<TranscriptAnalysis> {
  const {
    enableEntityDetection: wantsEntities = true,
    enableAutoChapters: wantsChapters = true,
    enableAutoSummarization: wantsSummary = true,
  } = options;
  const entities = wantsEntities ? await extractEntities(language, segments, at, signal) : [];
  const [text = '', ...more] = splitIntoChunks(segments);
  // A text of one chunk is summarized directly, a longer one by the summaries of its chapters.
  const needsChapters = wantsChapters || (wantsSummary && more.length > 0);
  const chapters = needsChapters
    ? await describeChapters(language, splitChapters(segments), at, signal)
    : [];
  signal.throwIfAborted();
  const source = more.length === 0 ? text : chapters.map((chapter) => chapter.summary).join(' ');
  const hasSummary = wantsSummary && source !== '';
  return {
    entities,
    chapters: wantsChapters ? chapters : [],
    summary: hasSummary ? (await language.summary({ text: source, at })).value : null,
  };
}

async function extractEntities(
  language: TextAnalyzer,
  segments: readonly TimedText[],
  at: Date,
  signal: AbortSignal,
): Promise<Transcript['entities']> {
  const entities = new Map<string, Transcript['entities'][number]>();
  for (const text of splitIntoChunks(segments)) {
    signal.throwIfAborted();
    const { value } = await language.extract({ text, at });
    for (const { name, type, confidence } of value.entities) {
      const key = `${type} ${name.toLowerCase()}`;
      const known = entities.get(key);
      if (!known || known.confidence < confidence) entities.set(key, { name, type, confidence });
    }
  }
  return [...entities.values()].slice(0, entitiesMax);
}

/** Joins segments into texts of at most `chunkCharacters`. */
function splitIntoChunks(segments: readonly TimedText[]): string[] {
  const chunks: string[] = [];
  let chunk = '';
  for (const { text } of segments) {
    if (chunk.length + text.length > chunkCharacters && chunk !== '') {
      chunks.push(chunk);
      chunk = '';
    }
    chunk += chunk === '' ? text : ` ${text}`;
  }
  return chunk === '' ? chunks : [...chunks, chunk];
}

/** The title of a chapter is the topic that distinguishes it from the other chapters. */
async function describeChapters(
  language: TextAnalyzer,
  ranges: readonly ChapterRange[],
  at: Date,
  signal: AbortSignal,
): Promise<Transcript['chapters']> {
  const terms = ranges.map(({ text }) => new Set(extractTerms(text).words));
  const frequencies: DocumentFrequencies = {
    documents: ranges.length,
    documentFrequency: (term) => terms.filter((own) => own.has(term)).length,
  };
  const chapters: Transcript['chapters'] = [];
  for (const { start, end, text } of ranges) {
    signal.throwIfAborted();
    const source = { text, at };
    const [topics, summary] = await Promise.all([
      language.topics(source, frequencies),
      language.summary(source),
    ]);
    const name = topics.value[0]?.name ?? text;
    const title = toOneLine(name, titleCharactersMax);
    chapters.push({ title, start, end, summary: summary.value });
  }
  return chapters;
}
