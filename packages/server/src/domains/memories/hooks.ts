import { AppError } from '../../kernel/errors.ts';
import { hook } from '../../kernel/per-app.ts';
import type { Actor, App, TxCtx } from '../ctx.ts';
import type { MemoryRecord } from './model.ts';

/** A memory on its way into a session; the sessions' own domain fills in what it thinks of it. */
export interface SessionJoin {
  readonly actor: Actor;
  readonly sessionId: string;
  /** The session that it leaves; both are locked at once, so that two that cross never wait. */
  readonly previousSessionId?: string | null;
  /** Its place in the session, or why it may not come in. */
  decision: { readonly ordinal: number } | { readonly rejection: AppError } | null;
}

/** The place in the session, or the refusal. */
export function resolveSessionJoin({ decision }: SessionJoin): number | AppError {
  if (decision === null) return new AppError('internal_error', { cause: 'nobody knows sessions' });
  return 'ordinal' in decision ? decision.ordinal : decision.rejection;
}

/** What a hook of this domain may use of the running transaction. */
export type HookCtx = Pick<TxCtx, 'tx' | 'journal' | 'ids' | 'clock' | 'disposables'>;

/** Called before memories are stored in sessions or moved into them. */
export const beforeSessionJoin = hook<Pick<App, 'disposables'>, [ctx: HookCtx, SessionJoin[]]>();

/** A memory as it was and as it is; null before it was stored and after it was deleted. */
export interface MemoryChange {
  readonly before: MemoryRecord | null;
  readonly after: MemoryRecord | null;
  /** A new chat message. */
  readonly isMessage?: boolean;
}

/**
 * Called with every change of memories, in its transaction; not when their session ends, which
 * counts no more.
 */
export const onMemoryChanges = hook<Pick<App, 'disposables'>, [ctx: HookCtx, MemoryChange[]]>();

/**
 * Called before memories that are to be erased go out of every read at once, with their session or
 * in bulk, in that transaction.
 */
export const beforeHide = hook<
  Pick<App, 'disposables'>,
  [ctx: TxCtx, memoryIds: readonly string[]]
>();

/** Called before rows of memories go for good, in the transaction that removes them. */
export const beforeErase = hook<
  Pick<App, 'disposables'>,
  [ctx: TxCtx, memoryIds: readonly string[]]
>();
