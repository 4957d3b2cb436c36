import type { Environment, SettingName } from './settings.ts';

/** Uploads, blob storage, transcription and vision. */
export interface MediaConfig {
  readonly uploadBytesMax: number;
  readonly importBytesMax: number;
  /** Null: found in the search path. */
  readonly ffmpeg: string | null;
  readonly ffprobe: string | null;
  /** Maximum number of concurrent FFmpeg processes; null: depends on the machine. */
  readonly ffmpegCallsMax: number | null;
  /** The PATH, for programs without a setting. */
  readonly searchPath: string;
  /** Null: blobs are stored in the data folder. */
  readonly s3: S3Config | null;
  readonly transcription: {
    readonly openai: ModelConfig | null;
    /** A program and its arguments, with placeholders for the file and the hints. */
    readonly command: string | null;
    /** Limits of one run; the memory limit also applies to the Whisper process. */
    readonly commandLimits: { readonly cpuSeconds: number; readonly memoryBytes: number };
    readonly transformers: { readonly model: string; readonly dtype: string | null } | null;
    readonly timeoutSeconds: number;
  };
  readonly vision: {
    readonly openai: ModelConfig | null;
    readonly local: boolean;
    readonly timeoutMs: number;
    readonly framesMax: number;
  };
}

export interface S3Config {
  readonly bucket: string;
  readonly endpoint: string | null;
  readonly region: string;
  readonly credentials: { readonly keyId: string; readonly secret: string } | null;
  readonly prefix: string;
  readonly pathStyle: boolean;
}

interface ModelConfig {
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | null;
}

type ReadSetting = (name: SettingName) => string | null;

export function readMediaConfig(
  value: ReadSetting,
  env: Environment,
  issues: string[],
): MediaConfig {
  const ffmpegCallsMax = value('MNEME_FFMPEG_CALLS_MAX');
  const whisper = value('MNEME_TRANSCRIPTION_WHISPER');
  return {
    uploadBytesMax: Number(value('MNEME_MAX_UPLOAD_BYTES')),
    importBytesMax: Number(value('MNEME_MAX_IMPORT_BYTES')),
    ffmpeg: value('MNEME_FFMPEG'),
    ffprobe: value('MNEME_FFPROBE'),
    ffmpegCallsMax: ffmpegCallsMax === null ? null : Number(ffmpegCallsMax),
    searchPath: env.PATH ?? '',
    s3: s3Config(value, issues),
    transcription: {
      openai: modelConfig('MNEME_TRANSCRIPTION', value, issues),
      command: value('MNEME_TRANSCRIPTION_COMMAND'),
      commandLimits: {
        cpuSeconds: Number(value('MNEME_TRANSCRIPTION_CPU_SECONDS')),
        memoryBytes: Number(value('MNEME_TRANSCRIPTION_MEMORY_MB')) * 2 ** 20,
      },
      transformers:
        whisper === null ? null : { model: whisper, dtype: value('MNEME_TRANSCRIPTION_DTYPE') },
      timeoutSeconds: Number(value('MNEME_TRANSCRIPTION_TIMEOUT_SECONDS')),
    },
    vision: {
      openai: modelConfig('MNEME_VISION', value, issues),
      local: value('MNEME_VISION_LOCAL') === 'true',
      timeoutMs: Number(value('MNEME_VISION_TIMEOUT_MS')),
      framesMax: Number(value('MNEME_VISION_FRAMES_MAX')),
    },
  };
}

/** The endpoint, region and credentials of the MNEME_S3_* settings. */
type S3Access = Omit<S3Config, 'bucket' | 'prefix'>;

/** The key id requires the secret and vice versa. */
export function readS3Access(value: ReadSetting, issues: string[]): S3Access {
  const keyId = value('MNEME_S3_ACCESS_KEY_ID');
  const secret = value('MNEME_S3_SECRET_ACCESS_KEY');
  if ((keyId === null) !== (secret === null)) {
    const [missing, present] = ['MNEME_S3_SECRET_ACCESS_KEY', 'MNEME_S3_ACCESS_KEY_ID'];
    issues.push(
      secret === null
        ? `${missing} is required with ${present}`
        : `${present} is required with ${missing}`,
    );
  }
  return {
    endpoint: value('MNEME_S3_ENDPOINT'),
    region: value('MNEME_S3_REGION') ?? '',
    credentials: keyId === null || secret === null ? null : { keyId, secret },
    pathStyle: value('MNEME_S3_PATH_STYLE') === 'true',
  };
}

/** An endpoint requires a bucket. */
function s3Config(value: ReadSetting, issues: string[]): S3Config | null {
  const access = readS3Access(value, issues);
  const bucket = value('MNEME_S3_BUCKET');
  if (bucket !== null) return { ...access, bucket, prefix: value('MNEME_S3_PREFIX') ?? '' };
  if (access.endpoint !== null && value('MNEME_BACKUP_BUCKET') === null) {
    issues.push('MNEME_S3_BUCKET is required with MNEME_S3_ENDPOINT');
  }
  return null;
}

/** The URL requires a model name and vice versa. */
function modelConfig(
  area: 'MNEME_TRANSCRIPTION' | 'MNEME_VISION',
  value: ReadSetting,
  issues: string[],
): ModelConfig | null {
  const url = value(`${area}_URL`);
  const model = value(`${area}_MODEL`);
  if (url !== null && model === null) issues.push(`${area}_MODEL is required with ${area}_URL`);
  if (url === null && model !== null) issues.push(`${area}_URL is required with ${area}_MODEL`);
  if (url === null || model === null) return null;
  return { url, model, apiKey: value(`${area}_API_KEY`) };
}
