import type { TranscribeOptions } from '@mneme/contract';
import type {
  SpokenSegment,
  Transcriber,
  TranscriptionOptions,
} from '../../../providers/transcription/index.ts';

/** What of the options is a matter of who listens. */
export const toProviderOptions = ({
  language,
  prompt,
  enableSpeakerDiarization: speakers,
}: TranscribeOptions): TranscriptionOptions => ({
  // Nobody who listens tells the English of one country from that of another.
  ...(language !== undefined && { language: language.toLowerCase().replace(/-.*/, '') }),
  ...(prompt !== undefined && { prompt }),
  ...(speakers !== undefined && { speakers }),
});

/**
 * What was asked for and not done. Who speaks is told by some, which is seen by what they told;
 * nobody counts speakers or tells what is unsafe.
 */
export function ignoredOptions(
  { supportedHints }: Pick<Transcriber, 'supportedHints'>,
  options: TranscribeOptions,
  segments: readonly Pick<SpokenSegment, 'speaker'>[],
): string[] {
  const ignored: (keyof TranscribeOptions)[] = [];
  for (const name of ['language', 'prompt'] as const) {
    if (options[name] !== undefined && !supportedHints.has(name)) ignored.push(name);
  }
  const hasSpeakers = segments.some(({ speaker }) => speaker !== null);
  if (options.enableSpeakerDiarization === true && !hasSpeakers) {
    ignored.push('enableSpeakerDiarization');
  }
  if (options.enableContentSafety === true) ignored.push('enableContentSafety');
  if (options.speakersExpected !== undefined) ignored.push('speakersExpected');
  return ignored;
}
