import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import {
  type ModelAnalyzer,
  type ModelResult,
  TextAnalysisFailed,
  type TextAnalyzer,
} from './text-analyzer.ts';

/** Pause after a model is unavailable: its retries take up to a minute. */
const unavailablePauseMs = 30_000;

/**
 * Uses `primary`, and `local` for each operation that fails; the result names the one that produced
 * it. A failure is logged without the text. After a failure that would affect every text
 * (connection, rate limit, rejected key), `local` handles all operations for 30 s, so that no queue
 * waits for an unavailable model.
 */
export function withFallback(
  primary: ModelAnalyzer,
  local: TextAnalyzer,
  log: Log,
  clock: Pick<Clock, 'monotonicMs'>,
): TextAnalyzer {
  let unavailableUntilMs = Number.NEGATIVE_INFINITY;
  async function either<T>(
    operation: string,
    first: () => Promise<ModelResult<T>>,
    second: () => Promise<ModelResult<T>>,
  ): Promise<ModelResult<T>> {
    if (clock.monotonicMs() < unavailableUntilMs) return second();
    try {
      return await first();
    } catch (error) {
      if (!(error instanceof TextAnalysisFailed)) throw error;
      if (error.unavailable) unavailableUntilMs = clock.monotonicMs() + unavailablePauseMs;
      // Only the message: a cause could quote the text that was sent.
      const context = { operation, model: primary.model, reason: error.message };
      log.warn(context, 'language model failed; built-in rules used');
      return second();
    }
  }
  return {
    model: primary.model,
    extract: (source) =>
      either(
        'extract',
        () => primary.extract(source),
        () => local.extract(source),
      ),
    speakerFacts: (text) => local.speakerFacts(text),
    topics: (source, frequencies) =>
      either(
        'topics',
        () => primary.topics(source, frequencies),
        () => local.topics(source, frequencies),
      ),
    summary: (source) =>
      either(
        'summary',
        () => primary.summary(source),
        () => local.summary(source),
      ),
    quality: (source) =>
      either(
        'quality',
        () => primary.quality(source),
        () => local.quality(source),
      ),
    outdatedAtOnce: (newer, older) => local.outdatedAtOnce(newer, older),
    outdated: (newer, older) =>
      either(
        'outdated',
        () => primary.outdated(newer, older),
        () => local.outdated(newer, older),
      ),
    statements: (conversation) =>
      either(
        'statements',
        () => primary.statements(conversation),
        () => local.statements(conversation),
      ),
  };
}
