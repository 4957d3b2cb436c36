import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { EndpointDeps } from '../openai/endpoint.ts';
import { withFallback } from './fallback.ts';
import { createLocalAnalyzer } from './local/index.ts';
import { createOpenAiTextAnalyzer, type OpenAiTextAnalyzerSettings } from './openai.ts';
import type { TextAnalyzer } from './text-analyzer.ts';

export {
  type Conversation,
  type ExtractedEntity,
  type ExtractedFact,
  type Extraction,
  isOfMachine,
  type KnownStatement,
  type SourceText,
  type SpeakerFact,
  type Statement,
  statementKinds,
  type Turn,
} from '@mneme/extraction';
export { tellsOfChange } from './local/updates/find-outdated.ts';
export type { OpenAiTextAnalyzerSettings } from './openai.ts';
export { createQueryRewriter, type QueryRewriter } from './query-rewriter.ts';
export * from './text-analyzer.ts';

interface TextAnalyzerDeps extends EndpointDeps {
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** Creates the configured analyzer: rules only, or a model with the rules as a fallback. */
export function createTextAnalyzer(
  settings: OpenAiTextAnalyzerSettings | null,
  parts: TextAnalyzerDeps,
): TextAnalyzer & AsyncDisposable {
  const local = createLocalAnalyzer();
  if (settings === null) return local;
  const primary = createOpenAiTextAnalyzer(settings, parts);
  return {
    ...withFallback(primary, local, parts.log, parts.clock),
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  };
}
