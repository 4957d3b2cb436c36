import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { type ModelResult, TextAnalysisFailed, type TextAnalyzer } from './text-analyzer.ts';

/** How long a model that is out of reach is left alone: its retries take a minute at worst. */
const unavailablePauseMs = 30_000;

/**
 * Asks `primary`, and `local` for each operation that it fails; the answer says who gave it.
 * A failure is logged without the text. After one that every text would meet (out of reach, busy,
 * refused key) `local` answers all for 30 s, so that no queue waits behind a model that is gone.
 */
export function withFallback(
  primary: TextAnalyzer,
  local: TextAnalyzer,
  log: Log,
  clock: Pick<Clock, 'monotonicMs'>,
): TextAnalyzer {
  let restsUntilMs = Number.NEGATIVE_INFINITY;
  async function either<T>(
    operation: string,
    first: () => Promise<ModelResult<T>>,
    second: () => Promise<ModelResult<T>>,
  ): Promise<ModelResult<T>> {
    if (clock.monotonicMs() < restsUntilMs) return second();
    try {
      return await first();
    } catch (error) {
      if (!(error instanceof TextAnalysisFailed)) throw error;
      if (error.unavailable) restsUntilMs = clock.monotonicMs() + unavailablePauseMs;
      // The message alone: a cause could quote what was sent.
      const fault = { operation, model: primary.model, reason: error.message };
      log.warn(fault, `${operation} by ${local.model} in the place of ${primary.model}`);
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
  };
}
