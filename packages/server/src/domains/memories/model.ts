import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
  ContentType,
  CreatedMemory,
  CreateMemoryBody,
  Memory,
  Owner,
  PossibleUpdate,
  ProtectionLevel,
} from '@mneme/contract';
import { leadingSpeaker } from '@mneme/text';
import { AppError } from '../../kernel/errors.ts';
import { Reply } from '../handler.ts';
import type { DocumentAttributes } from '../search-index/index.ts';

/** A memory to store; also of types that requests cannot set. */
export interface NewMemory extends Omit<CreateMemoryBody, 'type' | 'content_type'> {
  readonly type?: ContentType | undefined;
  readonly content_type?: ContentType | undefined;
  /** A chat message: counts as one in its session, and may repeat the content of another one. */
  readonly isMessage?: boolean | undefined;
  /** Decides instead of the content what it is a duplicate of; see `hashDuplicateKey`. */
  readonly duplicateKey?: string | undefined;
}

export interface MemoryRecord extends Owner {
  readonly account_id: string;
  readonly id: string;
  readonly space_id: string | null;
  readonly session_id: string | null;
  /** Its position in the session. */
  readonly session_ordinal: number | null;
  readonly content: string;
  readonly content_type: string;
  readonly content_hash: Uint8Array | null;
  readonly tags: string[];
  readonly metadata: Record<string, unknown>;
  readonly priority: number;
  readonly salience: number | null;
  readonly salience_at: Date | null;
  readonly is_pinned: boolean;
  readonly protection_level: string;
  readonly quality_score: number | null;
  readonly revision: number;
  readonly occurred_at: Date | null;
  /** Never in a hard-protected memory. */
  readonly expires_at: Date | null;
  /** What its creation told; null: the account's setting. */
  readonly detect_updates: string | null;
  readonly verified_at: Date | null;
  readonly deleted_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** Whether something outdated it, or was about to, when it was read; undefined: not known. */
  readonly may_be_outdated?: boolean;
}

const dayMs = 86_400_000;
export const salienceHalfLifeDays = 30;
/** The salience of a memory before it is first computed. */
export const initialSalience = 0.5;
const accessStep = 0.1;
const feedbackStep = 0.2;

type SalienceState = Pick<MemoryRecord, 'salience' | 'salience_at' | 'is_pinned'>;

/** Current salience: halved every 30 days since it was set, unless pinned. Null until computed. */
export function salienceAt(memory: SalienceState, now: Date): number | null {
  const { salience, salience_at: setAt, is_pinned } = memory;
  if (salience === null || setAt === null || is_pinned) return salience;
  const days = Math.max(0, now.getTime() - setAt.getTime()) / dayMs;
  return salience * 0.5 ** (days / salienceHalfLifeDays);
}

/** After `count` accesses: each moves salience a tenth of the remaining way to 1. */
export function salienceAfterAccess(memory: SalienceState, count: number, now: Date): number {
  const before = salienceAt(memory, now) ?? initialSalience;
  return 1 - (1 - before) * (1 - accessStep) ** count;
}

