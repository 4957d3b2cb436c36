import { type LoadTransformers, loadPipeline, type OnnxSettings } from '../transformers/library.ts';
import { parseTranscript } from './parse-transcript.ts';
import { samplesToSeconds } from './pcm.ts';
import { type Transcriber, type Transcription, TranscriptionFailed } from './transcription.ts';

export interface WhisperRequest {
  /** 16 kHz, mono. */
  readonly samples: Int16Array<ArrayBuffer>;
  readonly language: string | undefined;
}

export interface WhisperResult {
  readonly transcription: Transcription;
  /** According to the model's own files. */
  readonly supportedHints: Transcriber['supportedHints'];
}

interface RecognitionOutput {
  readonly text: string;
  readonly chunks?: readonly {
    readonly timestamp: readonly [start: number, end: number | null];
    readonly text: string;
  }[];
}

interface Recognition {
  (
    samples: Float32Array,
    options: {
      return_timestamps: true;
      chunk_length_s: number;
      stride_length_s: number;
      language?: string;
    },
  ): Promise<RecognitionOutput>;
  /** Capabilities from the model's own files. */
  readonly model?: {
    readonly generation_config?: {
      readonly is_multilingual?: boolean;
      /** Keys such as `<|en|>`. */
      readonly lang_to_id?: Readonly<Record<string, number>>;
    };
  };
}

const purpose = {
  provider: 'transcription',
  task: 'automatic-speech-recognition',
  ErrorClass: TranscriptionFailed,
} as const;

/** Whisper processes 30 s at once; the text at the edges comes from the overlapping neighbor. */
const chunking = { chunk_length_s: 30, stride_length_s: 5 };

/**
 * Loads a Whisper model from a folder, or once from the hub, and returns its transcribe function.
 */
export async function loadWhisper(
  settings: OnnxSettings,
  load?: LoadTransformers,
): Promise<(listening: WhisperRequest) => Promise<WhisperResult>> {
  const { run: recognize } = await loadPipeline<Recognition>(purpose, settings, load);
  const config = recognize.model?.generation_config ?? {};
  const { is_multilingual: isMultilingual = true, lang_to_id: languageIds } = config;

  /** The hint in the model's form: an English-only model accepts none. */
  function hintOf(language: string | undefined): { language?: string } {
    if (language === undefined || !isMultilingual) return {};
    if (languageIds && languageIds[`<|${language}|>`] === undefined) {
      throw new TranscriptionFailed(`${settings.model} does not know the language ${language}`);
    }
    return { language };
  }

  return async ({ samples, language }) => {
    const hint = hintOf(language);
    const seconds = samplesToSeconds(samples.length);
    const floats = Float32Array.from(samples, (sample) => sample / 32_768);
    const options = { return_timestamps: true, ...chunking, ...hint } as const;
    const output = await recognize(floats, options).catch((cause: unknown) => {
      throw new TranscriptionFailed(`${settings.model} failed`, { cause });
    });
    const all = output.chunks?.map(({ timestamp: [start, end], text }, i, chunks) => ({
      start,
      // Missing if speech continues at the end of the window.
      end: end ?? chunks[i + 1]?.timestamp[0] ?? seconds,
      text,
    }));
    const transcript = parseTranscript(
      JSON.stringify({ text: output.text, segments: all }),
      seconds,
    );
    if (!transcript?.segments)
      throw new TranscriptionFailed(`${settings.model} returned no timestamps`);
    const { segments } = transcript;
    return {
      transcription: { language: hint.language ?? null, languageConfidence: null, segments },
      supportedHints: new Set(isMultilingual ? (['language'] as const) : []),
    };
  };
}
