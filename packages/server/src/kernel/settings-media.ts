import { anyText, integer, oneOf, type Setting, url } from './setting.ts';

/** Settings of uploads, of where bytes are kept, and of what hears and sees. */
export const mediaSettings = {
  MNEME_MAX_UPLOAD_BYTES: {
    meaning: 'Bytes of one uploaded file',
    fallback: String(2 * 1024 ** 3),
    check: integer(1, 2 ** 45),
  },
  MNEME_FFMPEG: {
    meaning: 'The ffmpeg program; unset: of the PATH, else of @ffmpeg-installer/ffmpeg',
    check: anyText,
  },
  MNEME_FFPROBE: {
    meaning: 'The ffprobe program; unset: of the PATH, else of @ffprobe-installer/ffprobe',
    check: anyText,
  },
  MNEME_FFMPEG_CALLS_MAX: {
    meaning: 'FFmpeg programs at the same time; unset: as many as processors, at least 2',
    check: integer(1, 1_000),
  },
  MNEME_S3_BUCKET: {
    meaning: 'Keeps files in this bucket instead of the data folder',
    check: anyText,
  },
  MNEME_S3_ENDPOINT: {
    meaning: 'Of a service that speaks S3; unset: that of AWS',
    check: url(['http:', 'https:']),
  },
  MNEME_S3_REGION: { meaning: 'Region of the bucket', fallback: 'us-east-1', check: anyText },
  MNEME_S3_ACCESS_KEY_ID: {
    meaning: 'Unset: the credentials that the AWS SDK finds by itself',
    check: anyText,
  },
  MNEME_S3_SECRET_ACCESS_KEY: {
    meaning: 'Belongs to that key id',
    secret: true,
    check: anyText,
  },
  MNEME_S3_PREFIX: { meaning: 'Put before the names of objects', fallback: '', check: anyText },
  MNEME_S3_PATH_STYLE: {
    meaning: '`true` puts the bucket into the path, as most services beside AWS want it',
    fallback: 'false',
    check: oneOf(['true', 'false']),
  },
  MNEME_TRANSCRIPTION_URL: {
    meaning: 'Provider openai: base URL of an OpenAI-compatible API, up to /v1',
    check: url(['http:', 'https:']),
  },
  MNEME_TRANSCRIPTION_MODEL: { meaning: 'openai: model name', check: anyText },
  MNEME_TRANSCRIPTION_API_KEY: { meaning: 'openai: bearer key', secret: true, check: anyText },
  MNEME_TRANSCRIPTION_COMMAND: {
    meaning:
      'Provider command: a local program with its arguments, {file} for a WAV of 16 kHz, ' +
      '{language} and {prompt} for the hints; it prints JSON, subtitles or text, or writes them ' +
      'to {output}, with or without an ending',
    check: (text: string) => (text.includes('{file}') ? null : 'must have {file} in it'),
  },
  MNEME_TRANSCRIPTION_CPU_SECONDS: {
    meaning: 'command: processor time of one run (up to 13 minutes of sound), with prlimit',
    fallback: '14400',
    check: integer(1, 10_000_000),
  },
  MNEME_TRANSCRIPTION_MEMORY_MB: {
    meaning:
      'MB of memory that one run of the command, or the process of Whisper, may write to, ' +
      'with prlimit',
    fallback: '16384',
    check: integer(16, 100_000_000),
  },
  MNEME_TRANSCRIPTION_WHISPER: {
    meaning: 'Provider transformers: a whisper ONNX model, as folder or hub name',
    check: anyText,
  },
  MNEME_TRANSCRIPTION_DTYPE: {
    meaning: 'transformers: weights, such as fp32 or q8',
    check: anyText,
  },
  MNEME_TRANSCRIPTION_TIMEOUT_SECONDS: {
    meaning: 'Patience for one call, one run of the program, or one stretch that Whisper hears',
    fallback: '1800',
    check: integer(1, 86_400),
  },
  MNEME_VISION_URL: {
    meaning: 'Describes frames of videos: base URL of an OpenAI-compatible API, up to /v1',
    check: url(['http:', 'https:']),
  },
  MNEME_VISION_MODEL: { meaning: 'Name of the model there', check: anyText },
  MNEME_VISION_API_KEY: { meaning: 'Bearer key of that API', secret: true, check: anyText },
  MNEME_VISION_TIMEOUT_MS: {
    meaning: 'Patience for one call of it',
    fallback: '60000',
    check: integer(100, 600_000),
  },
  MNEME_VISION_LOCAL: {
    meaning: '`true` reads text in frames on this machine (needs @gutenye/ocr-node)',
    fallback: 'false',
    check: oneOf(['true', 'false']),
  },
  MNEME_VISION_FRAMES_MAX: {
    meaning: 'Key frames that are described of one video',
    fallback: '24',
    check: integer(1, 500),
  },
} as const satisfies Record<string, Setting>;
