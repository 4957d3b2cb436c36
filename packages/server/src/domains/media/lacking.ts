import { lackingForTranscription } from '../../providers/transcription/index.ts';
import { lackingForVision } from '../../providers/vision/index.ts';
import type { App } from '../ctx.ts';

/** What has to be installed for whoever is configured to hear or see, beside FFmpeg. */
export async function lackingForMedia({ config }: Pick<App, 'config'>): Promise<string[]> {
  const vision = lackingForVision(config);
  return [...(await lackingForTranscription(config)), ...(vision === null ? [] : [vision])];
}
