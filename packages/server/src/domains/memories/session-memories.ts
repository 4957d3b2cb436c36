import type { CreateMemoryBody, OwnerFilter, ResponseBody, routes } from '@mneme/contract';
import { recordErasures } from '../../instance/erasure-ledger.ts';
import type { RunningJob } from '../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../kernel/adaptive-batch-size.ts';
import { type PageRequest, toPagination } from '../../kernel/pagination.ts';
import { chargeResourceQuota } from '../accounts/index.ts';
import {
  type Ctx,
  requireMemoryAccess,
  type TxCtx,
  visibilityOf,
  withTransaction,
} from '../ctx.ts';
import { removeDocuments, retryOnModelChange } from '../search-index/index.ts';
import { saveMemoryChanges } from './change.ts';
import { eraseMarkedMemories } from './erase.ts';
import { publishBulkEvents, publishMemoriesDeleted } from './events.ts';
import { beforeMemoriesHide } from './hooks.ts';
import { insertPreparedMemories } from './insert.ts';
import { isAcceptedItem, throwFirstError } from './item-errors.ts';
import { presentCurrentMemory, withNextRevision } from './model.ts';
import { prepareMemories } from './prepare.ts';
import { presentMemories } from './present.ts';
import { lockMemories, markMemoriesErased } from './store/memories.ts';
import {
  findErasedInSession,
  listSessionMemoryRows,
  lockSessionMemories,
} from './store/session.ts';

/** Functions that the sessions domain uses for memories of sessions. */

/** Active memories of a session in order, in the spaces that the key may use. */
export async function listSessionMemories(
  ctx: Ctx,
  sessionId: string,
  owner: OwnerFilter,
  page: PageRequest,
): Promise<ResponseBody<typeof routes.cliSessions.memories>> {
  const { engine, actor, clock } = ctx;
  const { rows, total } = await listSessionMemoryRows(
    engine.db,
    actor.accountId,
    sessionId,
    { visible: visibilityOf(actor), owner, now: clock.now() },
    page,
  );
  return {
    data: await presentMemories(ctx, rows),
    pagination: toPagination(page, total, rows.length),
  };
}

/** Stores chat messages, all or none. */
export const storeMessages = (
  ctx: Ctx,
  bodies: readonly CreateMemoryBody[],
): Promise<ResponseBody<typeof routes.cliSessions.postMessages>> =>
  retryOnModelChange(ctx, async () => {
    const messages = bodies.map((body) => ({ ...body, isMessage: true }));
    const prepared = await prepareMemories(ctx, messages, { allOrNone: true });
    return withTransaction(ctx, async (inTx) => {
      const results = await insertPreparedMemories(inTx, prepared);
      throwFirstError(results);
      const records = results.filter(isAcceptedItem);
      publishBulkEvents(inTx, 'memory.bulk_created', records);
      const now = inTx.clock.now();
      // The complete response: it is stored in the transaction for a replay.
      return { memories: records.map((record) => presentCurrentMemory(record, now)) };
    });
  });

/** Ids of protected memories. Throws 403 where one is in a space that the key may not use. */
export async function findProtectedInSession(
  { tx, actor }: TxCtx,
  sessionId: string,
): Promise<{ hard: string[]; soft: string[] }> {
  const sessionMemories = await lockSessionMemories(tx, actor.accountId, sessionId);
  for (const memory of sessionMemories) requireMemoryAccess(actor, memory);
  const of = (level: string): string[] =>
    sessionMemories.filter((memory) => memory.protection_level === level).map(({ id }) => id);
  return { hard: of('hard'), soft: of('soft') };
}

/** Hides the memories of a session from reads, search and quota; eraseMarkedMemories follows. */
export async function hideSessionMemories(inTx: TxCtx, sessionId: string): Promise<void> {
  const { tx, actor, clock } = inTx;
  const sessionMemories = await lockSessionMemories(tx, actor.accountId, sessionId);
  const ids = sessionMemories.map(({ id }) => id);
  await beforeMemoriesHide.run(inTx, inTx, ids);
  // Also for none: locks the counter before the session, in the same order as inserts.
  await chargeResourceQuota(inTx, actor, 'memories', -ids.length);
  if (ids.length === 0) return;
  await markMemoriesErased(tx, actor.accountId, ids, clock.now());
  await recordErasures(inTx, 'memory', ids);
  removeDocuments(inTx, ids);
  publishMemoriesDeleted(inTx, sessionMemories);
  publishBulkEvents(inTx, 'memory.bulk_deleted', sessionMemories);
}

/** Erases the hidden memories of a session in small steps; each step is repeatable. */
export async function eraseHiddenInSession(
  ctx: Ctx,
  sessionId: string,
  job: RunningJob,
): Promise<void> {
  const { accountId } = ctx.actor;
  const adaptiveBatch = new AdaptiveBatchSize(ctx.clock);
  const step = async (rows: number): Promise<number> => {
    const ids = await findErasedInSession(ctx.engine.db, accountId, sessionId, rows);
    await eraseMarkedMemories(ctx, ids);
    return ids.length;
  };
  while ((await adaptiveBatch.run(step)) > 0) await job.saveProgress(0.5);
}

/** Detaches pinned and hard-protected memories from the session; they are kept. */
export const detachPinnedAndProtectedFromSession = (
  inTx: TxCtx,
  sessionId: string,
): Promise<void> =>
  detach(inTx, sessionId, (memory) => memory.is_pinned || memory.protection_level === 'hard');

/** Detaches all memories from the session; they are kept. */
export const detachAllFromSession = (inTx: TxCtx, sessionId: string): Promise<void> =>
  detach(inTx, sessionId, () => true);

type SessionMemory = Awaited<ReturnType<typeof lockSessionMemories>>[number];

async function detach(
  inTx: TxCtx,
  sessionId: string,
  shouldDetach: (memory: SessionMemory) => boolean,
): Promise<void> {
  const { tx, actor, clock } = inTx;
  const detached = (await lockSessionMemories(tx, actor.accountId, sessionId)).filter(shouldDetach);
  const records = await lockMemories(
    tx,
    actor.accountId,
    detached.map(({ id }) => id),
  );
  const now = clock.now();
  const changes = records.map((before) => ({
    before,
    after: withNextRevision({ ...before, session_id: null, session_ordinal: null }, now),
  }));
  await saveMemoryChanges(inTx, changes, 'memory.updated');
}
