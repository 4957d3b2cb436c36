import type { DetectUpdates, UpdateReason, UpdateSuggestion } from '@mneme/contract';
import type { AssertedFact } from '../graph/index.ts';
import type { MemoryRecord } from '../memories/index.ts';
import { isTurn, isUnverifiedMail, referenceTimeOf } from '../memories/index.ts';

/** What is less probable is not suggested. */
export const suggestionMin = 0.5;
/** From this confidence on, `apply` supersedes. */
export const applicationMin = 0.9;
/**
 * Facts alone never supersede: a text says more than they do, and two people may share a name. So
 * they claim this at most, like the built-in comparison of texts.
 */
export const factConfidenceMax = 0.85;
/** So many of the nearest memories are compared with a new one. */
export const candidatesMax = 8;
/** Memories with a lower cosine, on the scale of the shipped encoder, are about something else. */
export const similarityMin = 0.25;

export interface MemoryPair {
  readonly newerId: string;
  readonly olderId: string;
}

export const pairKey = ({ newerId, olderId }: MemoryPair): string => `${newerId} ${olderId}`;

export interface NewSuggestion extends MemoryPair {
  readonly confidence: number;
  readonly reason: UpdateReason;
  readonly status: UpdateSuggestion['status'];
}

/** What the facts of the graph say about a pair. */
export interface FactSuggestion extends MemoryPair {
  /** The assertion of the older memory that has ended. */
  readonly factId: string;
  readonly confidence: number;
  readonly reason: UpdateReason;
}

export interface SuggestionRecord {
  readonly newer_id: string;
  readonly older_id: string;
  readonly confidence: number;
  readonly reason: string;
  readonly fact_id: string | null;
  readonly status: string;
  readonly created_at: Date;
}

export const presentSuggestion = (
  record: SuggestionRecord,
  fact: AssertedFact | undefined,
): UpdateSuggestion => ({
  newer_id: record.newer_id,
  older_id: record.older_id,
  confidence: roundConfidence(record.confidence),
  reason: record.reason as UpdateReason,
  fact: fact ? presentFact(fact) : null,
  status: record.status as UpdateSuggestion['status'],
  created_at: record.created_at.toISOString(),
});

const presentFact = ({ statement, predicate, endedAt }: AssertedFact) => ({
  statement,
  predicate,
  ended_at: endedAt?.toISOString() ?? null,
});

export const roundConfidence = (confidence: number): number => Math.round(confidence * 1e3) / 1e3;

/** Media files have titles for texts, which state nothing. */
const comparedTypes: ReadonlySet<string> = new Set(['text', 'markdown']);

/** What decides whether an older memory may be outdated by a newer one. */
type ComparableMemory = Pick<
  MemoryRecord,
  | 'account_id'
  | 'id'
  | 'space_id'
  | 'user_id'
  | 'agent_id'
  | 'run_id'
  | 'content'
  | 'content_type'
  | 'protection_level'
  | 'occurred_at'
  | 'expires_at'
  | 'deleted_at'
  | 'created_at'
>;

/** A memory as it is compared, without metadata and other fields that may be large. */
export interface ComparedMemory extends ComparableMemory {
  readonly isTurn: boolean;
}

export const toCompared = (record: MemoryRecord): ComparedMemory => ({
  account_id: record.account_id,
  id: record.id,
  space_id: record.space_id,
  user_id: record.user_id,
  agent_id: record.agent_id,
  run_id: record.run_id,
  content: record.content,
  content_type: record.content_type,
  protection_level: record.protection_level,
  occurred_at: record.occurred_at,
  expires_at: record.expires_at,
  deleted_at: record.deleted_at,
  created_at: record.created_at,
  isTurn: isTurn(record),
});

/** Longer texts are compared in the background only. */
const charactersMax = 1_000;

const isCompared = (record: ComparableMemory): boolean =>
  record.deleted_at === null && comparedTypes.has(record.content_type);

/** Whether the text is short enough to be compared while a request waits. */
export const isShort = ({ content }: ComparableMemory): boolean => content.length <= charactersMax;

/** Whether a memory may outdate others at all: text, not from an unverified sender. */
export const canOutdate = (record: MemoryRecord): boolean =>
  isCompared(record) && !isUnverifiedMail(record);

/**
 * How the text of a memory is compared. Turns of a conversation mostly answer each other: they are
 * compared only if their own field says so.
 */
export const modeOf = (
  record: MemoryRecord,
  { detect_updates: setting }: { readonly detect_updates: string },
): DetectUpdates => (record.detect_updates ?? (isTurn(record) ? 'off' : setting)) as DetectUpdates;

/** Whether the text of an older memory is compared with that of a newer one that is not `off`. */
export const isTextCompared = (older: { readonly isTurn: boolean }, newer: MemoryRecord): boolean =>
  !older.isTurn || newer.detect_updates !== null;

/** Whether the older memory may be outdated by the newer one: of the same owner and space. */
export const canBeOutdated = (older: ComparableMemory, newer: ComparableMemory): boolean =>
  isCompared(older) &&
  older.id !== newer.id &&
  older.protection_level === 'none' &&
  older.space_id === newer.space_id &&
  older.user_id === newer.user_id &&
  older.agent_id === newer.agent_id &&
  older.run_id === newer.run_id &&
  isEarlier(older, newer);

/** By the time of what they tell; ids are in the order of their creation. */
function isEarlier(a: ComparableMemory, b: ComparableMemory): boolean {
  const [first, second] = [referenceTimeOf(a).getTime(), referenceTimeOf(b).getTime()];
  return first === second ? a.id < b.id : first < second;
}
