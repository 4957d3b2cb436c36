import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireEveryUser } from '../ctx.ts';
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

/** In session order; only memories in spaces that the key may use. */
export async function listMemoriesOfSession(
  ctx: Ctx,
  id: string,
  {
    user_id,
    agent_id,
    run_id,
    ...page
  }: ValidatedRequest<typeof routes.cliSessions.memories>['query'],
): Promise<ResponseBody<typeof routes.cliSessions.memories>> {
  await readVisibleSession(ctx, id);
  return listSessionMemories(ctx, id, { user_id, agent_id, run_id }, page);
}

/** Stores chat turns as memories of the session and its space, all or none. */
export async function postMessages(
  ctx: Ctx,
  id: string,
  { messages }: ValidatedRequest<typeof routes.cliSessions.postMessages>['body'],
): Promise<ResponseBody<typeof routes.cliSessions.postMessages>> {
  const session = await readVisibleSession(ctx, id);
  if (session.status !== 'active') throw invalidTransitionError(session.status, 'add_memory');
  const bodies = messages.map(({ role, name, content, created_at, ...owner }) => ({
    content,
    space_id: session.space_id,
    ...owner,
    session_id: id,
    allow_duplicate: true,
    metadata: { role, ...(name === undefined ? {} : { speaker: name }) },
    ...(created_at === undefined ? {} : { occurred_at: created_at }),
  }));
  return storeMessages(ctx, bodies);
}

/**
 * Hook of the memories domain: assigns each memory its ordinal in the session, or a rejection.
 * Sessions stay locked, so that ordinals follow the order of commits.
 */
export async function assignSessionOrdinals(
  { tx }: HookCtx,
  joining: SessionJoin[],
): Promise<void> {
  for (const [accountId, group] of Map.groupBy(joining, ({ actor }) => actor.accountId)) {
    const sessionIds = group.flatMap(({ sessionId, previousSessionId }) =>
      previousSessionId ? [sessionId, previousSessionId] : [sessionId],
    );
    const locked = await lockSessions(tx, accountId, [...new Set(sessionIds)]);
    const sessions = new Map(locked.map((session) => [session.id, session]));
    const next = new Map(locked.map(({ id, next_ordinal }) => [id, next_ordinal]));
    for (const join of group) {
      const rejection = rejectionOf(join, sessions.get(join.sessionId));
      const ordinal = next.get(join.sessionId) ?? 0;
      join.decision = rejection ? { rejection } : { ordinal };
      if (!rejection) next.set(join.sessionId, ordinal + 1);
    }
  }
}

function rejectionOf(
  { actor, sessionId }: SessionJoin,
  found: CliSessionRecord | undefined,
): AppError | null {
  try {
    // A session shows and counts the memories of every user.
    requireEveryUser(actor);
    const session = requireVisibleSession({ actor }, found);
    return session.status === 'active'
      ? null
      : invalidTransitionError(session.status, 'add_memory');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    return new AppError(code, { message, details: { session_id: sessionId, ...details } });
  }
}

const emptyDelta = (accountId: string, id: string): SessionCounterDelta => ({
  accountId,
  id,
  memories: 0,
  messages: 0,
  lastOrdinal: 0,
  isActivity: false,
});

/** Hook of the memories domain: updates the counters of sessions. */
export async function updateSessionCounters(
  { tx, clock }: HookCtx,
  changes: MemoryChange[],
): Promise<void> {
  const counts = new Map<string, SessionCounterDelta>();
  const add = (
    memory: MemoryChange['after'],
    change: { memories: number; messages?: number; ordinal?: number | null; isActivity?: boolean },
  ): void => {
    if (!memory || memory.session_id === null) return;
    const { account_id: accountId, session_id: id } = memory;
    const delta = counts.get(id) ?? emptyDelta(accountId, id);
    counts.set(id, {
      ...delta,
      memories: delta.memories + change.memories,
      messages: delta.messages + (change.messages ?? 0),
      lastOrdinal: Math.max(delta.lastOrdinal, change.ordinal ?? 0),
      isActivity: delta.isActivity || (change.isActivity ?? false),
    });
  };
  const counted = (memory: MemoryChange['after']): number => (memory?.deleted_at === null ? 1 : 0);
  for (const { before, after, isMessage, isImported = false } of changes) {
    const isNewInSession = after?.session_id !== before?.session_id;
    add(before, { memories: -counted(before) });
    add(after, {
      memories: counted(after),
      messages: isMessage ? 1 : 0,
      ordinal: isNewInSession ? (after?.session_ordinal ?? null) : null,
      isActivity: isNewInSession && !isImported,
    });
  }
  const changedCounts = [...counts.values()].filter(
    ({ memories, messages, lastOrdinal }) => memories !== 0 || messages !== 0 || lastOrdinal > 0,
  );
  for (const [accountId, own] of Map.groupBy(changedCounts, (count) => count.accountId)) {
    const ids = own.map(({ id }) => id);
    // One statement that changes several rows locks them in an undefined order.
    if (ids.length > 1) await lockSessions(tx, accountId, ids);
    await addToSessionCounters(tx, accountId, own, clock.now());
  }
}
