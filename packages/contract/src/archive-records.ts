import { z } from 'zod';
import { limits } from './limits.ts';
import { transcribeOptions } from './schemas/media.ts';
import { erasureKinds } from './schemas/recovery.ts';

/**
 * The records of an export archive, one JSON object per line. A reader ignores fields that it does
 * not know; a change that it must not ignore gets a new format version.
 */
export const archiveFormat = 'mneme-export';
export const archiveFormatVersion = 1;

const id = z.uuid();
const time = z.iso.datetime().transform((value) => new Date(value));
const json = z.record(z.string(), z.unknown());
const owner = z.string().max(128).nullable();
const count = z.int().nonnegative();
const text = z.string();
/** A character of a tag has up to two units. */
const tags = z.array(text.max(2 * limits.tagCharactersMax)).max(1_000);

const times = { created_at: time, updated_at: time };

const space = z.object({
  id,
  name: text.min(1).max(200),
  description: text.nullable(),
  metadata: json,
  memory_lifetime_days: z.int().min(1).nullable(),
  ...times,
});

const session = z.object({
  id,
  space_id: id.nullable(),
  name: text.max(1_000),
  type: z.enum(['conversation', 'project', 'task', 'temporary']),
  status: z.enum(['active', 'paused', 'completed', 'archived']),
  description: text.nullable(),
  tags,
  origin_type: text.nullable(),
  retention_policy: text,
  retention_days: z.int().min(1).nullable(),
  is_private: z.boolean(),
  summary: text.nullable(),
  message_count: count,
  next_ordinal: z.int().min(1),
  metadata: json,
  last_active_at: time,
  paused_at: time.nullable(),
  completed_at: time.nullable(),
  archived_at: time.nullable(),
  ...times,
});

const memory = z.object({
  id,
  space_id: id.nullable(),
  user_id: owner,
  agent_id: owner,
  run_id: owner,
  /** Of an exported session. */
  session_id: id.nullable(),
  session_ordinal: count.nullable(),
  content: text,
  content_type: text.max(20),
  /** What it is a duplicate by, in hexadecimal digits; null: it may repeat others. */
  content_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  tags,
  metadata: json,
  priority: z.int().min(0).max(10),
  salience: z.number().min(0).max(1).nullable(),
  salience_at: time.nullable(),
  access_count: count,
  is_pinned: z.boolean(),
  protection_level: z.enum(['none', 'soft', 'hard']),
  quality_score: z.number().min(0).max(1).nullable(),
  occurred_at: time.nullable(),
  expires_at: time.nullable(),
  detect_updates: text.max(20).nullable(),
  verified_at: time.nullable(),
  deleted_at: time.nullable(),
  /** Whether the archive has what it mentions and states; otherwise an import extracts it. */
  has_statements: z.boolean(),
  ...times,
});

const relationship = z.object({
  id,
  source_id: id,
  target_id: id,
  type: text.min(1).max(100),
  inverse_id: id.nullable(),
  description: text.nullable(),
  weight: z.number().min(0).max(limits.relationshipWeightMax),
  weight_set_at: time,
  decay_rate: z.number().min(0).max(1),
  usage_count: count,
  last_reinforced_at: time.nullable(),
  rules: json,
  metadata: json,
  ...times,
});

const entity = z.object({
  id,
  space_id: id.nullable(),
  name: text,
  type: text.max(50),
  /** Created manually: it stays without mentions. */
  is_retained: z.boolean(),
  /** Set for the person who says "I": `user:<user_id>`, or `account` in memories without a user. */
  speaker: text.max(200).nullable(),
  merged_into: id.nullable(),
  merged_at: time.nullable(),
  names: z.array(z.object({ name: text, type: text.max(50), is_manual: z.boolean() })).max(10_000),
  changes: z.array(z.object({ kind: text.max(20), detail: text, at: time })).max(10_000),
  ...times,
});

const mention = z.object({
  memory_id: id,
  entity_id: id,
  confidence: z.number().min(0).max(1),
  names: z.array(text).max(1_000),
  observed_at: time,
  recorded_at: time,
});

