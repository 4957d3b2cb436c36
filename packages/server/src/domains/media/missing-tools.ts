import { findMissingTranscriptionDependencies } from '../../providers/transcription/index.ts';
import { findMissingVisionDependency } from '../../providers/vision/index.ts';
import type { App } from '../ctx.ts';

/** Dependencies, other than FFmpeg, that the configured transcription and vision providers lack. */
export async function listMissingMediaTools({ config }: Pick<App, 'config'>): Promise<string[]> {
  const vision = findMissingVisionDependency(config);
  return [
    ...(await findMissingTranscriptionDependencies(config)),
    ...(vision === null ? [] : [vision]),
  ];
}
