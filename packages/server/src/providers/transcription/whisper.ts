import { type LoadTransformers, loadPipeline, type OnnxSettings } from '../transformers/library.ts';
import { parseTranscript } from './parse-transcript.ts';
import { toSeconds } from './pcm.ts';
import { type Transcriber, type Transcription, TranscriptionFailed } from './transcription.ts';

export interface WhisperRequest {
  /** 16 kHz, one channel. */
  readonly samples: Int16Array<ArrayBuffer>;
  readonly language: string | undefined;
}

export interface WhisperResult {
  readonly transcription: Transcription;
  /** As the model's own files tell. */
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
  /** What the model can do, as its own files tell. */
  readonly model?: {
    readonly generation_config?: {
      readonly is_multilingual?: boolean;
      /** By `<|en|>`. */
      readonly lang_to_id?: Readonly<Record<string, number>>;
    };
  };
}

const purpose = {
  provider: 'transcription',
  task: 'automatic-speech-recognition',
  ErrorClass: TranscriptionFailed,
} as const;

/** Whisper hears 30 s at once; what it hears of the edges is taken from the neighbour. */
const chunking = { chunk_length_s: 30, stride_length_s: 5 };

/** Loads a Whisper model, from a folder, or from the hub once; gives what listens by it. */
export async function loadWhisper(
  settings: OnnxSettings,
  load?: LoadTransformers,
): Promise<(listening: WhisperRequest) => Promise<WhisperResult>> {
  const { run: recognise } = await loadPipeline<Recognition>(purpose, settings, load);
  const config = recognise.model?.generation_config ?? {};
  const { is_multilingual: isMultilingual = true, lang_to_id: known } = config;

  /** As the model takes it: one of English alone takes none, and refuses any. */
  function hintOf(language: string | undefined): { language?: string } {
    if (language === undefined || !isMultilingual) return {};
    if (known && known[`<|${language}|>`] === undefined) {
      throw new TranscriptionFailed(`${settings.model} does not know the language ${language}`);
    }
    return { language };
  }

  return async ({ samples, language }) => {
    const hint = hintOf(language);
    const seconds = toSeconds(samples.length);
    const floats = Float32Array.from(samples, (sample) => sample / 32_768);
    const asked = { return_timestamps: true, ...chunking, ...hint } as const;
    const heard = await recognise(floats, asked).catch((cause: unknown) => {
      throw new TranscriptionFailed(`${settings.model} failed`, { cause });
    });
    const all = heard.chunks?.map(({ timestamp: [start, end], text }, i, chunks) => ({
      start,
      // Not told where somebody still speaks at the end of what is heard at once.
      end: end ?? chunks[i + 1]?.timestamp[0] ?? seconds,
      text,
    }));
    const told = parseTranscript(JSON.stringify({ text: heard.text, segments: all }), seconds);
    if (!told?.segments) throw new TranscriptionFailed(`${settings.model} told no times`);
    const { segments } = told;
    return {
      transcription: { language: hint.language ?? null, languageConfidence: null, segments },
      supportedHints: new Set(isMultilingual ? (['language'] as const) : []),
    };
  };
}
