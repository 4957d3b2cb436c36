import { z } from 'zod';
import { withSnakeCaseNames } from '../aliases.ts';
import { detectUpdates } from '../detect-updates.ts';
import {
  customIssueOptions,
  idInput,
  idOutput,
  integer,
  metadata,
  spaceRef,
  storableText,
  tags,
  timestampInput,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { ownerFields, ownerOutputs } from '../owners.ts';
import { withSpaceName } from '../space-names.ts';
import { expiresAtInput, protectionLevels, supersedes } from './memories.ts';

export const mediaKinds = ['audio', 'video'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** Source of a segment of a recording. */
export const segmentModalities = ['speech', 'frame'] as const;
export type SegmentModality = (typeof segmentModalities)[number];

/** Fields that can accompany an uploaded file. */
const uploadFieldSchemas = {
  title: storableText({ min: 1, max: limits.titleCharactersMax }).optional().meta({
    description: 'The content of an audio or video memory until its transcript is available.',
  }),
  space_id: spaceRef.optional(),
  ...ownerFields,
  tags: tags.optional(),
  metadata: metadata.optional(),
  priority: integer({ min: 0, max: 10 }).optional(),
  session_id: idInput('other').optional(),
  is_pinned: z.boolean().optional(),
  protection_level: z.enum(protectionLevels).optional(),
  occurred_at: timestampInput.optional(),
  expires_at: expiresAtInput.optional(),
  supersedes: supersedes.optional(),
  detect_updates: detectUpdates.optional(),
  allow_duplicate: z.boolean().optional().meta({
    description: 'Accepts a file that is already stored.',
  }),
};

/** Fields of a form or of tus metadata, sent as text: lists and metadata as JSON. */
export const uploadFields = withSpaceName(z.strictObject(uploadFieldSchemas));

/** Headers of a byte range request; a request for several ranges returns the whole content. */
export const rangeHeaders = z.object({
  'if-match': z.string().max(1_000).optional().meta({
    description: 'ETags: responds with 412 if none matches.',
  }),
  'if-none-match': z.string().max(1_000).optional().meta({
    description: 'ETags: responds with 304 without a body if one matches.',
  }),
  range: z.string().max(1_000).optional().meta({
    description:
      'A single byte range, such as `bytes=0-499`. Several ranges return the whole content.',
  }),
  'if-range': z.string().max(1_000).optional().meta({
    description: 'An ETag: returns the range only if it matches, otherwise the whole content.',
  }),
});

/** https://tus.io/protocols/resumable-upload */
export const tusVersion = '1.0.0';
export const tusExtensions = [
  'creation',
  'creation-with-upload',
  'creation-defer-length',
  'checksum',
  'concatenation',
  'expiration',
  'termination',
] as const;
export const checksumAlgorithms = ['sha1', 'sha256'] as const;

const tusResumableHeader = z.literal(tusVersion).optional().meta({
  description: 'The protocol version. Without it the server responds with 412.',
});
/** Headers of a request without other protocol headers. */
export const tusHeaders = z.object({ 'tus-resumable': tusResumableHeader });
const byteCount = z
  .string()
  .refine(
    (value) => /^\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value)),
    customIssueOptions('invalid_format', 'must be a number of bytes'),
  );
const fileByteCount = byteCount
  .transform(Number)
  .meta({ description: 'Length of the whole file in bytes.' });
const checksum = z
  .string()
  .refine(
    (value) => /^(?:sha1|sha256) [A-Za-z0-9+/]{1,100}={0,2}$/.test(value),
    customIssueOptions('invalid_format', 'must be sha1 or sha256, a space, and the hash in base64'),
  )
  .meta({
    description:
      'Hash of the bytes in this request. On a mismatch the server responds with 460 and ' +
      'discards them.',
  });

export const createUploadHeaders = z.object({
  'tus-resumable': tusResumableHeader,
  'upload-length': fileByteCount.optional(),
  'upload-defer-length': z.literal('1').optional().meta({
    description: 'Defers Upload-Length to a later PATCH.',
  }),
  'upload-concat': z
    .string()
    .max(20_000)
    .optional()
    .meta({
      description:
        '`partial` for a part of a concatenation, or `final;` and the URLs of the parts, ' +
        'separated by spaces, which become one file. A final upload has no length.',
    }),
  'upload-checksum': checksum.optional(),
  'upload-metadata': z
    .string()
    .max(100_000)
    .optional()
    .meta({
      description:
        'Pairs `name base64`, separated by commas: filename, and the fields of an upload (tags ' +
        'and metadata as JSON). Other names and empty values are ignored.',
    }),
});
export const appendUploadHeaders = z.object({
  'tus-resumable': tusResumableHeader,
  'upload-offset': byteCount
    .transform(Number)
    .meta({ description: 'Offset of the first byte in the whole file.' }),
  'upload-length': fileByteCount.optional().meta({
    description: 'Length of the whole file in bytes, if the creation deferred it.',
  }),
  'upload-checksum': checksum.optional(),
});

export const uploadParams = z.strictObject({ id: idInput('other') });

export const upload = z
  .object({
    id: idOutput,
    length: z
      .int()
      .nullable()
      .meta({ description: 'Length of the whole file in bytes; null: not known yet.' }),
    offset: z.int().meta({ description: 'Bytes received; continue from this offset.' }),
    filename: z.string().nullable(),
    ...ownerOutputs,
    memory_id: idOutput
      .nullable()
      .meta({ description: 'The memory that the complete upload became.' }),
    created_at: timestampOutput,
    expires_at: timestampOutput,
  })
  .meta({ id: 'Upload' });

