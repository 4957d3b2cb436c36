import type { RawTranscript } from './parse-transcript.ts';
import { sampleRate } from './pcm.ts';
import type { SampleRange } from './silence.ts';
import type { Transcription } from './transcription.ts';

/** What tells words alone is asked stretch by stretch: then their times are known. */
export async function transcribeRanges(
  samples: Int16Array<ArrayBuffer>,
  stretches: readonly SampleRange[],
  hear: (samples: Int16Array<ArrayBuffer>) => Promise<RawTranscript>,
): Promise<Transcription> {
  const all: Transcription['segments'][number][] = [];
  let language: string | null = null;
  let languageConfidence: number | null = null;
  for (const { from, until } of stretches) {
    const { segments, text, ...told } = await hear(samples.slice(from, until));
    if (language === null) ({ language, languageConfidence } = told);
    const [begin, end] = [from / sampleRate, until / sampleRate];
    const whole = { start: 0, end: end - begin, text, speaker: null, confidence: null };
    const own = segments ?? (text === '' ? [] : [whole]);
    all.push(...own.map((one) => ({ ...one, start: one.start + begin, end: one.end + begin })));
  }
  return { language, languageConfidence, segments: all };
}
