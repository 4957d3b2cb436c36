import { type EndpointDeps, type EndpointSettings, OpenAiEndpoint } from '../openai/endpoint.ts';
import { parseTranscript, type RawTranscript } from './parse-transcript.ts';
import { toSeconds, toWav } from './pcm.ts';
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

/** 16 bits at 16 kHz: below the 25 MB that such endpoints take. */
const secondsMax = 780;
/** What is sent at once where no times are told. */
const rangeSecondsMax = 30;

/** From the one that tells most to the one that every model knows. */
const formats = ['diarized_json', 'verbose_json', 'json'] as const;
type Format = (typeof formats)[number];

/**
 * Any endpoint with OpenAI's `POST /audio/transcriptions`. Asked for the form with segments, or
 * with speakers where they are wanted; one that refuses a form is asked for the next.
 */
export function createOpenAiTranscriber(
  settings: OpenAiTranscriptionSettings,
  surroundings: EndpointDeps = {},
): Transcriber {
  const endpoint = new OpenAiEndpoint(settings, kind, surroundings);
  const { model } = settings;
  const tellsSpeakers = model.includes('diarize');
  const refused = new Set<Format>();
  let tellsTimes = true;

  // Models that tell speakers refuse a prompt.
  const takes: Transcriber['supportedHints'] = new Set(
    tellsSpeakers ? (['language'] as const) : (['language', 'prompt'] as const),
  );

  async function hear(
    samples: Int16Array<ArrayBuffer>,
    options: TranscriptionOptions,
    signal: AbortSignal,
  ): Promise<RawTranscript> {
    const wantsSpeakers = tellsSpeakers || options.speakers === true;
    const offered = formats.filter((one) => wantsSpeakers || one !== 'diarized_json');
    for (const format of offered) {
      if (refused.has(format)) continue;
      try {
        const form = buildForm(samples, { options, takes, model, format });
        const told = parseTranscript(
          await endpoint.request(form, signal),
          toSeconds(samples.length),
        );
        if (told) return told;
        throw endpoint.createError('an answer that is no transcript');
      } catch (error) {
        const isLast = format === offered.at(-1);
        const { rejectedField } =
          error instanceof TranscriptionFailed ? error : { rejectedField: null };
        if (rejectedField !== 'response_format' || isLast) throw error;
        refused.add(format);
      }
    }
    throw endpoint.createError('it refuses every form of answer');
  }

  async function transcribe(
    samples: Int16Array<ArrayBuffer>,
    options: TranscriptionOptions,
    signal: AbortSignal,
  ): Promise<Transcription> {
    const told = tellsTimes ? await hear(samples, options, signal) : null;
    if (told) {
      const { text, segments, ...rest } = told;
      if (segments || text === '') return { ...rest, segments: segments ?? [] };
    }
    const stretches = selectRanges(samples);
    // Of one stretch the words are there already.
    if (told && stretches.length === 1)
      return transcribeRanges(samples, stretches, async () => told);
    tellsTimes = false;
    return transcribeRanges(samples, stretches, (own) => hear(own, options, signal));
  }

  return {
    provider: 'openai',
    model,
    supportedHints: takes,
    secondsMax,
    transcribe,
  };
}

/** Where somebody speaks, in parts of half a minute; all of it where nobody seems to. */
function selectRanges(samples: Int16Array<ArrayBuffer>): SampleRange[] {
  const stretches = mergeRanges(detectUtterances(samples, rangeSecondsMax), rangeSecondsMax);
  return stretches.length > 0 ? stretches : [{ from: 0, until: samples.length }];
}

interface FormOptions {
  readonly options: TranscriptionOptions;
  readonly takes: Transcriber['supportedHints'];
  readonly model: string;
  readonly format: Format;
}

function buildForm(
  samples: Int16Array<ArrayBuffer>,
  { options: { language, prompt }, takes, model, format }: FormOptions,
): FormData {
  const form = new FormData();
  form.set('file', toWav(samples), 'audio.wav');
  form.set('model', model);
  form.set('response_format', format);
  form.set('temperature', '0');
  if (format === 'verbose_json') form.set('timestamp_granularities[]', 'segment');
  // Such models take no more than half a minute unless they may cut it themselves.
  if (format === 'diarized_json') form.set('chunking_strategy', 'auto');
  if (language !== undefined) form.set('language', language);
  if (prompt !== undefined && takes.has('prompt')) form.set('prompt', prompt);
  return form;
}
