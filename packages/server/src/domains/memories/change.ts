import type { EventType, Memory } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { chargeEmbedding } from '../accounts/index.ts';
import {
  type Ctx,
  isInTransaction,
  requireSpaceAccess,
  type TxCtx,
  withTransaction,
} from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { type NewDocument, reindexFacts, replaceDocuments } from '../search-index/index.ts';
import { publishChange } from './events.ts';
import {
  beforeSessionJoin,
  onMemoryChanges,
  resolveSessionJoin,
  type SessionJoin,
} from './hooks.ts';
import { asConstraintError, duplicateMemoryError } from './insert.ts';
import {
  type MemoryRecord,
  replyWithETag,
  requireETagMatch,
  toDocumentFacts,
  withNextRevision,
} from './model.ts';
import { findDuplicate, lockMemories, saveMemories } from './store/memories.ts';

/** What a verb does to one locked memory: the new record, or the same one for no change. */
export type MemoryUpdater = (before: MemoryRecord, now: Date) => MemoryRecord;

export interface MemoryUpdate {
  readonly before: MemoryRecord;
  readonly after: MemoryRecord;
  /** New terms and vector, where the content changed. */
  readonly content?: NewDocument['content'] | undefined;
}

export interface ChangeOptions {
  readonly ifMatch: readonly string[] | null;
  readonly content?: NewDocument['content'] | undefined;
  /** Told instead of memory.updated. */
  readonly event?: EventType;
}

/** The memory, locked and allowed. Throws 404 memory_not_found, 403, 412. */
export async function lockMemory(
  { tx, actor }: TxCtx,
  id: string,
  ifMatch: readonly string[] | null,
): Promise<MemoryRecord> {
  const [record] = await lockMemories(tx, actor.accountId, [id]);
  if (!record) throw new AppError('memory_not_found');
  requireSpaceAccess(actor, record.space_id);
  requireETagMatch(record, ifMatch);
  return record;
}

/**
 * The way of every verb that changes one memory: lock, check, change, save, reindex, tell.
 * A change that changes nothing writes nothing and tells nobody.
 */
export async function changeMemory(
  ctx: Ctx,
  id: string,
  options: ChangeOptions,
  change: MemoryUpdater,
): Promise<Reply<Memory>> {
  return withConflictRetry(ctx, async (inTx) => {
    const now = inTx.clock.now();
    const before = await lockMemory(inTx, id, options.ifMatch);
    const changed = change(before, now);
    if (changed === before) return replyWithETag(before, now);
    // Content that is repeated is not new: a vector of the caller's own stays.
    const content = changed.content === before.content ? undefined : options.content;
    if (content) await chargeEmbedding(inTx);
    const after = withNextRevision(await withSessionOrdinal(inTx, before, changed), now);
    await requireUniqueContent(inTx, after);
    await onMemoryChanges.run(inTx, inTx, [{ before, after }]);
    await saveChanges(inTx, [{ before, after, content }], options.event ?? 'memory.updated');
    return replyWithETag(after, now);
  });
}

/** A memory that moves into a session gets its place there, if the session takes it. */
async function withSessionOrdinal(
  inTx: TxCtx,
  before: MemoryRecord,
  after: MemoryRecord,
): Promise<MemoryRecord> {
  const { session_id: sessionId } = after;
  if (sessionId === before.session_id) return after;
  if (sessionId === null) return { ...after, session_ordinal: null };
  const leaving = before.session_id;
  const asked: SessionJoin = {
    actor: inTx.actor,
    sessionId,
    previousSessionId: leaving,
    decision: null,
  };
  await beforeSessionJoin.run(inTx, inTx, [asked]);
  const verdict = resolveSessionJoin(asked);
  if (verdict instanceof AppError) throw verdict;
  return { ...after, session_ordinal: verdict };
}

const attemptsMax = 3;

/**
 * A transaction that may give a memory content or a space. When another one stored the same
 * content, or removed the space, between the look and the save, it looks again and then knows.
 */
export async function withConflictRetry<T>(ctx: Ctx, fn: (ctx: TxCtx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTransaction(ctx, fn);
    } catch (error) {
      const refusal = asConstraintError(error);
      if (refusal === null) throw error;
      if (attempt === attemptsMax || isInTransaction(ctx)) throw refusal;
    }
  }
}

/** Throws 409 duplicate_memory where another memory of its space has its content. */
async function requireUniqueContent({ tx }: TxCtx, record: MemoryRecord): Promise<void> {
  if (record.deleted_at !== null) return;
  const other = await findDuplicate(tx, record);
  if (other !== undefined && other !== record.id) throw duplicateMemoryError(other);
}

/**
 * Saves, indexes and tells: every change of stored memories ends here. Its hooks come before, since
 * they lock sessions: whoever stores has locked its session before it meets the saved content.
 */
export async function saveChanges(
  inTx: TxCtx,
  changes: readonly MemoryUpdate[],
  type: EventType,
): Promise<void> {
  if (changes.length === 0) return;
  await saveMemories(
    inTx.tx,
    changes.map(({ after }) => after),
  );
  applyToIndex(inTx, changes);
  for (const change of changes) publishChange(inTx, change, type);
}

/** New content brings new terms and a new vector; everything else is facts. */
function applyToIndex(inTx: TxCtx, changes: readonly MemoryUpdate[]): void {
  const facts = changes.filter(({ content }) => !content);
  replaceDocuments(
    inTx,
    changes.flatMap(({ after, content }) =>
      content ? [{ ...toDocumentFacts(after), content }] : [],
    ),
  );
  reindexFacts(
    inTx,
    facts.map(({ after }) => toDocumentFacts(after)),
  );
}
