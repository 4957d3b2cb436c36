import { recordErasures } from '../../instance/erasure-ledger.ts';
import { enqueueJob } from '../../jobs/job-queue.ts';
import type { RunningJob } from '../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../kernel/adaptive-batch-size.ts';
import { AppError } from '../../kernel/errors.ts';
import {
  type App,
  type Ctx,
  systemCtx,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../ctx.ts';
import {
  detachAllFromSession,
  detachPinnedAndProtectedFromSession,
  eraseHiddenInSession,
  findProtectedInSession,
  hideSessionMemories,
} from '../memories/index.ts';
import { deleteSomeActivations } from './activation/store/activations.ts';
import { lockVisibleSession, requireVisibleSession } from './lifecycle.ts';
import { retentionEndsAt } from './model.ts';
import {
  countSessionsInSpace,
  deleteSessionRow,
  deleteSomeSessions,
  type ExpiredSession,
  findExpiredSessions,
  findSession,
  lockSessions,
  markSessionErased,
} from './store/sessions.ts';

export const eraseSessionKind = 'sessions.erase';
export const sessionRetentionKind = 'sessions.retention';
const dueMax = 100;

/**
 * Deletes a session with its memories: one transaction hides all from every read, a job erases
 * the rows. Throws 404 not_found, 403 space_access_denied (also for a space of its memories),
 * 409 memory_protected and confirmation_required with the memories' ids; then nothing is deleted.
 */
export async function removeSession(ctx: Ctx, id: string, confirmed: boolean): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    requireVisibleSession(inTx, await findSession(inTx.tx, inTx.actor.accountId, id));
    // Memories before their session, the same order as in changes of memories: no deadlocks.
    await hideUnprotectedMemories(inTx, id, confirmed);
    await lockVisibleSession(inTx, id);
    // Memories that joined until the session was locked.
    await hideUnprotectedMemories(inTx, id, confirmed);
    await scheduleErasure(inTx, id);
  });
}

/** Hides the memories from every read; all of them or none. */
async function hideUnprotectedMemories(
  inTx: TxCtx,
  sessionId: string,
  confirmed: boolean,
): Promise<void> {
  const { hard, soft } = await findProtectedInSession(inTx, sessionId);
  if (hard.length > 0) {
    throw new AppError('memory_protected', { details: { memory_ids: hard } });
  }
  if (soft.length > 0 && !confirmed) {
    throw new AppError('confirmation_required', { details: { memory_ids: soft } });
  }
  await hideSessionMemories(inTx, sessionId);
}

/** Hides the locked session from every read; a job erases it with its memories. */
async function scheduleErasure(inTx: TxCtx, sessionId: string): Promise<void> {
  const { tx, actor, clock, ids } = inTx;
  const { accountId } = actor;
  const now = clock.now();
  await markSessionErased(tx, accountId, sessionId, now);
  await recordErasures(inTx, 'session', [sessionId]);
  const payload = { session_id: sessionId };
  const job = { id: ids.uuid(), accountId, kind: eraseSessionKind, payload, runAt: now };
  await enqueueJob(tx, { ...job, spaces: visibleSpaces(actor) });
}

/**
 * After a restore: deletes only the session. Memories erased with it are erased separately;
 * memories that are still in it had left it before. False if it does not exist.
 */
export const reapplySessionDeletion = (ctx: Ctx, id: string): Promise<boolean> =>
  withTransaction(ctx, async (inTx) => {
    await detachAllFromSession(inTx, id);
    const [session] = await lockSessions(inTx.tx, inTx.actor.accountId, [id]);
    if (!session) return false;
    await scheduleErasure(inTx, id);
    return true;
  });

/** Job: erases the rows of a deleted session; every step is repeatable. */
export async function eraseSession(app: App, job: RunningJob): Promise<void> {
  const { accountId, payload } = job;
  const sessionId = payload.session_id as string;
  if (accountId === null) return;
  await eraseHiddenInSession(systemCtx(app, accountId), sessionId, job);
  await deleteSessionRow(app.engine.db, accountId, sessionId);
}

/**
 * Job: deletes sessions whose retention has ended, with their memories; pinned and protected ones
 * are detached. An error does not stop the others; the job fails at the end and is retried.
 */
export async function enforceSessionRetention(app: App, job: RunningJob): Promise<void> {
  const errors: unknown[] = [];
  let last: ExpiredSession | null = null;
  for (;;) {
    const due: ExpiredSession[] = await findExpiredSessions(
      app.engine.db,
      app.clock.now(),
      last,
      dueMax,
    );
    for (const { account_id: accountId, id } of due) {
      await endRetention(systemCtx(app, accountId), id).catch((error) => errors.push(error));
      await job.saveProgress(0.5);
    }
    last = due.at(-1) ?? null;
    if (due.length < dueMax) break;
  }
  if (errors.length > 0) throw new AggregateError(errors, 'session retention failed');
}

/** The session was used or its retention extended in the meantime: rolls back. */
class RetentionNotOver extends Error {}

async function endRetention(ctx: Ctx, id: string): Promise<void> {
  const ended = withTransaction(ctx, async (inTx) => {
    // Memories before their session, as in removeSession.
    await detachAndHideMemories(inTx, id);
    const [session] = await lockSessions(inTx.tx, inTx.actor.accountId, [id]);
    const end = session ? retentionEndsAt(session) : null;
    if (end === null || end > inTx.clock.now()) throw new RetentionNotOver();
    await detachAndHideMemories(inTx, id);
    await scheduleErasure(inTx, id);
  });
  await ended.catch((error: unknown) => {
    if (!(error instanceof RetentionNotOver)) throw error;
  });
}

async function detachAndHideMemories(inTx: TxCtx, sessionId: string): Promise<void> {
  await detachPinnedAndProtectedFromSession(inTx, sessionId);
  await hideSessionMemories(inTx, sessionId);
}

/** Throws 409 space_not_empty if the space has sessions. */
export async function requireNoSessionsInSpace(inTx: TxCtx, spaceId: string): Promise<void> {
  const count = await countSessionsInSpace(inTx.tx, inTx.actor.accountId, spaceId);
  if (count === 0) return;
  throw new AppError('space_not_empty', {
    message: 'The space still has sessions.',
    details: { count, sessions: count },
  });
}

/** Erases all sessions of a deleted account, in small steps. */
export async function eraseAccountSessions(ctx: Ctx, job: RunningJob): Promise<void> {
  const { accountId } = ctx.actor;
  for (const deleteSome of [deleteSomeSessions, deleteSomeActivations]) {
    const adaptiveBatch = new AdaptiveBatchSize(ctx.clock);
    const step = (rows: number) => deleteSome(ctx.engine.db, accountId, rows);
    while (await adaptiveBatch.run(step)) await job.saveProgress(0.5);
  }
}
