import { type LoadTransformers, loadPipeline, type OnnxSettings } from '../transformers/library.ts';
import { readTold } from './answers.ts';
import { secondsOf } from './pcm.ts';
import { type Transcriber, TranscriptionFailed } from './transcription.ts';

export interface TransformersTranscriptionSettings extends OnnxSettings {
  readonly provider: 'transformers';
}

interface Heard {
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
  ): Promise<Heard>;
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
  of: 'transcription',
  task: 'automatic-speech-recognition',
  Failed: TranscriptionFailed,
} as const;

/** Whisper hears 30 s at once; what it hears of the edges is taken from the neighbour. */
const hears = { chunk_length_s: 30, stride_length_s: 5 };

/**
 * A Whisper model in this process, loaded with the first recording: from a folder, or from the
 * hub once. What it is computing cannot be broken off.
 */
export function createTransformersTranscriber(
  settings: TransformersTranscriptionSettings,
  load?: LoadTransformers,
): Transcriber {
  let loading: Promise<Recognition> | undefined;
  const loaded = (): Promise<Recognition> => {
    loading ??= loadPipeline<Recognition>(purpose, settings, load).then(({ run }) => run);
    // One that failed is tried again: the network, or the package, may be there by then.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  let takes: Transcriber['takes'] = new Set(['language']);

  /** As the model takes it: one of English alone takes none, and refuses any. */
  function hintOf({ model }: Recognition, language: string | undefined): { language?: string } {
    const { is_multilingual = true, lang_to_id: known } = model?.generation_config ?? {};
    takes = new Set(is_multilingual ? ['language'] : []);
    if (language === undefined || !is_multilingual) return {};
    if (known && known[`<|${language}|>`] === undefined) {
      throw new TranscriptionFailed(`${settings.model} does not know the language ${language}`);
    }
    return { language };
  }

  return {
    provider: 'transformers',
    model: settings.model,
    get takes() {
      return takes;
    },
    secondsMax: 300,
    async transcribe(samples, { language }, signal) {
      const recognise = await loaded();
      signal.throwIfAborted();
      const hint = hintOf(recognise, language);
      const seconds = secondsOf(samples.length);
      const floats = Float32Array.from(samples, (sample) => sample / 32_768);
      const asked = { return_timestamps: true, ...hears, ...hint } as const;
      const heard = await recognise(floats, asked).catch((cause: unknown) => {
        throw new TranscriptionFailed(`${settings.model} failed`, { cause });
      });
      const segments = heard.chunks?.map(({ timestamp: [start, end], text }, i, all) => ({
        start,
        // Not told where somebody still speaks at the end of what is heard at once.
        end: end ?? all[i + 1]?.timestamp[0] ?? seconds,
        text,
      }));
      const told = readTold(JSON.stringify({ text: heard.text, segments }), seconds);
      if (!told?.segments) throw new TranscriptionFailed(`${settings.model} told no times`);
      return { language: hint.language ?? null, languageConfidence: null, segments: told.segments };
    },
  };
}
