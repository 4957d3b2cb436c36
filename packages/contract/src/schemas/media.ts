import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  customIssue,
  idIn,
  idOut,
  integer,
  metadata,
  spaceRef,
  tags,
  text,
  timestampIn,
  timestampOut,
} from './fields.ts';
import { protectionLevels } from './memories.ts';

export const mediaKinds = ['audio', 'video'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** What a stretch of a recording was found by. */
export const segmentModalities = ['speech', 'frame'] as const;
export type SegmentModality = (typeof segmentModalities)[number];

/** What may come beside an uploaded file. */
const uploadFieldSchemas = {
  title: text({ min: 1, max: limits.titleCharactersMax }).optional().meta({
    description: 'The content of an audio or video memory until its transcript is there.',
  }),
  space_id: spaceRef.optional(),
  tags: tags.optional(),
  metadata: metadata.optional(),
  priority: integer({ min: 0, max: 10 }).optional(),
  session_id: idIn('other').optional(),
  is_pinned: z.boolean().optional(),
  protection_level: z.enum(protectionLevels).optional(),
  occurred_at: timestampIn.optional(),
  allow_duplicate: z.boolean().optional().meta({
    description: 'Takes a file that is stored already a second time.',
  }),
};

/** Fields of a form, which come as text: tags and metadata as JSON, and so on. */
export const uploadFields = z.strictObject(uploadFieldSchemas);

/** Bytes 0-499, from 500 on, or the last 500; more than one range is answered with the whole. */
export const rangeHeaders = z.object({
  'if-match': z.string().max(1_000).optional().meta({
    description: 'ETags: where the bytes have none of them, 412.',
  }),
  'if-none-match': z.string().max(1_000).optional().meta({
    description: 'ETags: where the bytes have one of them, 304 without the bytes.',
  }),
  range: z.string().max(1_000).optional().meta({
    description: 'A single byte range, such as `bytes=0-499`; several: the whole is sent.',
  }),
  'if-range': z.string().max(1_000).optional().meta({
    description: 'An ETag: the range only if the bytes are still the same, else all of them.',
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
  description: 'The version of the protocol; without it: 412.',
});
/** What a request that has no other header of the protocol sends. */
export const tusHeaders = z.object({ 'tus-resumable': tusResumableHeader });
const byteCount = z
  .string()
  .refine(
    (value) => /^\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value)),
    customIssue('invalid_format', 'must be a number of bytes'),
  );
const fileByteCount = byteCount.transform(Number).meta({ description: 'Bytes of the whole file.' });
const checksum = z
  .string()
  .refine(
    (value) => /^(?:sha1|sha256) [A-Za-z0-9+/]{1,100}={0,2}$/.test(value),
    customIssue('invalid_format', 'must be sha1 or sha256, a space, and the hash in base64'),
  )
  .meta({
    description: 'Hash of the bytes of this request; if they differ, 460 and none of them is kept.',
  });

export const createUploadHeaders = z.object({
  'tus-resumable': tusResumableHeader,
  'upload-length': fileByteCount.optional(),
  'upload-defer-length': z.literal('1').optional().meta({
    description: 'In place of Upload-Length: a later PATCH has it.',
  }),
  'upload-concat': z
    .string()
    .max(20_000)
    .optional()
    .meta({
      description:
        '`partial` for a part that is uploaded on its own, or `final;` and the addresses of ' +
        'parts, separated by spaces, which become one file. The final one has no length.',
    }),
  'upload-checksum': checksum.optional(),
  'upload-metadata': z
    .string()
    .max(100_000)
    .optional()
    .meta({
      description:
        'Pairs `name base64`, separated by commas: filename, and the fields of an upload ' +
        '(tags and metadata as JSON). Other names are ignored, and so are empty values.',
    }),
});
export const appendUploadHeaders = z.object({
  'tus-resumable': tusResumableHeader,
  'upload-offset': byteCount.transform(Number).meta({ description: 'Where these bytes begin.' }),
  'upload-length': fileByteCount.optional().meta({
    description: 'Bytes of the whole file, where the creation deferred it.',
  }),
  'upload-checksum': checksum.optional(),
});

export const uploadParams = z.strictObject({ id: idIn('other') });

export const upload = z
  .object({
    id: idOut,
    length: z
      .int()
      .nullable()
      .meta({ description: 'Bytes of the whole file; null: not known yet.' }),
    offset: z.int().meta({ description: 'Bytes that are here; go on from there.' }),
    filename: z.string().nullable(),
    memory_id: idOut.nullable().meta({ description: 'What it became, once all is here.' }),
    created_at: timestampOut,
    expires_at: timestampOut,
  })
  .meta({ id: 'Upload' });

export const pendingMediaStates = ['queued', 'processing'] as const;

/** What asking for a job, or for what it is still making, is answered. */
export const mediaPending = z
  .object({ memory_id: idOut, job_id: idOut, status: z.enum(pendingMediaStates) })
  .meta({ id: 'MediaPending' });

export const transcribeOptions = z
  .strictObject({
    language: text({ min: 2, max: 35 })
      .refine(
        (value) => /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(value),
        customIssue('invalid_format', 'must be the ISO code of a language'),
      )
      .optional()
      .meta({ description: 'ISO code of the language that is spoken, as a hint.' }),
    prompt: text({ max: limits.transcriptPromptCharactersMax }).optional(),
    provider: text({ min: 1, max: 64 }).optional(),
    enableSpeakerDiarization: z.boolean().optional(),
    enableEntityDetection: z.boolean().optional(),
    enableContentSafety: z.boolean().optional(),
    enableAutoChapters: z.boolean().optional(),
    enableAutoSummarization: z.boolean().optional(),
    speakersExpected: integer({ min: 1, max: limits.speakersMax }).optional(),
  })
  .meta({ id: 'TranscribeOptions' });

export const transcriptSegment = z.object({
  id: idOut,
  start: z.number().meta({ description: 'Seconds.' }),
  end: z.number().meta({ description: 'Seconds.' }),
  text: z.string(),
  speaker: z.string().nullable(),
  confidence: z.number().min(0).max(1).nullable(),
});

export const transcript = z
  .object({
    memory_id: idOut,
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
      description: 'Options that were asked for and that the provider cannot honour.',
    }),
    created_at: timestampOut,
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
        resolution: z.string().meta({ description: 'Such as 1920x1080.' }),
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
    memory_id: idOut,
    model: z.string(),
    frames: z.array(
      z.object({
        time: z.number().meta({ description: 'Seconds.' }),
        description: z.string(),
        labels: z.array(z.string()),
      }),
    ),
    summary: z.string(),
    created_at: timestampOut,
  })
  .meta({ id: 'VideoInterpretation' });

const seconds = z.number().min(0).max(limits.mediaSecondsMax);
export const clipQuery = z
  .strictObject({
    start: seconds.optional().meta({ description: 'Seconds; without start and end: the whole.' }),
    end: seconds.optional(),
    expires: integer({ min: 0, max: 99_999_999_999 }),
    signature: text({ min: 1, max: 100 }),
  })
  .refine(({ start, end }) => (start === undefined) === (end === undefined), {
    path: ['end'],
    ...customIssue('invalid_format', 'must stand with start, or both be left out'),
  });

export const mediaLinkQuery = z.strictObject({
  expires_in: integer({ min: limits.linkSecondsMin, max: limits.linkSecondsMax }).default(
    limits.linkSecondsDefault,
  ),
});
export const mediaLink = z
  .object({
    url: z.string().meta({ description: 'Plays without a key, in ranges too: for `src`.' }),
    expires_at: timestampOut,
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