/** After feedback: a fifth of the way to 1 or 0. */
export function salienceAfterFeedback(memory: SalienceState, helpful: boolean, now: Date): number {
  const before = salienceAt(memory, now) ?? initialSalience;
  return before + ((helpful ? 1 : 0) - before) * feedbackStep;
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A memory that nothing supersedes, as one that is new. */
export function presentCurrentMemory(record: MemoryRecord, now: Date): Memory {
  return {
    id: record.id,
    content: record.content,
    content_type: record.content_type as ContentType,
    space_id: record.space_id,
    user_id: record.user_id,
    agent_id: record.agent_id,
    run_id: record.run_id,
    session_id: record.session_id,
    tags: record.tags,
    metadata: record.metadata,
    priority: record.priority,
    salience: salienceAt(record, now),
    is_pinned: record.is_pinned,
    is_deleted: record.deleted_at !== null,
    protection_level: record.protection_level as ProtectionLevel,
    quality_score: record.quality_score,
    occurred_at: iso(record.occurred_at),
    expires_at: iso(record.expires_at),
    verified_at: iso(record.verified_at),
    deleted_at: iso(record.deleted_at),
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
    outdated_by: null,
  };
}

/** The answer of a create. */
export const replyWithCreated = (
  record: MemoryRecord,
  possibleUpdates: readonly PossibleUpdate[],
  now: Date,
): Reply<CreatedMemory> => {
  const memory = presentCurrentMemory(record, now);
  const body = { ...memory, possible_updates: [...possibleUpdates] };
  return new Reply(body, { headers: { etag: etagOf(record) } });
};

/** Whether the memory is no longer there, although it may not be erased yet. */
export const isExpired = ({ expires_at }: Pick<MemoryRecord, 'expires_at'>, now: Date): boolean =>
  expires_at !== null && expires_at <= now;

/** The time of the content, which relative dates in it refer to. */
export const referenceTimeOf = ({
  occurred_at,
  created_at,
}: Pick<MemoryRecord, 'occurred_at' | 'created_at'>): Date => occurred_at ?? created_at;

const etagOf = (record: MemoryRecord): string => `"${record.revision}"`;

/** The memory with its ETag. */
export const replyWithETag = (record: MemoryRecord, memory: Memory): Reply<Memory> =>
  new Reply(memory, { headers: { etag: etagOf(record) } });

/**
 * Whether the memory is a mail with an unverified sender. Its content is not trusted: it never
 * supersedes or changes facts of other memories.
 */
export const isUnverifiedMail = ({ metadata }: Pick<MemoryRecord, 'metadata'>): boolean =>
  metadata.source === 'email' && metadata.email_verified === false;

export const hashContent = (content: string): Uint8Array =>
  createHash('sha256').update(content).digest();

/** No content has the same hash: content has no NUL. */
export const hashDuplicateKey = (key: string): Uint8Array => hashContent(`\0${key}`);

/** The hash of a changed memory; one that is of a duplicate key, or null, stays. */
export const hashOfNewContent = (
  { content, content_hash: hash }: Pick<MemoryRecord, 'content' | 'content_hash'>,
  newContent: string,
): Uint8Array | null => (isContentHash(hash, content) ? hashContent(newContent) : hash);

/** Whether a hash is of the content, and not of a duplicate key. */
export const isContentHash = (hash: Uint8Array | null, content: string): boolean =>
  hash !== null && Buffer.from(hash).equals(hashContent(content));

/** Throws 412 precondition_failed if the caller's ETag does not match the memory's. */
export function requireETagMatch(record: MemoryRecord, ifMatch: readonly string[] | null): void {
  if (ifMatch === null || ifMatch.includes('*') || ifMatch.includes(String(record.revision)))
    return;
  throw new AppError('precondition_failed', { details: { etag: etagOf(record) } });
}

/** Throws 409: hard protection always rejects, soft protection until the change is confirmed. */
export function requireUnprotected(record: MemoryRecord, confirmed: boolean): void {
  if (record.protection_level === 'hard') throw new AppError('memory_protected');
  if (record.protection_level === 'soft' && !confirmed) {
    throw new AppError('confirmation_required');
  }
}

export function requireActiveMemory(record: MemoryRecord): void {
  if (record.deleted_at === null) return;
  throw new AppError('conflict', { message: 'The memory is deleted: restore it first.' });
}

/** The filterable fields of the memory's index document. */
export const toDocumentAttributes = (record: MemoryRecord): DocumentAttributes => ({
  accountId: record.account_id,
  id: record.id,
  kind: 'memory',
  spaceId: record.space_id,
  userId: record.user_id,
  agentId: record.agent_id,
  runId: record.run_id,
  sessionId: record.session_id,
  sessionOrdinal: record.session_ordinal,
  speaker: speakerOf(record),
  role: roleOf(record),
  contentType: record.content_type,
  tags: record.tags,
  priority: record.priority,
  pinned: record.is_pinned,
  salience: record.salience,
  salienceAt: record.salience_at,
  occurredAt: record.occurred_at,
  createdAt: record.created_at,
  hidden: record.deleted_at !== null,
});

/** From the metadata; the content of a session's memory may also begin with its speaker. */
function speakerOf({ metadata, session_id, content }: MemoryRecord): string | null {
  const explicitSpeaker = shortText(metadata.speaker, 100);
  return explicitSpeaker ?? (session_id === null ? null : leadingSpeaker(content));
}

const roleOf = ({ metadata }: MemoryRecord): string | null => shortText(metadata.role, 20);

/** Whether a memory records what was said in a conversation. */
export const isTurn = (record: MemoryRecord): boolean =>
  roleOf(record) !== null || (record.session_id !== null && speakerOf(record) !== null);

function shortText(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null;
  // By code points: half a surrogate pair cannot be stored.
  const text = Array.from(value.trim().slice(0, 2 * max))
    .slice(0, max)
    .join('');
  return text === '' ? null : text;
}

const patchable = [
  'content',
  'metadata',
  'tags',
  'priority',
  'space_id',
  'session_id',
  'occurred_at',
  'expires_at',
] as const;
const flags = ['is_pinned', 'protection_level'] as const;

/** Names of the fields that differ, as in events; compares metadata without key order. */
export function changedFields(before: MemoryRecord, after: MemoryRecord): string[] {
  return [...patchable, ...flags].filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  );
}

/** The memory with its next revision, to be saved. */
export const withNextRevision = (record: MemoryRecord, now: Date): MemoryRecord => ({
  ...record,
  revision: record.revision + 1,
  updated_at: now,
});

/** Removes duplicates, preserving order. */
export const uniqueTags = (tags: readonly string[]): string[] => [...new Set(tags)];
