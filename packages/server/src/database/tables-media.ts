import type {
  MediaKind,
  SegmentModality,
  TranscribeOptions,
  Transcript,
  VideoMetadata,
} from '@mneme/contract';
import type { ColumnType, Generated } from 'kysely';

/** JSON is written as text with a cast and read as a parsed value. */
type Json<T> = ColumnType<T, string, string>;
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
type OptionalNullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

interface MediaFiles {
  account_id: string;
  memory_id: string;
  kind: MediaKind;
  blob: string;
  bytes: number;
  sha256: Uint8Array;
  filename: string | null;
  mime_type: string;
  duration: number | null;
  details: Json<Pick<VideoMetadata, 'video' | 'audio' | 'format'>>;
  thumbnail_blob: OptionalNullable<string>;
  thumbnail_bytes: OptionalNullable<number>;
  created_at: Date;
}

interface MediaClips {
  account_id: string;
  memory_id: string;
  start_ms: number;
  end_ms: number;
  blob: string;
  bytes: number;
  created_at: Date;
}

interface MediaUploads {
  account_id: string;
  id: string;
  length: number | null;
  received: Generated<number>;
  filename: string | null;
  fields: Json<Record<string, string>>;
  upload_metadata: string | null;
  spaces: string[] | null;
  lease_until: OptionalNullable<Date>;
  leased_by: OptionalNullable<string>;
  memory_id: OptionalNullable<string>;
  is_duplicate: Generated<boolean>;
  concat: OptionalNullable<string>;
  created_at: Date;
  expires_at: Date;
}

interface MediaUploadParts {
  account_id: string;
  upload_id: string;
  position: number;
  blob: string;
  bytes: number;
}

type ProcessingStatus = 'queued' | 'processing' | 'completed' | 'failed';

interface Transcripts {
  account_id: string;
  memory_id: string;
  job_id: string;
  status: ProcessingStatus;
  attempt: Generated<number>;
  completed_attempt: number | null;
  options: Json<TranscribeOptions>;
  ignored_options: Generated<string[]>;
  provider: string;
  partial_segments: NullableJson<object>;
  full_transcript: OptionalNullable<string>;
  language: OptionalNullable<string>;
  language_confidence: OptionalNullable<number>;
  duration: OptionalNullable<number>;
  entities: NullableJson<Transcript['entities']>;
  chapters: NullableJson<Transcript['chapters']>;
  summary: OptionalNullable<string>;
  error: OptionalNullable<string>;
  created_at: Date;
  completed_at: OptionalNullable<Date>;
}

interface VideoInterpretations {
  account_id: string;
  memory_id: string;
  job_id: string;
  status: ProcessingStatus;
  attempt: Generated<number>;
  completed_attempt: number | null;
  model: string;
  partial_frames: NullableJson<object>;
  summary: OptionalNullable<string>;
  error: OptionalNullable<string>;
  created_at: Date;
  completed_at: OptionalNullable<Date>;
}

interface MediaSegments {
  account_id: string;
  id: string;
  memory_id: string;
  modality: SegmentModality;
  attempt: number;
  number: number;
  start_time: number;
  end_time: number;
  text: string;
  speaker: string | null;
  confidence: number | null;
  labels: OptionalNullable<string[]>;
}

/** Media tables, part of `Tables`. */
export interface MediaTables {
  media_files: MediaFiles;
  media_clips: MediaClips;
  media_uploads: MediaUploads;
  media_upload_parts: MediaUploadParts;
  transcripts: Transcripts;
  video_interpretations: VideoInterpretations;
  media_segments: MediaSegments;
}
