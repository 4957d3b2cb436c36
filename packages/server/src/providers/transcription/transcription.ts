/** What a caller may ask for besides the words; each provider tells which of it it passes on. */
export interface TranscriptionOptions {
  /** ISO code of the language that is spoken. */
  readonly language?: string;
  /** Names and terms that may occur. */
  readonly prompt?: string;
  /** Whether it is to be told who speaks; without it as the provider does by itself. */
  readonly speakers?: boolean;
}

type TranscriptionHint = 'language' | 'prompt';

/** Something said, in seconds from the begin of what was given. */
export interface SpokenSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** As the provider names who speaks. */
  readonly speaker: string | null;
  /** 0..1; null where the provider tells none. */
  readonly confidence: number | null;
}

export interface Transcription {
  /** ISO code; null where nobody tells. */
  readonly language: string | null;
  readonly languageConfidence: number | null;
  /** In the order of their begins, each within what was given. */
  readonly segments: readonly SpokenSegment[];
}

/** Turns speech into words, a stretch at a time. */
export interface Transcriber {
  readonly provider: 'openai' | 'command' | 'transformers';
  readonly model: string;
  readonly supportedHints: ReadonlySet<TranscriptionHint>;
  /** Longer stretches are cut where nobody speaks. */
  readonly secondsMax: number;
  /**
   * @param samples 16 kHz, one channel
   * @throws TranscriptionFailed when no usable answer came
   * @throws the signal's reason when it is aborted
   */
  transcribe(
    samples: Int16Array<ArrayBuffer>,
    options: TranscriptionOptions,
    signal: AbortSignal,
  ): Promise<Transcription>;
}

interface TranscriptionFailure {
  readonly unavailable?: boolean;
  readonly isPermanent?: boolean;
  readonly rejectedField?: string | null;
}

/** No usable answer. The message is for the log: it holds no words and no key. */
export class TranscriptionFailed extends Error {
  override readonly name = 'TranscriptionFailed';
  /** No other recording would have fared better. */
  readonly unavailable: boolean;
  /** Nor would a later try: somebody has to mend it first, and the message says how. */
  readonly isPermanent: boolean;
  /** The field of what was sent that an endpoint refused. */
  readonly rejectedField: string | null;

  constructor(message: string, options: ErrorOptions & TranscriptionFailure = {}) {
    super(message, options);
    this.unavailable = options.unavailable ?? false;
    this.isPermanent = options.isPermanent ?? false;
    this.rejectedField = options.rejectedField ?? null;
  }
}
