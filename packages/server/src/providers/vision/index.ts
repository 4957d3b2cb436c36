import type { Config } from '../../kernel/config.ts';
import { createLocalVision, lackingOcr } from './local.ts';
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

/** What has to be installed for what is configured; null: nothing. Nothing is loaded for it. */
export const lackingForVision = ({ media: { vision } }: Pick<Config, 'media'>): string | null =>
  vision.openai === null && vision.local ? lackingOcr() : null;
