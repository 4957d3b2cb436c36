import { checkAnyText, checkInteger, checkOneOf, checkUrl, type Setting } from './setting.ts';

/** Settings of uploads, blob storage, transcription and vision. */
export const mediaSettings = {
  MNEME_MAX_UPLOAD_BYTES: {
    description: 'Maximum size of an uploaded file in bytes',
    defaultValue: String(2 * 1024 ** 3),
    check: checkInteger(1, 2 ** 45),
  },
  MNEME_MAX_IMPORT_BYTES: {
    description: 'Maximum size of an archive that is imported, in bytes',
    defaultValue: String(16 * 1024 ** 3),
    check: checkInteger(1, 2 ** 45),
  },
  MNEME_FFMPEG: {
    description: 'Path of ffmpeg; unset: found in PATH, otherwise that of @ffmpeg-installer/ffmpeg',
    check: checkAnyText,
  },
  MNEME_FFPROBE: {
    description:
      'Path of ffprobe; unset: found in PATH, otherwise that of @ffprobe-installer/ffprobe',
    check: checkAnyText,
  },
  MNEME_FFMPEG_CALLS_MAX: {
    description:
      'Maximum number of concurrent FFmpeg processes; unset: one per processor, at least 2',
    check: checkInteger(1, 1_000),
  },
  MNEME_S3_BUCKET: {
    description: 'Stores files in this bucket instead of the data folder',
    check: checkAnyText,
  },
  MNEME_S3_ENDPOINT: {
    description: 'URL of an S3-compatible service; unset: AWS',
    check: checkUrl(['http:', 'https:']),
  },
  MNEME_S3_REGION: {
    description: 'Region of the bucket',
    defaultValue: 'us-east-1',
    check: checkAnyText,
  },
  MNEME_S3_ACCESS_KEY_ID: {
    description: 'Access key id; unset: the default credentials of the AWS SDK',
    check: checkAnyText,
  },
  MNEME_S3_SECRET_ACCESS_KEY: {
    description: 'Secret of that key id',
    secret: true,
    check: checkAnyText,
  },
  MNEME_S3_PREFIX: {
    description: 'Prefix of the names of objects',
    defaultValue: '',
    check: checkAnyText,
  },
  MNEME_S3_PATH_STYLE: {
    description: '`true` puts the bucket into the path, which most services other than AWS require',
    defaultValue: 'false',
    check: checkOneOf(['true', 'false']),
  },
  MNEME_TRANSCRIPTION_URL: {
    description: 'Provider openai: base URL of an OpenAI-compatible API, up to /v1',
    check: checkUrl(['http:', 'https:']),
  },
  MNEME_TRANSCRIPTION_MODEL: { description: 'openai: model name', check: checkAnyText },
  MNEME_TRANSCRIPTION_API_KEY: {
    description: 'openai: bearer key',
    secret: true,
    check: checkAnyText,
  },
  MNEME_TRANSCRIPTION_COMMAND: {
    description:
      'Provider command: a local program with its arguments, {file} for a WAV file of 16 kHz, ' +
      '{language} and {prompt} for the hints; it prints JSON, subtitles or text, or writes ' +
      'them to {output}, with or without a file extension',
    check: (text: string) => (text.includes('{file}') ? null : 'must contain {file}'),
  },
  MNEME_TRANSCRIPTION_CPU_SECONDS: {
    description:
      'command: processor time limit of one run (up to 13 minutes of audio), with prlimit',
    defaultValue: '14400',
    check: checkInteger(1, 10_000_000),
  },
  MNEME_TRANSCRIPTION_MEMORY_MB: {
    description:
      'Limit of writable memory in MB for one run of the command and for the Whisper process, ' +
      'with prlimit',
    defaultValue: '16384',
    check: checkInteger(16, 100_000_000),
  },
  MNEME_TRANSCRIPTION_WHISPER: {
    description: 'Provider transformers: a whisper ONNX model, as folder or hub name',
    check: checkAnyText,
  },
  MNEME_TRANSCRIPTION_DTYPE: {
    description: 'transformers: weight format, such as fp32 or q8',
    check: checkAnyText,
  },
  MNEME_TRANSCRIPTION_TIMEOUT_SECONDS: {
    description:
      'Timeout in seconds of one call, one run of the command, or one section for Whisper',
    defaultValue: '1800',
    check: checkInteger(1, 86_400),
  },
  MNEME_VISION_URL: {
    description: 'Describes frames of videos: base URL of an OpenAI-compatible API, up to /v1',
    check: checkUrl(['http:', 'https:']),
  },
  MNEME_VISION_MODEL: { description: 'Model name of that API', check: checkAnyText },
  MNEME_VISION_API_KEY: {
    description: 'Bearer key of that API',
    secret: true,
    check: checkAnyText,
  },
  MNEME_VISION_TIMEOUT_MS: {
    description: 'Timeout of one call in milliseconds',
    defaultValue: '60000',
    check: checkInteger(100, 600_000),
  },
  MNEME_VISION_LOCAL: {
    description: '`true` recognizes text in frames on this machine (requires @gutenye/ocr-node)',
    defaultValue: 'false',
    check: checkOneOf(['true', 'false']),
  },
  MNEME_VISION_FRAMES_MAX: {
    description: 'Maximum number of described key frames per video',
    defaultValue: '24',
    check: checkInteger(1, 500),
  },
} as const satisfies Record<string, Setting>;
