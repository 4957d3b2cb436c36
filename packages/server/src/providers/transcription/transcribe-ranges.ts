import type { RawTranscript } from './parse-transcript.ts';
import { sampleRate } from './pcm.ts';
import type { SampleRange } from './silence.ts';
import type { Transcription } from './transcription.ts';

/**
 * Transcribes range by range if the provider returns no timestamps, so that the times are known.
 */
export async function transcribeRanges(
  samples: Int16Array<ArrayBuffer>,
  ranges: readonly SampleRange[],
  transcribeOnce: (samples: Int16Array<ArrayBuffer>) => Promise<RawTranscript>,
): Promise<Transcription> {
  const all: Transcription['segments'][number][] = [];
  let language: string | null = null;
  let languageConfidence: number | null = null;
  for (const { from, until } of ranges) {
    const { segments, text, ...rest } = await transcribeOnce(samples.slice(from, until));
    if (language === null) ({ language, languageConfidence } = rest);
    const [begin, end] = [from / sampleRate, until / sampleRate];
    const whole = { start: 0, end: end - begin, text, speaker: null, confidence: null };
    const own = segments ?? (text === '' ? [] : [whole]);
    all.push(...own.map((one) => ({ ...one, start: one.start + begin, end: one.end + begin })));
  }
  return { language, languageConfidence, segments: all };
}