export const pendingMediaStates = ['queued', 'processing'] as const;

/** Response to a request that started a job, or whose result a job is still producing. */
export const mediaPending = z
  .object({ memory_id: idOutput, job_id: idOutput, status: z.enum(pendingMediaStates) })
  .meta({ id: 'MediaPending' });

export const transcribeOptions = withSnakeCaseNames(
  z.strictObject({
    language: storableText({ min: 2, max: 35 })
      .refine(
        (value) => /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(value),
        customIssueOptions('invalid_format', 'must be an ISO language code'),
      )
      .optional()
      .meta({ description: 'ISO code of the spoken language, as a hint.' }),
    prompt: storableText({ max: limits.transcriptPromptCharactersMax }).optional(),
    provider: storableText({ min: 1, max: 64 }).optional(),
    enableSpeakerDiarization: z.boolean().optional(),
    enableEntityDetection: z.boolean().optional(),
    enableContentSafety: z.boolean().optional(),
    enableAutoChapters: z.boolean().optional(),
    enableAutoSummarization: z.boolean().optional(),
    speakersExpected: integer({ min: 1, max: limits.speakersMax }).optional(),
  }),
).meta({ id: 'TranscribeOptions' });

export const transcriptSegment = z.object({
  id: idOutput,
  start: z.number().meta({ description: 'Seconds from the start.' }),
  end: z.number().meta({ description: 'Seconds from the start.' }),
  text: z.string(),
  speaker: z.string().nullable(),
  confidence: z.number().min(0).max(1).nullable(),
});

export const transcript = z
  .object({
    memory_id: idOutput,
    full_transcript: z.string(),
    language: z.string().nullable(),
    language_confidence: z.number().min(0).max(1).nullable(),
    duration: z.number().meta({ description: 'Seconds.' }),
    provider: z.string(),
    segments: z.array(transcriptSegment),
    entities: z.array(
      z.object({ name: z.string(), type: z.string(), confidence: z.number().min(0).max(1) }),
    ),
    chapters: z.array(
      z.object({ title: z.string(), start: z.number(), end: z.number(), summary: z.string() }),
    ),
    summary: z.string().nullable(),
    ignored_options: z.array(z.string()).meta({
      description: 'Requested options that the provider does not support.',
    }),
    created_at: timestampOutput,
  })
  .meta({ id: 'Transcript' });

export const videoMetadata = z
  .object({
    filename: z.string().nullable(),
    mime_type: z.string(),
    file_size: z.int().meta({ description: 'Bytes.' }),
    duration: z.number().nullable().meta({ description: 'Seconds.' }),
    video: z
      .object({
        codec: z.string(),
        resolution: z.string().meta({ description: 'For example 1920x1080.' }),
        width: z.int(),
        height: z.int(),
        fps: z.number().nullable(),
      })
      .nullable(),
    audio: z
      .object({ codec: z.string(), sample_rate: z.int().nullable(), channels: z.int().nullable() })
      .nullable(),
    format: z.object({
      name: z.string(),
      long_name: z.string().nullable(),
      bit_rate: z.int().nullable(),
      stream_count: z.int(),
      tags: z.record(z.string(), z.string()),
    }),
  })
  .meta({ id: 'VideoMetadata' });

export const videoInterpretation = z
  .object({
    memory_id: idOutput,
    model: z.string(),
    frames: z.array(
      z.object({
        time: z.number().meta({ description: 'Seconds from the start.' }),
        description: z.string(),
        labels: z.array(z.string()),
      }),
    ),
    summary: z.string(),
    created_at: timestampOutput,
  })
  .meta({ id: 'VideoInterpretation' });

const seconds = z.number().min(0).max(limits.mediaSecondsMax);
export const clipQuery = z
  .strictObject({
    start: seconds
      .optional()
      .meta({ description: 'Seconds from the start. Without start and end: the whole recording.' }),
    end: seconds.optional(),
    expires: integer({ min: 0, max: 99_999_999_999 }),
    signature: storableText({ min: 1, max: 100 }),
  })
  .refine(({ start, end }) => (start === undefined) === (end === undefined), {
    path: ['end'],
    ...customIssueOptions('invalid_format', 'must be set together with start, or both omitted'),
  });

/** `expires_in`: lifetime of the link in seconds. */
export const mediaLinkQuery = z.strictObject({
  expires_in: integer({ min: limits.linkSecondsMin, max: limits.linkSecondsMax }).default(
    limits.linkSecondsDefault,
  ),
});
export const mediaLink = z
  .object({
    url: z
      .string()
      .meta({ description: 'A URL for `src` that plays without a key, including byte ranges.' }),
    expires_at: timestampOutput,
  })
  .meta({ id: 'MediaLink' });

export type UploadFields = z.output<typeof uploadFields>;
export type UploadInput = z.input<typeof uploadFields>;
export type Upload = z.output<typeof upload>;
export type MediaPending = z.output<typeof mediaPending>;
export type TranscribeOptions = z.output<typeof transcribeOptions>;
export type Transcript = z.output<typeof transcript>;
export type TranscriptSegment = z.output<typeof transcriptSegment>;
export type VideoMetadata = z.output<typeof videoMetadata>;
export type MediaLink = z.output<typeof mediaLink>;
export type VideoInterpretation = z.output<typeof videoInterpretation>;
