/** Optional hints and requests; each provider declares which hints it supports. */
export interface TranscriptionOptions {
  /** ISO code of the spoken language. */
  readonly language?: string;
  /** Names and terms that may occur. */
  readonly prompt?: string;
  /** Whether to identify speakers; default: the provider's own behavior. */
  readonly speakers?: boolean;
}

type TranscriptionHint = 'language' | 'prompt';

/** A spoken segment, in seconds from the start of the samples. */
export interface SpokenSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Speaker label of the provider. */
  readonly speaker: string | null;
  /** 0..1; null if the provider returns none. */
  readonly confidence: number | null;
}

export interface Transcription {
  /** ISO code; null if unknown. */
  readonly language: string | null;
  readonly languageConfidence: number | null;
  /** Ordered by start, within the samples. */
  readonly segments: readonly SpokenSegment[];
}

/** Transcribes speech, one window at a time. */
export interface Transcriber {
  readonly provider: 'openai' | 'command' | 'transformers';
  readonly model: string;
  readonly supportedHints: ReadonlySet<TranscriptionHint>;
  /** Longer recordings are split at silence. */
  readonly secondsMax: number;
  /**
   * @param samples 16 kHz, mono
   * @throws TranscriptionFailed if there is no usable response
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

/** No usable response. The message is for the log: it contains neither words nor the key. */
export class TranscriptionFailed extends Error {
  override readonly name = 'TranscriptionFailed';
  /** Any other recording would have failed, too. */
  readonly unavailable: boolean;
  /** A retry would fail as well: an operator must fix the cause, which the message names. */
  readonly isPermanent: boolean;
  /** The request field that the endpoint rejected. */
  readonly rejectedField: string | null;

  constructor(message: string, options: ErrorOptions & TranscriptionFailure = {}) {
    super(message, options);
    this.unavailable = options.unavailable ?? false;
    this.isPermanent = options.isPermanent ?? false;
    this.rejectedField = options.rejectedField ?? null;
  }
}
