import { findMissingTranscriptionDependencies } from '../../providers/transcription/index.ts';
import { findMissingVisionDependency } from '../../providers/vision/index.ts';
import type { App } from '../ctx.ts';

/** What has to be installed for whoever is configured to hear or see, beside FFmpeg. */
export async function listMissingMediaTools({ config }: Pick<App, 'config'>): Promise<string[]> {
  const vision = findMissingVisionDependency(config);
  return [
    ...(await findMissingTranscriptionDependencies(config)),
    ...(vision === null ? [] : [vision]),
  ];
}
