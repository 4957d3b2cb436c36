import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import type { Tx } from '../../database/index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ctx } from '../ctx.ts';
import {
  type HookCtx,
  listSessionMemories,
  type MemoryChange,
  type SessionJoin,
  storeMessages,
} from '../memories/index.ts';
import { readVisibleSession, requireVisibleSession } from './lifecycle.ts';
import { type CliSessionRecord, invalidTransitionError } from './model.ts';
import { addToSessionCounters, lockSessions, type SessionCounterDelta } from './store/sessions.ts';

/** In their order; only those in spaces that the key may use. */
export async function listMemoriesOfSession(
  ctx: Ctx,
  id: string,
  page: ValidatedRequest<typeof routes.cliSessions.memories>['query'],
): Promise<ResponseBody<typeof routes.cliSessions.memories>> {
  await readVisibleSession(ctx, id);
  return listSessionMemories(ctx, id, page);
}

/** Stores chat turns as memories of the session and its space, all or none. */
export async function postMessages(
  ctx: Ctx,
  id: string,
  { messages }: ValidatedRequest<typeof routes.cliSessions.postMessages>['body'],
): Promise<ResponseBody<typeof routes.cliSessions.postMessages>> {
  const session = await readVisibleSession(ctx, id);
  if (session.status !== 'active') throw invalidTransitionError(session.status, 'add_memory');
  const bodies = messages.map(({ role, name, content, created_at }) => ({
    content,
    space_id: session.space_id,
    session_id: id,
    allow_duplicate: true,
    metadata: { role, ...(name === undefined ? {} : { speaker: name }) },
    ...(created_at === undefined ? {} : { occurred_at: created_at }),
  }));
  return storeMessages(ctx, bodies);
}

/**
 * Hook of the memories: gives each memory its place in its session, or the reason why it may
 * not come in. Sessions stay locked, so that places are given in order of commit.
 */
export async function assignSessionOrdinals(
  { tx }: HookCtx,
  joining: SessionJoin[],
): Promise<void> {
  for (const [accountId, group] of Map.groupBy(joining, ({ actor }) => actor.accountId)) {
    const named = group.flatMap(({ sessionId, previousSessionId }) =>
      previousSessionId ? [sessionId, previousSessionId] : [sessionId],
    );
    const locked = await lockSessions(tx, accountId, [...new Set(named)]);
    const sessions = new Map(locked.map((session) => [session.id, session]));
    const next = new Map(locked.map(({ id, next_ordinal }) => [id, next_ordinal]));
    for (const one of group) {
      const refusal = rejectionOf(one, sessions.get(one.sessionId));
      const ordinal = next.get(one.sessionId) ?? 0;
      one.decision = refusal ? { rejection: refusal } : { ordinal };
      if (!refusal) next.set(one.sessionId, ordinal + 1);
    }
  }
}

function rejectionOf(
  { actor, sessionId }: SessionJoin,
  named: CliSessionRecord | undefined,
): AppError | null {
  try {
    const session = requireVisibleSession({ actor }, named);
    return session.status === 'active'
      ? null
      : invalidTransitionError(session.status, 'add_memory');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    return new AppError(code, { message, details: { session_id: sessionId, ...details } });
  }
}

/** Hook of the memories: keeps the counters of their sessions. */
export async function updateSessionCounters(
  { tx, clock }: HookCtx,
  changes: MemoryChange[],
): Promise<void> {
  const counts = new Map<string, SessionCounterDelta>();
  const add = (
    memory: MemoryChange['after'],
    change: { memories: number; messages?: number; ordinal?: number | null },
  ): void => {
    if (!memory || memory.session_id === null) return;
    const { account_id: accountId, session_id: id } = memory;
    const known = counts.get(id) ?? { accountId, id, memories: 0, messages: 0, lastOrdinal: 0 };
    counts.set(id, {
      ...known,
      memories: known.memories + change.memories,
      messages: known.messages + (change.messages ?? 0),
      lastOrdinal: Math.max(known.lastOrdinal, change.ordinal ?? 0),
    });
  };
  const counted = (memory: MemoryChange['after']): number => (memory?.deleted_at === null ? 1 : 0);
  for (const { before, after, isMessage } of changes) {
    const came = after?.session_id !== before?.session_id;
    add(before, { memories: -counted(before) });
    add(after, {
      memories: counted(after),
      messages: isMessage ? 1 : 0,
      ordinal: came ? (after?.session_ordinal ?? null) : null,
    });
  }
  const told = [...counts.values()].filter(
    ({ memories, messages, lastOrdinal }) => memories !== 0 || messages !== 0 || lastOrdinal > 0,
  );
  if (told.length > 1) await lockSessionsInOrder(tx, told);
  if (told.length > 0) await addToSessionCounters(tx, told, clock.now());
}

/** One statement that changes several rows locks them in any order. */
async function lockSessionsInOrder(tx: Tx, counts: readonly SessionCounterDelta[]): Promise<void> {
  for (const [accountId, group] of Map.groupBy(counts, (one) => one.accountId)) {
    await lockSessions(
      tx,
      accountId,
      group.map(({ id }) => id),
    );
  }
}
