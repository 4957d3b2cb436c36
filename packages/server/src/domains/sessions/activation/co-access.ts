import type { RunningJob } from '../../../jobs/job-worker.ts';
import { type App, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import { findLinkTargets, lockLinkTargets } from '../../memories/index.ts';
import {
  linkPairs,
  type MemoryPair,
  pairKey,
  reinforceRelationshipsAmong,
  toMemoryPair,
} from '../../relationships/index.ts';
import {
  type AccessRecord,
  findAccesses,
  incrementCoAccesses,
  lockIfCoAccessUnprocessed,
  markCoAccessProcessed,
} from './store/activations.ts';

export const coAccessKind = 'sessions.co_access';

const memoriesMax = 50;
const reinforcement = 0.1;
const sessionsToLink = 3;
const link = { type: 'similar_to', weight: 0.5, metadata: { origin: 'co_access' } } as const;

/**
 * Job: processes a closed session once. Reinforces all relationships between its 50 most accessed
 * memories; a pair that was found in 3 sessions is linked as similar if it has no relationship.
 * All in one transaction.
 */
export async function learnCoAccess(app: App, job: RunningJob): Promise<void> {
  const { accountId, payload } = job;
  if (accountId === null) return;
  const sessionId = payload.session_id as string;
  await withTransaction(systemCtx(app, accountId), (inTx) => learnFromSession(inTx, sessionId));
}

async function learnFromSession(inTx: TxCtx, sessionId: string): Promise<void> {
  const { tx, actor, clock } = inTx;
  const { accountId } = actor;
  const accesses = await findAccesses(tx, accountId, sessionId);
  // Memories before their session: the same lock order as changes of memories.
  const linkTargets = await lockLinkTargets(tx, accountId, await mostAccessed(inTx, accesses));
  if (!(await lockIfCoAccessUnprocessed(tx, accountId, sessionId))) return;
  await markCoAccessProcessed(tx, accountId, sessionId, clock.now());
  const ids = linkTargets.map(({ id }) => id);
  if (ids.length < 2) return;
  const linked = await reinforceRelationshipsAmong(inTx, ids, reinforcement);
  const counted = await incrementCoAccesses(tx, accountId, pairsOf(ids), sessionsToLink);
  const unlinked = counted.filter((pair) => !linked.has(pairKey(pair)));
  if (unlinked.length > 0) await linkPairs(inTx, unlinked, link);
}

/** Existing memories, also soft-deleted ones; ties in order of first access. */
async function mostAccessed(
  { tx, actor }: TxCtx,
  accesses: readonly AccessRecord[],
): Promise<string[]> {
  const ids = accesses.map(({ memory_id }) => memory_id);
  const existing = new Set((await findLinkTargets(tx, actor.accountId, ids)).map(({ id }) => id));
  return accesses
    .filter(({ memory_id }) => existing.has(memory_id))
    .toSorted((a, b) => b.access_count - a.access_count || a.ordinal - b.ordinal)
    .slice(0, memoriesMax)
    .map(({ memory_id }) => memory_id);
}

const pairsOf = (ids: readonly string[]): MemoryPair[] =>
  ids.flatMap((a, i) => ids.slice(i + 1).map((b) => toMemoryPair(a, b)));
