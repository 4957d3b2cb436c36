import { createReadStream } from 'node:fs';
import path from 'node:path';
import { limits } from '@mneme/contract';
import {
  isSilent,
  type SpokenSegment,
  toSeconds as samplesToSeconds,
  splitIntoWindows,
  type Transcriber,
  type TranscriptionOptions,
} from '../../../providers/transcription/index.ts';
import type { App } from '../../ctx.ts';
import { createScratchFolder } from '../scratch.ts';
import type { MediaFile } from '../store/files.ts';

/** How far a recording is listened to: stored, so that it goes on from there after a crash. */
export interface PartialTranscript {
  /** Samples that are done, and in how many windows. */
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
 * Listens to a recording, window by window, from where an earlier run has left off.
 * @param keep called after each window with all that was heard so far, and how much of it that is
 * @throws TranscriptionFailed, RunFailed where its sound cannot be read, the signal's reason
 */
export async function transcribeWindows(
  app: App,
  file: MediaFile,
  { transcriber, options }: { transcriber: Transcriber; options: TranscriptionOptions },
  from: PartialTranscript | null,
  {
    keep,
    signal,
  }: { keep(heard: PartialTranscript, share: number): Promise<void>; signal: AbortSignal },
): Promise<PartialTranscript & { readonly seconds: number }> {
  await using folder = await createScratchFolder(app);
  const sound = path.join(folder.path, 'sound.pcm');
  await decode(app, file, sound, signal);
  let heard = from ?? emptyTranscript;
  const stream = createReadStream(sound, { highWaterMark: 2 ** 20 });
  let samplesMax = heard.at;
  for await (const window of splitIntoWindows(stream, transcriber.secondsMax, heard.at)) {
    signal.throwIfAborted();
    const { firstSample, samples } = window;
    samplesMax = firstSample + samples.length;
    const told = isSilent(samples)
      ? { language: null, languageConfidence: null, segments: [] }
      : await transcriber.transcribe(samples, options, signal);
    const windows = heard.windows + 1;
    const place = { begin: samplesToSeconds(firstSample), windows };
    heard = {
      at: samplesMax,
      windows,
      language: heard.language ?? told.language,
      languageConfidence: heard.languageConfidence ?? told.languageConfidence,
      segments: [
        ...heard.segments,
        ...told.segments.map((segment) => toRecordingTime(segment, place, options)),
      ],
    };
    const seconds = file.duration ?? Number.POSITIVE_INFINITY;
    await keep(heard, Math.min(0.9, samplesToSeconds(samplesMax) / seconds));
  }
  return { ...heard, seconds: samplesToSeconds(samplesMax) };
}

/** The first track of sound, as speech models want it. */
async function decode(app: App, file: MediaFile, to: string, signal: AbortSignal): Promise<void> {
  await using source = await app.blobs.openLocalFile(file.blob);
  const sound = ['-map', '0:a:0', '-vn', '-ac', '1', '-ar', '16000'];
  await app.ffmpeg.convert(source.path, {
    args: [...sound, '-c:a', 'pcm_s16le', '-f', 's16le'],
    outputFile: to,
    timeoutMs: decodingMs,
    bytesMax: limits.mediaSecondsMax * bytesPerSecond,
    signal,
  });
}

const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

/**
 * A segment of a window as one of the recording. Who speaks is told anew by each window: that the
 * first voice of one is the first of another, nobody says.
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
