/** One frame of a video. */
export interface VideoFrame {
  /** The bytes of a JPEG file. */
  readonly jpeg: Uint8Array;
  /** Position in seconds. */
  readonly time: number;
}

export interface FrameDescription {
  readonly description: string;
  readonly labels: readonly string[];
}

/** Describes pictures. */
export interface VisionModel {
  readonly model: string;
  /**
   * @returns null if there is nothing to describe
   * @throws VisionFailed if there is no usable response
   * @throws the signal's reason when it is aborted
   */
  describe(picture: VideoFrame, signal: AbortSignal): Promise<FrameDescription | null>;
}

export const descriptionCharactersMax = 4_000;
export const labelsMax = 20;
export const labelCharactersMax = 100;

/** No usable response. The message is for the log: it contains neither the picture nor the key. */
export class VisionFailed extends Error {
  override readonly name = 'VisionFailed';
  /** Any other picture would have failed, too. */
  readonly unavailable: boolean;
  /** A retry would fail as well: an operator must fix the cause, which the message names. */
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
