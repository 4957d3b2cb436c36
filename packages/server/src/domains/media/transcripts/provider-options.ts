import type { TranscribeOptions } from '@mneme/contract';
import type {
  SpokenSegment,
  Transcriber,
  TranscriptionOptions,
} from '../../../providers/transcription/index.ts';

/** The options that are passed to the transcription provider. */
export const toProviderOptions = ({
  language,
  prompt,
  enableSpeakerDiarization: speakers,
}: TranscribeOptions): TranscriptionOptions => ({
  // No provider distinguishes regional variants of a language.
  ...(language !== undefined && { language: language.toLowerCase().replace(/-.*/, '') }),
  ...(prompt !== undefined && { prompt }),
  ...(speakers !== undefined && { speakers }),
});

/**
 * Lists the requested options that had no effect. Only some providers identify speakers, which the
 * segments show; none accepts a number of speakers or detects unsafe content.
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
