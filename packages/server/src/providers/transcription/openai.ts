import { type EndpointDeps, type EndpointSettings, OpenAiEndpoint } from '../openai/endpoint.ts';
import { parseTranscript, type RawTranscript } from './parse-transcript.ts';
import { samplesToSeconds, toWav } from './pcm.ts';
import { detectUtterances, mergeRanges, type SampleRange } from './silence.ts';
import { transcribeRanges } from './transcribe-ranges.ts';
import {
  type Transcriber,
  type Transcription,
  TranscriptionFailed,
  type TranscriptionOptions,
} from './transcription.ts';

export interface OpenAiTranscriptionSettings extends EndpointSettings {
  readonly provider: 'openai';
  readonly model: string;
}

const kind = {
  name: 'transcription endpoint',
  settings: 'MNEME_TRANSCRIPTION',
  path: 'audio/transcriptions',
  responseBytesMax: 2 ** 24,
  ErrorClass: TranscriptionFailed,
};

/** 16 bits at 16 kHz: below the usual limit of 25 MB. */
const secondsMax = 780;
/** Maximum length of a request if the endpoint returns no timestamps. */
const rangeSecondsMax = 30;

/** From the most detailed format to the one that every model supports. */
const formats = ['diarized_json', 'verbose_json', 'json'] as const;
type Format = (typeof formats)[number];

/**
 * Transcribes by an endpoint with OpenAI's `POST /audio/transcriptions`. Requests the format with
 * segments, or with speakers if wanted; if the endpoint rejects a format, the next one is
 * requested.
 */
export function createOpenAiTranscriber(
  settings: OpenAiTranscriptionSettings,
  deps: EndpointDeps = {},
): Transcriber {
  const endpoint = new OpenAiEndpoint(settings, kind, deps);
  const { model } = settings;
  const hasSpeakers = model.includes('diarize');
  const rejectedFormats = new Set<Format>();
  let hasTimestamps = true;

  // Models with speaker labels reject a prompt.
  const supportedHints: Transcriber['supportedHints'] = new Set(
    hasSpeakers ? (['language'] as const) : (['language', 'prompt'] as const),
  );

  async function transcribeOnce(
    samples: Int16Array<ArrayBuffer>,
    options: TranscriptionOptions,
    signal: AbortSignal,
  ): Promise<RawTranscript> {
    const wantsSpeakers = hasSpeakers || options.speakers === true;
    const candidateFormats = formats.filter((one) => wantsSpeakers || one !== 'diarized_json');
    for (const format of candidateFormats) {
      if (rejectedFormats.has(format)) continue;
      try {
        const form = buildForm(samples, { options, supportedHints, model, format });
        const transcript = parseTranscript(
          await endpoint.request(form, signal),
          samplesToSeconds(samples.length),
        );
        if (transcript) return transcript;
        throw endpoint.createError('the response is not a transcript');
      } catch (error) {
        const isLast = format === candidateFormats.at(-1);
        const { rejectedField } =
          error instanceof TranscriptionFailed ? error : { rejectedField: null };
        if (rejectedField !== 'response_format' || isLast) throw error;
        rejectedFormats.add(format);
      }
    }
    throw endpoint.createError('it rejects every response format');
  }

  async function transcribe(
    samples: Int16Array<ArrayBuffer>,
    options: TranscriptionOptions,
    signal: AbortSignal,
  ): Promise<Transcription> {
    const transcript = hasTimestamps ? await transcribeOnce(samples, options, signal) : null;
    if (transcript) {
      const { text, segments, ...rest } = transcript;
      if (segments || text === '') return { ...rest, segments: segments ?? [] };
    }
    const ranges = selectRanges(samples);
    // A single range is transcribed already.
    if (transcript && ranges.length === 1)
      return transcribeRanges(samples, ranges, async () => transcript);
    hasTimestamps = false;
    return transcribeRanges(samples, ranges, (own) => transcribeOnce(own, options, signal));
  }

  return {
    provider: 'openai',
    model,
    supportedHints,
    secondsMax,
    transcribe,
  };
}

/** The ranges with speech, in parts of half a minute; everything if none is detected. */
function selectRanges(samples: Int16Array<ArrayBuffer>): SampleRange[] {
  const ranges = mergeRanges(detectUtterances(samples, rangeSecondsMax), rangeSecondsMax);
  return ranges.length > 0 ? ranges : [{ from: 0, until: samples.length }];
}

interface FormOptions {
  readonly options: TranscriptionOptions;
  readonly supportedHints: Transcriber['supportedHints'];
  readonly model: string;
  readonly format: Format;
}

function buildForm(
  samples: Int16Array<ArrayBuffer>,
  { options: { language, prompt }, supportedHints, model, format }: FormOptions,
): FormData {
  const form = new FormData();
  form.set('file', toWav(samples), 'audio.wav');
  form.set('model', model);
  form.set('response_format', format);
  form.set('temperature', '0');
  if (format === 'verbose_json') form.set('timestamp_granularities[]', 'segment');
  // Such models accept at most half a minute unless they may split it themselves.
  if (format === 'diarized_json') form.set('chunking_strategy', 'auto');
  if (language !== undefined) form.set('language', language);
  if (prompt !== undefined && supportedHints.has('prompt')) form.set('prompt', prompt);
  return form;
}
