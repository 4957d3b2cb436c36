import type { Answer, CreateMemory, routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { Pace } from '../../kernel/pace.ts';
import { type Page, paginationOf } from '../../kernel/page.ts';
import { recordErasures } from '../../work/erasures.ts';
import type { RunningJob } from '../../work/worker.ts';
import { chargeHeld } from '../accounts/index.ts';
import { type Ctx, requireSpace, type TxCtx, visibleSpaces, withTransaction } from '../ctx.ts';
import { accountModel, removeDocuments, untilModelHolds } from '../index/index.ts';
import { saveChanges } from './change.ts';
import { prepareMemories, requireStorable } from './create.ts';
import { eraseRows } from './erase.ts';
import { announceBulk, announceRemoved } from './events.ts';
import { withIndex } from './faults.ts';
import { endingMemories } from './hooks.ts';
import { presentMemory, revised } from './model.ts';
import { briefsOfSession, erasedOfSession, listSessionRows } from './store/session.ts';
import { lockMemories, markErased } from './store.ts';
import { storeMemories } from './storing.ts';

/** What sessions ask of the memories that belong to them. */

/** Active memories of a session in their order, in the spaces that the key may use. */
export async function listSessionMemories(
  ctx: Ctx,
  sessionId: string,
  page: Page,
): Promise<Answer<typeof routes.cliSessions.memories>> {
  const visible = visibleSpaces(ctx.actor);
  const { accountId } = ctx.actor;
  const { rows, total } = await listSessionRows(ctx.engine.db, accountId, sessionId, visible, page);
  const now = ctx.clock.now();
  return {
    data: rows.map((row) => presentMemory(row, now)),
    pagination: paginationOf(page, total, rows.length),
  };
}

/** Stores chat messages, all or none. */
export const storeMessages = (
  ctx: Ctx,
  bodies: readonly CreateMemory[],
): Promise<Answer<typeof routes.cliSessions.postMessages>> =>
  untilModelHolds(ctx, () => storeTurns(ctx, bodies));

async function storeTurns(
  ctx: Ctx,
  bodies: readonly CreateMemory[],
): Promise<Answer<typeof routes.cliSessions.postMessages>> {
  const model = await accountModel(ctx);
  for (const [index, body] of bodies.entries()) {
    atIndex(index, () => requireStorable(ctx, body, model));
  }
  const prepared = (await prepareMemories(ctx, bodies)).map((item) => ({
    ...item,
    isMessage: true,
  }));
  return withTransaction(ctx, async (inTx) => {
    const outcomes = await storeMemories(inTx, prepared);
    const records = outcomes.map((outcome, index) => {
      if (outcome instanceof AppError) throw withIndex(outcome, index);
      return outcome;
    });
    announceBulk(inTx, 'memory.bulk_created', records);
    const now = inTx.clock.now();
    // The whole answer: it is what the transaction keeps for a replay.
    return { memories: records.map((record) => presentMemory(record, now)) };
  });
}

function atIndex(index: number, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof AppError ? withIndex(error, index) : error;
  }
}

/** Ids of protected memories. Throws 403 where one is in a space that the key may not use. */
export async function protectedInSession(
  { tx, actor }: TxCtx,
  sessionId: string,
): Promise<{ hard: string[]; soft: string[] }> {
  const briefs = await briefsOfSession(tx, actor.accountId, sessionId);
  for (const { space_id } of briefs) requireSpace(actor, space_id);
  const of = (level: string): string[] =>
    briefs.filter((brief) => brief.protection_level === level).map(({ id }) => id);
  return { hard: of('hard'), soft: of('soft') };
}

/** Takes every memory of a session out of reads, search and quota; eraseMarked does the rest. */
export async function markSessionMemories(inTx: TxCtx, sessionId: string): Promise<void> {
  const { tx, actor, clock } = inTx;
  const briefs = await briefsOfSession(tx, actor.accountId, sessionId);
  const ids = briefs.map(({ id }) => id);
  await endingMemories.run(inTx, inTx, ids);
  // Also for none: the counter is locked before the session, as by whoever stores in it.
  await chargeHeld(inTx, actor, 'memories', -ids.length);
  if (ids.length === 0) return;
  await markErased(tx, actor.accountId, ids, clock.now());
  await recordErasures(inTx, 'memory', ids);
  removeDocuments(inTx, ids);
  announceRemoved(inTx, briefs);
  announceBulk(inTx, 'memory.bulk_deleted', briefs);
}

/** Erases the marked memories of a session in small steps; each step may run again. */
export async function eraseMarked(ctx: Ctx, sessionId: string, job: RunningJob): Promise<void> {
  const { accountId } = ctx.actor;
  const pace = new Pace(ctx.clock);
  const step = async (rows: number): Promise<number> => {
    const ids = await erasedOfSession(ctx.engine.db, accountId, sessionId, rows);
    await eraseRows(ctx, ids);
    return ids.length;
  };
  while ((await pace.step(step)) > 0) await job.progress(0.5);
}

/** Pinned and hard-protected memories leave the session and stay. */
export const detachKept = (inTx: TxCtx, sessionId: string): Promise<void> =>
  detach(inTx, sessionId, (brief) => brief.is_pinned || brief.protection_level === 'hard');

/** All memories leave the session and stay. */
export const detachAll = (inTx: TxCtx, sessionId: string): Promise<void> =>
  detach(inTx, sessionId, () => true);

type Brief = Awaited<ReturnType<typeof briefsOfSession>>[number];

async function detach(
  inTx: TxCtx,
  sessionId: string,
  isKept: (brief: Brief) => boolean,
): Promise<void> {
  const { tx, actor, clock } = inTx;
  const kept = (await briefsOfSession(tx, actor.accountId, sessionId)).filter(isKept);
  const records = await lockMemories(
    tx,
    actor.accountId,
    kept.map(({ id }) => id),
  );
  const now = clock.now();
  const changes = records.map((before) => ({
    before,
    after: revised({ ...before, session_id: null, session_ordinal: null }, now),
  }));
  await saveChanges(inTx, changes, 'memory.updated');
}
