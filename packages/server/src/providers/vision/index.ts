import type { Config } from '../../kernel/config.ts';
import { createLocalVision } from './local.ts';
import { createOpenAiVision } from './openai.ts';
import type { Vision } from './vision.ts';

export * from './vision.ts';

/** What is configured to see, or null. */
export function configuredVision({ media: { vision } }: Pick<Config, 'media'>): Vision | null {
  const { openai, local, timeoutMs } = vision;
  if (openai) {
    const { apiKey, ...rest } = openai;
    return createOpenAiVision({ ...rest, ...(apiKey === null ? {} : { apiKey }), timeoutMs });
  }
  return local ? createLocalVision() : null;
}
