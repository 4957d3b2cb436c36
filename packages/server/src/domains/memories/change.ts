import type { EventType, Memory } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { chargeEmbedding } from '../accounts/index.ts';
import {
  type Ctx,
  isInTransaction,
  requireMemoryAccess,
  type TxCtx,
  withTransaction,
} from '../ctx.ts';
import type { Reply } from '../handler.ts';
import {
  indexDocuments,
  type NewDocument,
  reindexAttributes,
  replaceDocuments,
} from '../search-index/index.ts';
import { publishMemoryChanges } from './events.ts';
import {
  beforeSessionJoin,
  beforeSupersede,
  onMemoryChanges,
  onSupersede,
  resolveSessionJoin,
  type SessionJoin,
  type Succession,
} from './hooks.ts';
import { asConstraintError, duplicateMemoryError } from './insert.ts';
import {
  isExpired,
  type MemoryRecord,
  referenceTimeOf,
  replyWithETag,
  requireETagMatch,
  toDocumentAttributes,
  withNextRevision,
} from './model.ts';
import { presentMemory } from './present.ts';
import { findDuplicate, lockMemories, saveMemories } from './store/memories.ts';

/** Changes one locked memory: returns a new record, or the same one if nothing changes. */
export type MemoryUpdater = (before: MemoryRecord, now: Date) => MemoryRecord;

export interface MemoryUpdate {
  readonly before: MemoryRecord;
  readonly after: MemoryRecord;
  /** New terms and vector if the content changed. */
  readonly content?: NewDocument['content'] | undefined;
  /** New terms if only the time that its dates refer to changed; the vectors stay. */
  readonly terms?: NewDocument['content'] | undefined;
}

/** What the index gets of a text, and what it was computed from. */
export interface AnalysedText {
  readonly content: NewDocument['content'];
  readonly text: string;
  /** The time that relative dates refer to. */
  readonly at: Date;
}

export interface MemoryChangeOptions {
  readonly ifMatch: readonly string[] | null;
  /** Of the new content, or of the content at another time. */
  readonly analysed?: AnalysedText | undefined;
  /** Ids of the older memories that it supersedes. */
  readonly supersedes?: readonly string[] | undefined;
  /** Published instead of memory.updated. */
  readonly event?: EventType;
}

/** Locks a memory and checks access. Throws 404 memory_not_found, 403, 412. */
export async function lockMemory(
  { tx, actor, clock }: TxCtx,
  id: string,
  ifMatch: readonly string[] | null,
): Promise<MemoryRecord> {
  const [record] = await lockMemories(tx, actor.accountId, [id]);
  if (!record || isExpired(record, clock.now())) throw new AppError('memory_not_found');
  requireMemoryAccess(actor, record);
  requireETagMatch(record, ifMatch);
  return record;
}

/**
 * Every verb that changes one memory uses this: lock, check, change, save, reindex, publish.
 * A call that changes nothing writes nothing and publishes no event.
 */
export async function changeMemory(
  ctx: Ctx,
  id: string,
  options: MemoryChangeOptions,
  change: MemoryUpdater,
): Promise<Reply<Memory>> {
  return withConflictRetry(ctx, async (inTx) => {
    const now = inTx.clock.now();
    const succession = await lockSuperseded(inTx, id, options.supersedes);
    const before = await lockMemory(inTx, id, options.ifMatch);
    const changed = change(before, now);
    if (succession?.rejection) throw succession.rejection;
    if (succession) await onSupersede.run(inTx, inTx, [succession]);
    if (changed === before) return replyWithETag(before, await presentMemory(inTx, before));
    const { content, terms } = indexContentOf(before, changed, options.analysed);
    if (content) await chargeEmbedding(inTx);
    const after = withNextRevision(await withSessionOrdinal(inTx, before, changed), now);
    await requireUniqueContent(inTx, after);
    await onMemoryChanges.run(inTx, inTx, [{ before, after }]);
    await saveMemoryChanges(
      inTx,
      [{ before, after, content, terms }],
      options.event ?? 'memory.updated',
    );
    return replyWithETag(after, await presentMemory(inTx, after));
  });
}

/** Another request changed the content or its time while this one was analysed: do it again. */
export class AnalysisOutdated extends Error {
  override readonly name = 'AnalysisOutdated';
}

