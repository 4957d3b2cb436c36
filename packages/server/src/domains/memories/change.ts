import type { EventType, Memory } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { chargeEmbedding } from '../accounts/index.ts';
import { type Ctx, inTransaction, requireSpace, type TxCtx, withTransaction } from '../ctx.ts';
import type { Reply } from '../handle.ts';
import { type NewDocument, reindexFacts, replaceDocuments } from '../index/index.ts';
import { changedMemories, type Joining, joiningSessions, verdictOf } from './hooks.ts';
import {
  changedFields,
  factsOf,
  type MemoryRecord,
  presentMemory,
  replyWith,
  requireMatch,
} from './model.ts';
import { lockMemories, saveMemories } from './store.ts';
import { duplicateOf, overtaken } from './storing.ts';

/** What a verb does to one locked memory: the new record, or the same one for no change. */
export type Change = (before: MemoryRecord, now: Date) => MemoryRecord;

export interface Changed {
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
  requireSpace(actor, record.space_id);
  requireMatch(record, ifMatch);
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
  change: Change,
): Promise<Reply<Memory>> {
  return storingTransaction(ctx, async (inTx) => {
    const now = inTx.clock.now();
    const before = await lockMemory(inTx, id, options.ifMatch);
    const changed = change(before, now);
    if (changed === before) return replyWith(before, now);
    if (options.content) await chargeEmbedding(inTx);
    const after = await withPlace(inTx, before, changed);
    const saved = { ...after, revision: before.revision + 1, updated_at: now };
    await saveOrDuplicate(inTx, saved);
    applyToIndex(inTx, [{ before, after: saved, content: options.content }]);
    announceChange(inTx, { before, after: saved }, options.event ?? 'memory.updated');
    await changedMemories.run(inTx, inTx, [{ before, after: saved }]);
    return replyWith(saved, now);
  });
}

/** A memory that moves into a session gets its place there, if the session takes it. */
async function withPlace(
  inTx: TxCtx,
  before: MemoryRecord,
  after: MemoryRecord,
): Promise<MemoryRecord> {
  const { session_id: sessionId } = after;
  if (sessionId === before.session_id) return after;
  if (sessionId === null) return { ...after, session_ordinal: null };
  const leaving = before.session_id;
  const asked: Joining = { actor: inTx.actor, sessionId, leaving, verdict: null };
  await joiningSessions.run(inTx, inTx, [asked]);
  const verdict = verdictOf(asked);
  if (verdict instanceof AppError) throw verdict;
  return { ...after, session_ordinal: verdict };
}

const attemptsMax = 3;

/**
 * A transaction that may give a memory content or a space. When another one stored the same
 * content, or removed the space, between the look and the save, it looks again and then knows.
 */
export async function storingTransaction<T>(ctx: Ctx, fn: (ctx: TxCtx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTransaction(ctx, fn);
    } catch (error) {
      const refusal = overtaken(error);
      if (refusal === null) throw error;
      if (attempt === attemptsMax || inTransaction(ctx)) throw refusal;
    }
  }
}

async function saveOrDuplicate(inTx: TxCtx, record: MemoryRecord): Promise<void> {
  if (record.content_hash !== null && record.deleted_at === null) {
    const duplicate = await duplicateOf(inTx, record);
    const other = duplicate.details?.memory_id;
    if (other !== null && other !== record.id) throw duplicate;
  }
  await saveMemories(inTx.tx, [record]);
}

/** New content brings new terms and a new vector; everything else is facts. */
export function applyToIndex(inTx: TxCtx, changes: readonly Changed[]): void {
  const facts = changes.filter(({ content }) => !content);
  replaceDocuments(
    inTx,
    changes.flatMap(({ after, content }) => (content ? [{ ...factsOf(after), content }] : [])),
  );
  reindexFacts(
    inTx,
    facts.map(({ after }) => factsOf(after)),
  );
}

/** The change's own event, and memory.reinforced where the priority rose. */
export function announceChange(
  { journal, actor, clock }: TxCtx,
  { before, after }: Changed,
  type: EventType,
): void {
  const now = clock.now();
  const base = { accountId: actor.accountId, spaceId: after.space_id };
  if (type === 'memory.deleted') {
    journal.event({ ...base, type, data: { id: after.id, soft: true } });
    return;
  }
  const data = presentMemory(after, now);
  if (type !== 'memory.updated') {
    journal.event({ ...base, type, data });
    return;
  }
  const previousData = presentMemory(before, now);
  const changes = changedFields(before, after);
  const [from, to] = [before.space_id, after.space_id];
  if (from === to) journal.event({ ...base, type, data, previousData, changes });
  else {
    // Whole for who sees both spaces; who sees one alone learns nothing of the other.
    const gone = { id: after.id, soft: false };
    const left = { ...base, spaceId: from, hiddenFromSpaceId: to };
    journal.event({ ...left, type: 'memory.deleted', data: gone });
    journal.event({ ...base, hiddenFromSpaceId: from, type: 'memory.created', data });
    journal.event({ ...base, type, data, previousData, changes, secondSpaceId: from });
  }
  if (after.priority > before.priority) {
    const reinforced = { id: after.id, priority: after.priority };
    journal.event({ ...base, type: 'memory.reinforced', data: reinforced });
  }
}