const assertion = z.object({
  id,
  space_id: id.nullable(),
  subject_id: id,
  predicate: text.min(1).max(200),
  object_id: id.nullable(),
  object_value: text.nullable(),
  statement: text,
  confidence: z.number().min(0).max(1),
  valid_from: time.nullable(),
  valid_to: time.nullable(),
  observed_at: time,
  /** Null: stated manually. */
  memory_id: id.nullable(),
  is_manual: z.boolean(),
  recorded_at: time,
  retracted_at: time.nullable(),
  retracted_by: z.enum(['text', 'hand', 'merge']).nullable(),
});

const cluster = z.object({
  id,
  space_id: id.nullable(),
  type: text.max(20),
  name: text.min(1),
  is_named: z.boolean(),
  description: text.nullable(),
  color: text.max(20).nullable(),
  metadata: json,
  silhouette_score: z.number().nullable(),
  dbcv_score: z.number().nullable(),
  cohesion_score: z.number().nullable(),
  computed_at: time.nullable(),
  topic_label: text.nullable(),
  topic_terms: z.array(z.object({ term: text, weight: z.number() })).nullable(),
  representatives: z.array(id).nullable(),
  ...times,
});

const clusterMember = z.object({
  cluster_id: id,
  memory_id: id,
  confidence: z.number().min(0).max(1),
  added_at: time,
});

const media = z.object({
  memory_id: id,
  kind: z.enum(['audio', 'video']),
  /** The file is the entry `blobs/<sha256>`. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().positive(),
  filename: text.max(1_000).nullable(),
  mime_type: text.max(200),
  duration: z.number().nullable(),
  details: json,
  created_at: time,
});

const tombstone = z.object({ kind: z.enum(erasureKinds), id, erased_at: time });

const transcript = z.object({
  memory_id: id,
  options: transcribeOptions.catch({}),
  ignored_options: z.array(text).max(100),
  provider: text,
  full_transcript: text.nullable(),
  language: text.max(50).nullable(),
  language_confidence: z.number().nullable(),
  duration: z.number().nullable(),
  entities: z.unknown(),
  chapters: z.unknown(),
  summary: text.nullable(),
  created_at: time,
  completed_at: time.nullable(),
});

const interpretation = z.object({
  memory_id: id,
  model: text,
  summary: text.nullable(),
  created_at: time,
  completed_at: time.nullable(),
});

const segment = z.object({
  memory_id: id,
  modality: z.enum(['speech', 'frame']),
  number: count,
  start_time: z.number().min(0),
  end_time: z.number().min(0),
  text,
  speaker: text.nullable(),
  confidence: z.number().nullable(),
  labels: z.array(text).nullable(),
});

/** The schema of each kind, in the order of an archive; files come before `transcripts`. */
export const archiveRecords = {
  spaces: space,
  sessions: session,
  memories: memory,
  relationships: relationship,
  entities: entity,
  mentions: mention,
  assertions: assertion,
  clusters: cluster,
  cluster_members: clusterMember,
  media,
  tombstones: tombstone,
  transcripts: transcript,
  interpretations: interpretation,
  segments: segment,
} as const;

export type ArchiveKind = keyof typeof archiveRecords;
export const archiveKinds = Object.keys(archiveRecords) as ArchiveKind[];
export type ArchiveRecord<K extends ArchiveKind> = z.output<(typeof archiveRecords)[K]>;

/** What an export contains: an account, one of its spaces, or one user; or all accounts. */
export const archiveScope = z.object({
  /** Ids of spaces, `default` for the account level; null: all. */
  spaces: z.array(z.string()).nullable(),
  user_id: z.string().nullable(),
});

export const archiveManifest = z.object({
  format: z.literal(archiveFormat),
  format_version: z.literal(archiveFormatVersion),
  program_version: z.string(),
  created_at: z.iso.datetime(),
  scope: archiveScope,
  accounts: z
    .array(
      z.object({
        id,
        name: text,
        plan: z.string(),
        records: z.partialRecord(z.enum(archiveKinds as [ArchiveKind, ...ArchiveKind[]]), count),
      }),
    )
    .max(100_000),
  files: z.object({ count, bytes: count }),
});

export type ArchiveManifest = z.output<typeof archiveManifest>;
