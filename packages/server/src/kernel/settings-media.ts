import { anyText, integer, oneOf, type Setting, url } from './setting.ts';

/** Settings of uploads, of where bytes are kept, and of what hears and sees. */
export const mediaSettings = {
  MNEME_MAX_UPLOAD_BYTES: {
    description: 'Bytes of one uploaded file',
    defaultValue: String(2 * 1024 ** 3),
    check: integer(1, 2 ** 45),
  },
  MNEME_FFMPEG: {
    description: 'The ffmpeg program; unset: of the PATH, else of @ffmpeg-installer/ffmpeg',
    check: anyText,
  },
  MNEME_FFPROBE: {
    description: 'The ffprobe program; unset: of the PATH, else of @ffprobe-installer/ffprobe',
    check: anyText,
  },
  MNEME_FFMPEG_CALLS_MAX: {
    description: 'FFmpeg programs at the same time; unset: as many as processors, at least 2',
    check: integer(1, 1_000),
  },
  MNEME_S3_BUCKET: {
    description: 'Keeps files in this bucket instead of the data folder',
    check: anyText,
  },
  MNEME_S3_ENDPOINT: {
    description: 'Of a service that speaks S3; unset: that of AWS',
    check: url(['http:', 'https:']),
  },
  MNEME_S3_REGION: {
    description: 'Region of the bucket',
    defaultValue: 'us-east-1',
    check: anyText,
  },
  MNEME_S3_ACCESS_KEY_ID: {
    description: 'Unset: the credentials that the AWS SDK finds by itself',
    check: anyText,
  },
  MNEME_S3_SECRET_ACCESS_KEY: {
    description: 'Belongs to that key id',
    secret: true,
    check: anyText,
  },
  MNEME_S3_PREFIX: {
    description: 'Put before the names of objects',
    defaultValue: '',
    check: anyText,
  },
  MNEME_S3_PATH_STYLE: {
    description: '`true` puts the bucket into the path, as most services beside AWS want it',
    defaultValue: 'false',
    check: oneOf(['true', 'false']),
  },
  MNEME_TRANSCRIPTION_URL: {
    description: 'Provider openai: base URL of an OpenAI-compatible API, up to /v1',
    check: url(['http:', 'https:']),
  },
  MNEME_TRANSCRIPTION_MODEL: { description: 'openai: model name', check: anyText },
  MNEME_TRANSCRIPTION_API_KEY: { description: 'openai: bearer key', secret: true, check: anyText },
  MNEME_TRANSCRIPTION_COMMAND: {
    description:
      'Provider command: a local program with its arguments, {file} for a WAV of 16 kHz, ' +
      '{language} and {prompt} for the hints; it prints JSON, subtitles or text, or writes them ' +
      'to {output}, with or without an ending',
    check: (text: string) => (text.includes('{file}') ? null : 'must have {file} in it'),
  },
  MNEME_TRANSCRIPTION_CPU_SECONDS: {
    description: 'command: processor time of one run (up to 13 minutes of sound), with prlimit',
    defaultValue: '14400',
    check: integer(1, 10_000_000),
  },
  MNEME_TRANSCRIPTION_MEMORY_MB: {
    description:
      'MB of memory that one run of the command, or the process of Whisper, may write to, ' +
      'with prlimit',
    defaultValue: '16384',
    check: integer(16, 100_000_000),
  },
  MNEME_TRANSCRIPTION_WHISPER: {
    description: 'Provider transformers: a whisper ONNX model, as folder or hub name',
    check: anyText,
  },
  MNEME_TRANSCRIPTION_DTYPE: {
    description: 'transformers: weights, such as fp32 or q8',
    check: anyText,
  },
  MNEME_TRANSCRIPTION_TIMEOUT_SECONDS: {
    description: 'Patience for one call, one run of the program, or one stretch that Whisper hears',
    defaultValue: '1800',
    check: integer(1, 86_400),
  },
  MNEME_VISION_URL: {
    description: 'Describes frames of videos: base URL of an OpenAI-compatible API, up to /v1',
    check: url(['http:', 'https:']),
  },
  MNEME_VISION_MODEL: { description: 'Name of the model there', check: anyText },
  MNEME_VISION_API_KEY: { description: 'Bearer key of that API', secret: true, check: anyText },
  MNEME_VISION_TIMEOUT_MS: {
    description: 'Patience for one call of it',
    defaultValue: '60000',
    check: integer(100, 600_000),
  },
  MNEME_VISION_LOCAL: {
    description: '`true` reads text in frames on this machine (needs @gutenye/ocr-node)',
    defaultValue: 'false',
    check: oneOf(['true', 'false']),
  },
  MNEME_VISION_FRAMES_MAX: {
    description: 'Key frames that are described of one video',
    defaultValue: '24',
    check: integer(1, 500),
  },
} as const satisfies Record<string, Setting>;
