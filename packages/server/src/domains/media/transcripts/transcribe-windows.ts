import { createReadStream } from 'node:fs';
import path from 'node:path';
import { limits } from '@mneme/contract';
import {
  isSilent,
  type SpokenSegment,
  samplesToSeconds,
  splitIntoWindows,
  type Transcriber,
  type TranscriptionOptions,
} from '../../../providers/transcription/index.ts';
import type { App } from '../../ctx.ts';
import { createScratchFolder } from '../scratch.ts';
import type { MediaFile } from '../store/files.ts';

/** The progress of a transcription: stored, so that a retry resumes there. */
export interface PartialTranscript {
  /** The number of transcribed samples. */
  readonly at: number;
  readonly windows: number;
  readonly language: string | null;
  readonly languageConfidence: number | null;
  readonly segments: readonly SpokenSegment[];
}

const emptyTranscript: PartialTranscript = {
  at: 0,
  windows: 0,
  language: null,
  languageConfidence: null,
  segments: [],
};

const bytesPerSecond = 32_000;
const decodingMs = 1_800_000;

/**
 * Transcribes a recording in windows and resumes after the last window of an earlier run.
 * @param keep called after each window with the transcript so far and the completed share (0..1)
 * @throws TranscriptionFailed, ProgramFailed if the audio cannot be decoded, the signal's reason
 */
export async function transcribeWindows(
  app: App,
  file: MediaFile,
  { transcriber, options }: { transcriber: Transcriber; options: TranscriptionOptions },
  from: PartialTranscript | null,
  {
    keep: onWindow,
    signal,
  }: { keep(heard: PartialTranscript, share: number): Promise<void>; signal: AbortSignal },
): Promise<PartialTranscript & { readonly seconds: number }> {
  await using folder = await createScratchFolder(app);
  const audio = path.join(folder.path, 'sound.pcm');
  await decode(app, file, audio, signal);
  let heard = from ?? emptyTranscript;
  const stream = createReadStream(audio, { highWaterMark: 2 ** 20 });
  let samplesMax = heard.at;
  for await (const window of splitIntoWindows(stream, transcriber.secondsMax, heard.at)) {
    signal.throwIfAborted();
    const { firstSample, samples } = window;
    samplesMax = firstSample + samples.length;
    const result = isSilent(samples)
      ? { language: null, languageConfidence: null, segments: [] }
      : await transcriber.transcribe(samples, options, signal);
    const windows = heard.windows + 1;
    const position = { begin: samplesToSeconds(firstSample), windows };
    heard = {
      at: samplesMax,
      windows,
      language: heard.language ?? result.language,
      languageConfidence: heard.languageConfidence ?? result.languageConfidence,
      segments: [
        ...heard.segments,
        ...result.segments.map((segment) => toRecordingTime(segment, position, options)),
      ],
    };
    const seconds = file.duration ?? Number.POSITIVE_INFINITY;
    await onWindow(heard, Math.min(0.9, samplesToSeconds(samplesMax) / seconds));
  }
  return { ...heard, seconds: samplesToSeconds(samplesMax) };
}

/** Decodes the first audio track to 16 kHz mono PCM, the input format of speech models. */
async function decode(app: App, file: MediaFile, to: string, signal: AbortSignal): Promise<void> {
  await using source = await app.blobs.openLocalFile(file.blob);
  const audio = ['-map', '0:a:0', '-vn', '-ac', '1', '-ar', '16000'];
  await app.ffmpeg.convert(source.path, {
    args: [...audio, '-c:a', 'pcm_s16le', '-f', 's16le'],
    outputFile: to,
    timeoutMs: decodingMs,
    bytesMax: limits.mediaSecondsMax * bytesPerSecond,
    signal,
  });
}

const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

/**
 * Converts the times of a window to those of the recording. Speaker labels are local to a window:
 * the same label in two windows may mean two people, so later labels get the number of the window.
 */
function toRecordingTime(
  { start, end, speaker, ...rest }: SpokenSegment,
  { begin, windows }: { readonly begin: number; readonly windows: number },
  { speakers }: TranscriptionOptions,
): SpokenSegment {
  const name = windows === 1 || speaker === null ? speaker : `${speaker} (${windows})`;
  return {
    ...rest,
    start: roundToMilliseconds(start + begin),
    end: roundToMilliseconds(end + begin),
    speaker: speakers === false ? null : name,
  };
}
