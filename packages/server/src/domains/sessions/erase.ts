import { AppError } from '../../kernel/errors.ts';
import { Pace } from '../../kernel/pace.ts';
import { recordErasures } from '../../work/erasures.ts';
import { enqueue } from '../../work/queue.ts';
import type { RunningJob } from '../../work/worker.ts';
import {
  type App,
  type Ctx,
  systemCtx,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../ctx.ts';
import {
  detachAll,
  detachKept,
  eraseMarked,
  markSessionMemories,
  protectedInSession,
} from '../memories/index.ts';
import { deleteSomeActivations } from './activation/store.ts';
import { knownSession, lockSession } from './lifecycle.ts';
import { retentionEnd } from './model.ts';
import {
  countSessionsInSpace,
  type DueSession,
  deleteSessionRow,
  deleteSomeSessions,
  findDueSessions,
  findSession,
  lockSessions,
  markSessionErased,
} from './store.ts';

export const eraseSessionKind = 'sessions.erase';
export const retainSessionsKind = 'sessions.retention';
const dueMax = 100;

/**
 * Deletes a session with its memories: one transaction takes all out of every read, a job erases
 * the rows. Throws 404 not_found, 403 space_access_denied (also for a space of its memories),
 * 409 memory_protected and confirmation_required with the memories' ids; then nothing is deleted.
 */
export async function removeSession(ctx: Ctx, id: string, confirmed: boolean): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    knownSession(inTx, await findSession(inTx.tx, inTx.actor.accountId, id));
    // Memories before their session, as whoever changes one: so the two never wait for each other.
    await takeMemories(inTx, id, confirmed);
    await lockSession(inTx, id);
    // What came in until the session was locked.
    await takeMemories(inTx, id, confirmed);
    await eraseLater(inTx, id);
  });
}

/** Out of every read; all of them or none. */
async function takeMemories(inTx: TxCtx, sessionId: string, confirmed: boolean): Promise<void> {
  const { hard, soft } = await protectedInSession(inTx, sessionId);
  if (hard.length > 0) {
    throw new AppError('memory_protected', { details: { memory_ids: hard } });
  }
  if (soft.length > 0 && !confirmed) {
    throw new AppError('confirmation_required', { details: { memory_ids: soft } });
  }
  await markSessionMemories(inTx, sessionId);
}

/** The session, which is locked, goes out of every read; a job erases it with its memories. */
async function eraseLater(inTx: TxCtx, sessionId: string): Promise<void> {
  const { tx, actor, clock, ids } = inTx;
  const { accountId } = actor;
  const now = clock.now();
  await markSessionErased(tx, accountId, sessionId, now);
  await recordErasures(inTx, 'session', [sessionId]);
  const payload = { session_id: sessionId };
  const job = { id: ids.uuid(), accountId, kind: eraseSessionKind, payload, runAt: now };
  await enqueue(tx, { ...job, spaces: visibleSpaces(actor) });
}

/**
 * After a restore: the session alone. What was erased with it is gone by then; memories that are
 * still in it had left it before. False where there is none.
 */
export const endSessionAgain = (ctx: Ctx, id: string): Promise<boolean> =>
  withTransaction(ctx, async (inTx) => {
    await detachAll(inTx, id);
    const [session] = await lockSessions(inTx.tx, inTx.actor.accountId, [id]);
    if (!session) return false;
    await eraseLater(inTx, id);
    return true;
  });

/** Job: erases the rows of a deleted session; every step may run again. */
export async function eraseSession(app: App, job: RunningJob): Promise<void> {
  const { accountId, payload } = job;
  const sessionId = payload.session_id as string;
  if (accountId === null) return;
  await eraseMarked(systemCtx(app, accountId), sessionId, job);
  await deleteSessionRow(app.engine.db, accountId, sessionId);
}

/**
 * Job: sessions whose retention is over go with their memories; what must stay is detached. One
 * that fails holds up no other; the job fails with it in the end, and runs again.
 */
export async function retainSessions(app: App, job: RunningJob): Promise<void> {
  const errors: unknown[] = [];
  let last: DueSession | null = null;
  for (;;) {
    const due: DueSession[] = await findDueSessions(app.engine.db, app.clock.now(), last, dueMax);
    for (const { account_id: accountId, id } of due) {
      await endRetention(systemCtx(app, accountId), id).catch((error) => errors.push(error));
      await job.progress(0.5);
    }
    last = due.at(-1) ?? null;
    if (due.length < dueMax) break;
  }
  if (errors.length > 0) throw new AggregateError(errors, 'sessions whose retention did not end');
}

/** Used again, or kept longer, since it was found: everything is taken back. */
class StillKept extends Error {}

async function endRetention(ctx: Ctx, id: string): Promise<void> {
  const ended = withTransaction(ctx, async (inTx) => {
    // Memories before their session, as in removeSession.
    await letMemoriesGo(inTx, id);
    const [session] = await lockSessions(inTx.tx, inTx.actor.accountId, [id]);
    const end = session ? retentionEnd(session) : null;
    if (end === null || end > inTx.clock.now()) throw new StillKept();
    await letMemoriesGo(inTx, id);
    await eraseLater(inTx, id);
  });
  await ended.catch((error: unknown) => {
    if (!(error instanceof StillKept)) throw error;
  });
}

async function letMemoriesGo(inTx: TxCtx, sessionId: string): Promise<void> {
  await detachKept(inTx, sessionId);
  await markSessionMemories(inTx, sessionId);
}

/** Refuses to let a space go that sessions are in. */
export async function requireNoSessions(inTx: TxCtx, spaceId: string): Promise<void> {
  const count = await countSessionsInSpace(inTx.tx, inTx.actor.accountId, spaceId);
  if (count === 0) return;
  throw new AppError('space_not_empty', {
    message: 'The space still has sessions.',
    details: { count, sessions: count },
  });
}

/** All sessions of a deleted account, in small steps. */
export async function eraseAccountSessions(ctx: Ctx, job: RunningJob): Promise<void> {
  const { accountId } = ctx.actor;
  for (const deleteSome of [deleteSomeSessions, deleteSomeActivations]) {
    const pace = new Pace(ctx.clock);
    const step = (rows: number) => deleteSome(ctx.engine.db, accountId, rows);
    while (await pace.step(step)) await job.progress(0.5);
  }
}
