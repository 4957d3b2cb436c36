/** One picture of a video. */
export interface VideoFrame {
  /** Bytes of a JPEG file. */
  readonly jpeg: Uint8Array;
  /** Where it stands, in seconds. */
  readonly time: number;
}

export interface FrameDescription {
  readonly description: string;
  readonly labels: readonly string[];
}

/** Tells what pictures show. */
export interface VisionModel {
  readonly model: string;
  /**
   * @returns null where there is nothing to be told
   * @throws VisionFailed when no usable answer came
   * @throws the signal's reason when it is aborted
   */
  describe(picture: VideoFrame, signal: AbortSignal): Promise<FrameDescription | null>;
}

export const descriptionCharactersMax = 4_000;
export const labelsMax = 20;
export const labelCharactersMax = 100;

/** No usable answer. The message is for the log: it holds nothing of the picture and no key. */
export class VisionFailed extends Error {
  override readonly name = 'VisionFailed';
  /** No other picture would have fared better. */
  readonly unavailable: boolean;
  /** Nor would a later try: somebody has to mend it first, and the message says how. */
  readonly isPermanent: boolean;

  constructor(
    message: string,
    options: ErrorOptions & { unavailable?: boolean; isPermanent?: boolean } = {},
  ) {
    super(message, options);
    this.unavailable = options.unavailable ?? false;
    this.isPermanent = options.isPermanent ?? false;
  }
}
