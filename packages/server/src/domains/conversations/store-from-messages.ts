import type {
  DerivationAction,
  DerivedMemory,
  FromMessagesBody,
  ResponseBody,
  routes,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import {
  type Ctx,
  canReadMemory,
  requestedUser,
  requireEveryUser,
  type TxCtx,
  withTransaction,
} from '../ctx.ts';
import {
  createMemories,
  findIdsByHashes,
  hashDuplicateKey,
  type ItemResult,
  lockLinkTargets,
  type MemoryRecord,
  memoriesInTx,
  presentMemories,
  publishBulkEvents,
  requireContentSizes,
} from '../memories/index.ts';
import { findDerivedFrom, linkDerivations } from '../relationships/index.ts';
import { invalidTransitionError, readVisibleSession } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { type Derivation, deriveMemories } from './derive.ts';
import { duplicateKeysOf, type Target, toTurnMemory } from './model.ts';

type Response = ResponseBody<typeof routes.memories.fromMessages>;

/** What this request depends on changed while it was analysed: do it again. */
class ConversationChanged extends Error {
  override readonly name = 'ConversationChanged';
}

const attemptsMax = 4;

/**
 * Stores the turns that are not stored yet and what they state, all or none. Throws the errors of a
 * create, not_found (session), invalid_state_transition, and 409 conflict if other requests change
 * the same memories again and again.
 */
export async function storeFromMessages(ctx: Ctx, body: FromMessagesBody): Promise<Response> {
  requireContentSizes(
    ctx,
    body.messages.map(({ content }) => content),
  );
  for (let count = 1; ; count += 1) {
    try {
      return await attempt(ctx, body);
    } catch (error) {
      if (!(error instanceof ConversationChanged)) throw error;
      if (count === attemptsMax) throw new AppError('conflict', { cause: error });
    }
  }
}

/** What is stored, by indices of messages and derivations; null: new. */
interface Plan {
  readonly target: Target;
  readonly turnIds: readonly (string | null)[];
  readonly derivations: readonly Derivation[];
}

async function attempt(
  ctx: Ctx,
  { messages, derive, ...place }: FromMessagesBody,
): Promise<Response> {
  const { target, requireOpen } = await resolveTarget(ctx, place);
  const keys = duplicateKeysOf(target, messages);
  const hashes = keys.map(hashDuplicateKey);
  const turnIds = await findIdsByHashes(ctx.engine.db, target, hashes, ctx.clock.now());
  const isNew = (index: number): boolean => turnIds[index] === null;
  const isRepeated = turnIds.every((id) => id !== null);
  if (!isRepeated) requireOpen();
  const isRead = (index: number): boolean => derive === 'all' || (derive === 'new' && isNew(index));
  const derivations = messages.some((_, index) => isRead(index))
    ? await deriveMemories(ctx, target, messages, isRead)
    : [];
  const plan = { target, turnIds, derivations };
  const turns = messages.flatMap((message, i) =>
    isNew(i) ? [toTurnMemory(target, message, keys[i] as string)] : [],
  );
  const statements = derivations.flatMap(({ memory }) =>
    typeof memory === 'string' ? [] : memory,
  );
  if (turns.length + statements.length === 0) {
    return withTransaction(ctx, async (inTx) => {
      await lockStored(inTx, plan);
      return finish(inTx, plan, []);
    });
  }
  return createMemories(
    ctx,
    [...turns, ...statements],
    async (inTx, results) => finish(inTx, plan, requireStored(results, plan)),
    (inTx) => lockStored(inTx, plan),
  );
}

/**
 * Throws 404 space_not_found or not_found (session), 403 space_access_denied or user_access_denied.
 */
async function resolveTarget(
  ctx: Ctx,
  {
    session_id,
    space_id,
    user_id,
    agent_id,
    run_id,
  }: Omit<FromMessagesBody, 'messages' | 'derive'>,
): Promise<{ target: Target; requireOpen: () => void }> {
  // A session shows and counts the memories of every user.
  if (session_id !== undefined) requireEveryUser(ctx.actor);
  const session = session_id === undefined ? null : await readVisibleSession(ctx, session_id);
  const target = {
    account_id: ctx.actor.accountId,
    space_id: space_id === undefined ? (session?.space_id ?? null) : space_id,
    session_id: session_id ?? null,
    user_id: requestedUser(ctx.actor, user_id) ?? null,
    agent_id: agent_id ?? null,
    run_id: run_id ?? null,
  };
  await requireUsableSpace(ctx, target.space_id);
  const requireOpen = (): void => {
    if (session && session.status !== 'active')
      throw invalidTransitionError(session.status, 'add_memory');
  };
  return { target, requireOpen };
}

/** Locks what will be linked, in one order, before the hooks of the insert lock sessions. */
async function lockStored(inTx: TxCtx, { turnIds, derivations }: Plan): Promise<void> {
  const { tx, actor } = inTx;
  const ids = [
    ...turnIds,
    ...derivations.flatMap(({ memory }) =>
      typeof memory === 'string' ? [memory] : (memory.supersedes ?? []),
    ),
  ].filter((id) => id !== null);
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return;
  const locked = await lockLinkTargets(tx, actor.accountId, wanted);
  const isComplete = locked.length === wanted.length;
  if (!isComplete || locked.some(({ deleted_at }) => deleted_at !== null))
    throw new ConversationChanged();
}

/** Memories that a concurrent request stored, deleted or superseded. */
const concurrencyErrors = new Set(['duplicate_memory', 'memory_not_found', 'conflict']);

/** Throws the first error, with the index of its message. */
function requireStored(results: readonly ItemResult[], { turnIds }: Plan): MemoryRecord[] {
  const newTurns = [...turnIds.entries()].filter(([, id]) => id === null).map(([index]) => index);
  return results.map((result, i) => {
    if (!(result instanceof AppError)) return result;
    const { code, message, status, headers, details } = result;
    if (concurrencyErrors.has(code)) throw new ConversationChanged();
    const index = newTurns[i];
    throw new AppError(code, {
      message,
      status,
      headers,
      cause: result,
      ...(index === undefined ? {} : { details: { ...details, index } }),
    });
  });
}

/** Links and shows what is stored now. `created`: new turns, then new statements, in order. */
async function finish(
  inTx: TxCtx,
  { turnIds, derivations }: Plan,
  created: readonly MemoryRecord[],
): Promise<Response> {
  const fresh = [...created];
  const turns = turnIds.map((id) => id ?? (fresh.shift() as MemoryRecord).id);
  const actions = new Map<string, DerivationAction>();
  const sources = new Map<string, Set<string>>();
  const addSource = (memoryId: string, turnId: string): void => {
    sources.set(memoryId, (sources.get(memoryId) ?? new Set()).add(turnId));
  };
  const known = turns.filter((_, i) => turnIds[i] !== null);
  for (const { memoryId, sourceId } of await findDerivedFrom(inTx, known)) {
    addSource(memoryId, sourceId);
  }
  const links = derivations.flatMap(({ memory, messages }) => {
    const memoryId = typeof memory === 'string' ? memory : (fresh.shift() as MemoryRecord).id;
    if (typeof memory !== 'string')
      actions.set(memoryId, memory.supersedes === undefined ? 'added' : 'updated');
    return messages.map((index) => ({ memoryId, sourceId: turns[index] as string }));
  });
  await linkDerivations(inTx, links);
  for (const { memoryId, sourceId } of links) addSource(memoryId, sourceId);
  if (created.length > 0) publishBulkEvents(inTx, 'memory.bulk_created', created);
  return { turns, memories: await presentDerived(inTx, turns, sources, actions) };
}

/** In the order of their first turns. */
async function presentDerived(
  inTx: TxCtx,
  turns: readonly string[],
  sources: ReadonlyMap<string, ReadonlySet<string>>,
  actions: ReadonlyMap<string, DerivationAction>,
): Promise<DerivedMemory[]> {
  const records = await memoriesInTx(inTx, [...sources.keys()]);
  const visible = [...sources.keys()].flatMap((id) => {
    const record = records.get(id);
    return record && canReadMemory(inTx.actor, record) ? [record] : [];
  });
  const memories = await presentMemories(inTx, visible);
  const derived = memories.map((memory) => ({
    ...memory,
    source_ids: turns.filter((id) => sources.get(memory.id)?.has(id)),
    action: actions.get(memory.id) ?? ('unchanged' as const),
  }));
  const placeOf = ({ source_ids: [first = ''] }: DerivedMemory): number => turns.indexOf(first);
  return derived.toSorted((a, b) => placeOf(a) - placeOf(b));
}
