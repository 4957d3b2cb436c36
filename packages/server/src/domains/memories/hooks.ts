import type { PossibleUpdate } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { createHook } from '../../kernel/per-app.ts';
import type { Actor, App, Ctx, TxCtx } from '../ctx.ts';
import type { EmbeddedContent } from './embed.ts';
import type { MemoryRecord } from './model.ts';

/** A memory that is about to join a session; the sessions domain sets `decision`. */
export interface SessionJoin {
  readonly actor: Actor;
  readonly sessionId: string;
  /** The session it leaves; both are locked together, so that concurrent moves cannot deadlock. */
  readonly previousSessionId?: string | null;
  /** Its ordinal in the session, or why it is rejected. */
  decision: { readonly ordinal: number } | { readonly rejection: AppError } | null;
}

/** Returns the ordinal in the session, or the rejection. */
export function resolveSessionJoin({ decision }: SessionJoin): number | AppError {
  if (decision === null) return new AppError('internal_error', { cause: 'no session hook' });
  return 'ordinal' in decision ? decision.ordinal : decision.rejection;
}

/** The parts of the running transaction that hooks of this domain may use. */
export type HookCtx = Pick<TxCtx, 'tx' | 'journal' | 'ids' | 'clock' | 'disposables'>;

/** Called before memories are stored in sessions or moved into them. */
export const beforeSessionJoin = createHook<
  Pick<App, 'disposables'>,
  [ctx: HookCtx, SessionJoin[]]
>();

/** States of a memory; null before it was stored and after it was deleted. */
export interface MemoryChange {
  readonly before: MemoryRecord | null;
  readonly after: MemoryRecord | null;
  /** A new chat message. */
  readonly isMessage?: boolean;
  /** It is imported: that is no activity of its session. */
  readonly isImported?: boolean;
}

/**
 * Called with every change of memories, in its transaction; not when their session is deleted,
 * because its counts no longer matter.
 */
export const onMemoryChanges = createHook<
  Pick<App, 'disposables'>,
  [ctx: HookCtx, MemoryChange[]]
>();

/** A memory that a request creates by itself, not in bulk. */
export interface CreatedDraft {
  readonly record: MemoryRecord;
  readonly content: EmbeddedContent;
  readonly supersedes?: readonly string[];
  /** Set by detection; what is applied there is also superseded. */
  possibleUpdates?: readonly PossibleUpdate[];
  /** Set by detection instead, if it has not read all texts yet. */
  comparison?: OpenComparison;
}

/** A comparison with older memories that ends in the transaction that stores the newer one. */
export interface OpenComparison {
  /** The older memories to read. */
  readonly olderIds: readonly string[];
  /**
   * Which older memories the new one may outdate; none of them is applied.
   * @param read what there is of the older memories
   */
  finish(read: ReadonlyMap<string, MemoryRecord>): readonly PossibleUpdate[];
}

/** Called before the transaction that stores it. */
export const beforeMemoryCreate = createHook<
  Pick<App, 'disposables'>,
  [ctx: Ctx, draft: CreatedDraft]
>();

/** A new memory, and older ones that it may outdate. */
export interface FoundUpdates {
  readonly record: MemoryRecord;
  readonly updates: readonly PossibleUpdate[];
}

/** Called with the new memories of a transaction that may outdate older ones, which are locked. */
export const onUpdatesFound = createHook<
  Pick<App, 'disposables'>,
  [ctx: HookCtx, readonly FoundUpdates[]]
>();

/** Memories that a newer one is about to supersede. */
export interface Succession {
  readonly actor: Actor;
  readonly newerId: string;
  /** The newer one is not stored yet. */
  readonly isNew: boolean;
  /** Without duplicates; the relationships domain removes those that it supersedes already. */
  olderIds: readonly string[];
  /** Set by the relationships domain if one of them cannot be superseded. */
  rejection: AppError | null;
}

/**
 * Called before newer memories are stored, or locked for a change: locks the older ones, which come
 * before sessions and accounts.
 */
export const beforeSupersede = createHook<Pick<App, 'disposables'>, [ctx: HookCtx, Succession[]]>();

/** Called after the newer memories are stored. */
export const onSupersede = createHook<
  Pick<App, 'disposables'>,
  [ctx: HookCtx, readonly Succession[]]
>();

/**
 * Called in the transaction that hides memories from every read before their erasure, with their
 * session or in bulk.
 */
export const beforeMemoriesHide = createHook<
  Pick<App, 'disposables'>,
  [ctx: TxCtx, memoryIds: readonly string[]]
>();

/** Called in the transaction that replaces vectors of memories, before the replacement. */
export const beforeVectorsReplace = createHook<
  Pick<App, 'disposables'>,
  [ctx: TxCtx, memoryIds: readonly string[]]
>();

/** Called in the transaction that deletes rows of memories, before the deletion. */
export const beforeMemoriesErase = createHook<
  Pick<App, 'disposables'>,
  [ctx: TxCtx, memoryIds: readonly string[]]
>();
