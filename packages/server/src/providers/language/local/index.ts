import { deriveStatements } from '@mneme/extraction';
import type { ModelResult, TextAnalyzer } from '../text-analyzer.ts';
import { Extractor } from './extractor.ts';
import { scoreQuality } from './quality.ts';
import { summarize } from './summary.ts';
import { extractTopics } from './topics.ts';
import { findOutdated, findOutdatedQuickly } from './updates/find-outdated.ts';

const model = 'local';
const toModelResult = <T>(value: T): ModelResult<T> => ({ model, value });

/** The built-in analyzer: rules only, no network, deterministic. */
export function createLocalAnalyzer(): TextAnalyzer & AsyncDisposable {
  const extractor = new Extractor();
  return {
    model,
    extract: async (source) => toModelResult(await extractor.extract(source)),
    speakerFacts: (text) => extractor.findSpeakerFacts(text),
    topics: async (source, frequencies) => toModelResult(extractTopics(source, frequencies)),
    summary: async (source) => toModelResult(summarize(source)),
    quality: async (source) => toModelResult(scoreQuality(source)),
    outdatedAtOnce: findOutdatedQuickly,
    outdated: async (newer, older) =>
      toModelResult(await findOutdated(newer.text, older, (pairs) => extractor.judgePairs(pairs))),
    statements: async (conversation) =>
      toModelResult(await deriveStatements(conversation, (text) => extractor.findStatements(text))),
    [Symbol.asyncDispose]: () => extractor[Symbol.asyncDispose](),
  };
}
