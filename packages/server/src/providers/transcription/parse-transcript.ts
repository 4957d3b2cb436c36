import { toOneLine } from '@mneme/text';
import { z } from 'zod';
import { toLanguageCode } from './language-code.ts';
import type { SpokenSegment, Transcription } from './transcription.ts';

/** Output of a program or an endpoint; `segments` is null if it has no timestamps. */
export interface RawTranscript extends Omit<Transcription, 'segments'> {
  readonly text: string;
  readonly segments: readonly SpokenSegment[] | null;
}

const segmentsMax = 20_000;
const textCharactersMax = 4_000;
const allCharactersMax = 100_000;
const speakerCharactersMax = 100;
/** Whisper's own rule for silence: no-speech probability and low average log probability. */
const silenceMin = 0.6;
const likelihoodMin = -1;

const number = z.number().nullish().catch(null);
const segmentShape = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  speaker: z.union([z.string(), z.number()]).nullish().catch(null),
  confidence: number,
  avg_logprob: number,
  no_speech_prob: number,
});
const verboseShape = z.object({
  text: z.string().optional(),
  language: z.string().nullish().catch(null),
  language_probability: number,
  segments: z.array(segmentShape).optional(),
});
/** The format of whisper.cpp: times in milliseconds, a probability for each token. */
const offsetsShape = z.object({
  result: z.object({ language: z.string().nullish() }).optional(),
  transcription: z.array(
    z.object({
      offsets: z.object({ from: z.number(), to: z.number() }),
      text: z.string(),
      tokens: z.array(z.object({ p: z.number().optional() })).optional(),
    }),
  ),
});

/**
 * Parses a response: JSON in OpenAI's `verbose_json`, a list of such segments or whisper.cpp's
 * format; otherwise lines that start with times, subtitles, or plain text.
 * @returns null if it has none of these formats
 */
export function parseTranscript(output: string, seconds: number): RawTranscript | null {
  const value = parseJsonObject(output);
  if (value === undefined) return readLines(output, seconds);
  const verbose = verboseShape.safeParse(Array.isArray(value) ? { segments: value } : value);
  const offsets = offsetsShape.safeParse(value);
  if (offsets.success) return readOffsets(offsets.data, seconds);
  if (!verbose.success) return null;
  const { text, language, language_probability, segments } = verbose.data;
  if (text === undefined && segments === undefined) return null;
  const hasTimes = segments && (segments.length > 0 || !text?.trim());
  return {
    text: plain(text ?? segments?.map((one) => one.text).join(' ') ?? ''),
    language: toLanguageCode(language ?? null),
    languageConfidence: ratio(language_probability),
    // Text without segments: the times are unknown.
    segments: hasTimes ? clampSegments(segments.filter(isSpoken).map(toSegment), seconds) : null,
  };
}

function readOffsets(
  { result, transcription }: z.output<typeof offsetsShape>,
  seconds: number,
): RawTranscript {
  const segments = transcription.map(({ offsets, text, tokens }): SpokenSegment => {
    const probabilities = tokens?.flatMap(({ p }) => p ?? []) ?? [];
    const sum = probabilities.reduce((all, one) => all + one, 0);
    return {
      start: offsets.from / 1_000,
      end: offsets.to / 1_000,
      text,
      speaker: null,
      confidence: probabilities.length > 0 ? ratio(sum / probabilities.length) : null,
    };
  });
  return {
    text: plain(segments.map(({ text }) => text).join(' ')),
    language: toLanguageCode(result?.language ?? null),
    languageConfidence: null,
    segments: clampSegments(segments, seconds),
  };
}

const time = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`;
const timesPattern = new RegExp(String.raw`^\s*\[?${time}\s*-->\s*${time}\]?\s*(.*)$`);

/**
 * `[00:00:01.000 --> 00:00:02.500] words`, or the words on the following lines, as in subtitles.
 */
function readLines(output: string, seconds: number): RawTranscript {
  const segments: { start: number; end: number; lines: string[] }[] = [];
  let open = false;
  for (const line of output.split(/\r?\n/)) {
    const match = timesPattern.exec(line);
    if (match) {
      const [start, end] = [secondsOf(match.slice(1, 5)), secondsOf(match.slice(5, 9))];
      segments.push({ start, end, lines: [match[9] ?? ''] });
      open = true;
    } else if (line.trim() === '') open = false;
    else if (open) segments.at(-1)?.lines.push(line);
  }
  const spoken = segments.map(({ start, end, lines }) => ({
    start,
    end,
    text: lines.join(' '),
    speaker: null,
    confidence: null,
  }));
  return {
    text: plain(spoken.length > 0 ? spoken.map(({ text }) => text).join(' ') : output),
    language: null,
    languageConfidence: null,
    segments: spoken.length > 0 ? clampSegments(spoken, seconds) : null,
  };
}

const secondsOf = ([hours, minutes, seconds, parts]: readonly (string | undefined)[]): number =>
  Number(hours ?? 0) * 3_600 + Number(minutes) * 60 + Number(`${seconds}.${parts}`);

const isSpoken = ({ no_speech_prob, avg_logprob }: z.output<typeof segmentShape>): boolean =>
  (no_speech_prob ?? 0) <= silenceMin || (avg_logprob ?? 0) >= likelihoodMin;

function toSegment(segment: z.output<typeof segmentShape>): SpokenSegment {
  const { start, end, text, speaker, confidence, avg_logprob } = segment;
  const likelihood = typeof avg_logprob === 'number' ? Math.exp(avg_logprob) : null;
  const name = toOneLine(String(speaker ?? ''), speakerCharactersMax);
  return {
    start,
    end,
    text,
    speaker: name === '' ? null : name,
    confidence: ratio(confidence ?? likelihood),
  };
}

/** In order, not empty, and within the recording: a model may invent times. */
function clampSegments(segments: readonly SpokenSegment[], seconds: number): SpokenSegment[] {
  const clamp = (value: number): number => Math.min(seconds, Math.max(0, value));
  return segments
    .slice(0, segmentsMax)
    .map((segment) => ({
      ...segment,
      start: clamp(segment.start),
      end: clamp(Math.max(segment.start, segment.end)),
      text: toOneLine(segment.text, allCharactersMax),
    }))
    .flatMap(splitLongSegment)
    .filter(({ text, start }) => text !== '' && start < seconds)
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Splits a long segment between words; each part has its share of the time. */
function splitLongSegment(segment: SpokenSegment): SpokenSegment[] {
  const { start, end, text } = segment;
  if (text.length <= textCharactersMax) return [segment];
  const head = text.slice(0, textCharactersMax);
  const space = head.lastIndexOf(' ');
  const first = space > 0 ? head.slice(0, space) : head.replace(/[\uD800-\uDBFF]$/, '');
  const middle = start + ((end - start) * first.length) / text.length;
  const rest = { ...segment, start: middle, text: text.slice(first.length).trim() };
  return [{ ...segment, end: middle, text: first }, ...splitLongSegment(rest)];
}

const plain = (text: string): string => toOneLine(text, allCharactersMax);

const ratio = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : null;

function parseJsonObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // A single number or word is text that happens to be valid JSON.
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