/** Unchanged content is not embedded again, so a caller's own vector stays. */
function indexContentOf(
  before: MemoryRecord,
  after: MemoryRecord,
  analysed: AnalysedText | undefined,
): Pick<MemoryUpdate, 'content' | 'terms'> {
  const at = referenceTimeOf(after);
  const hasNewContent = after.content !== before.content;
  if (!hasNewContent && at.getTime() === referenceTimeOf(before).getTime()) return {};
  if (analysed?.text !== after.content || analysed.at.getTime() !== at.getTime())
    throw new AnalysisOutdated();
  return hasNewContent ? { content: analysed.content } : { terms: analysed.content };
}

/** Locks all memories in one order, and checks the older ones; null without any. */
async function lockSuperseded(
  inTx: TxCtx,
  newerId: string,
  supersedes: readonly string[] = [],
): Promise<Succession | null> {
  if (supersedes.length === 0) return null;
  const { actor } = inTx;
  const olderIds = [...new Set(supersedes)];
  const succession: Succession = { actor, newerId, isNew: false, olderIds, rejection: null };
  await beforeSupersede.run(inTx, inTx, [succession]);
  return succession;
}

/** Assigns an ordinal to a memory that moves into a session, if the session accepts it. */
async function withSessionOrdinal(
  inTx: TxCtx,
  before: MemoryRecord,
  after: MemoryRecord,
): Promise<MemoryRecord> {
  const { session_id: sessionId } = after;
  if (sessionId === before.session_id) return after;
  if (sessionId === null) return { ...after, session_ordinal: null };
  const previousSessionId = before.session_id;
  const join: SessionJoin = {
    actor: inTx.actor,
    sessionId,
    previousSessionId,
    decision: null,
  };
  await beforeSessionJoin.run(inTx, inTx, [join]);
  const ordinal = resolveSessionJoin(join);
  if (ordinal instanceof AppError) throw ordinal;
  return { ...after, session_ordinal: ordinal };
}

const attemptsMax = 3;

/**
 * Runs a transaction that may set the content or space of a memory. If a concurrent one stored the
 * same content or removed the space, retries, so that the checks see the new state.
 */
export async function withConflictRetry<T>(ctx: Ctx, fn: (ctx: TxCtx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTransaction(ctx, fn);
    } catch (error) {
      const constraintError = asConstraintError(error);
      if (constraintError === null) throw error;
      if (attempt === attemptsMax || isInTransaction(ctx)) throw constraintError;
    }
  }
}

/** Throws 409 duplicate_memory if another memory of the space has the same content. */
async function requireUniqueContent({ tx, clock }: TxCtx, record: MemoryRecord): Promise<void> {
  if (record.deleted_at !== null) return;
  const duplicateId = await findDuplicate(tx, record, clock.now());
  if (duplicateId !== undefined && duplicateId !== record.id)
    throw duplicateMemoryError(duplicateId);
}

/**
 * Saves, indexes and publishes: every change of stored memories ends here. Hooks run before,
 * because they lock sessions: a concurrent insert locks its session before the saved content.
 */
export async function saveMemoryChanges(
  inTx: TxCtx,
  changes: readonly MemoryUpdate[],
  type: EventType,
): Promise<void> {
  if (changes.length === 0) return;
  await saveMemories(
    inTx.tx,
    inTx.actor.accountId,
    changes.map(({ after }) => after),
  );
  applyToIndex(inTx, changes);
  await publishMemoryChanges(inTx, changes, type);
}

/** New content replaces terms and vector; a new time its terms; others only update attributes. */
export function applyToIndex(inTx: TxCtx, changes: readonly MemoryUpdate[]): void {
  const attributesOnly = changes.filter(({ content, terms }) => !content && !terms);
  indexDocuments(
    inTx,
    changes.flatMap(({ after, terms }) =>
      terms ? [{ ...toDocumentAttributes(after), content: terms }] : [],
    ),
  );
  replaceDocuments(
    inTx,
    changes.flatMap(({ after, content }) =>
      content ? [{ ...toDocumentAttributes(after), content }] : [],
    ),
  );
  reindexAttributes(
    inTx,
    attributesOnly.map(({ after }) => toDocumentAttributes(after)),
  );
}
