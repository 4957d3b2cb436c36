import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { Surroundings } from '../openai/endpoint.ts';
import { withFallback } from './fallback.ts';
import type { Language } from './language.ts';
import { createLocalLanguage } from './local/index.ts';
import { createOpenAiLanguage, type OpenAiLanguageSettings } from './openai.ts';

export * from './language.ts';
export type { OpenAiLanguageSettings } from './openai.ts';

interface Parts extends Surroundings {
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** The configured reader of texts: by rules alone, or a model with the rules behind it. */
export function createLanguage(
  settings: OpenAiLanguageSettings | null,
  parts: Parts,
): Language & AsyncDisposable {
  const local = createLocalLanguage();
  if (settings === null) return local;
  const primary = createOpenAiLanguage(settings, parts);
  return {
    ...withFallback(primary, local, parts.log, parts.clock),
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  };
}
