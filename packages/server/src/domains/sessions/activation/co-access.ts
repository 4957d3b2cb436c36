import type { RunningJob } from '../../../jobs/job-worker.ts';
import { type App, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import { findLinkTargets, lockLinkTargets } from '../../memories/index.ts';
import {
  linkPairs,
  type MemoryPair,
  pairKey,
  reinforceAmong,
  toPair,
} from '../../relationships/index.ts';
import {
  type AccessRecord,
  findAccesses,
  incrementCoAccesses,
  lockCoAccessUnprocessed,
  markCoAccessProcessed,
} from './store/activations.ts';

export const coAccessKind = 'sessions.co_access';

const memoriesMax = 50;
const reinforcement = 0.1;
const sessionsToLink = 3;
const link = { type: 'similar_to', weight: 0.5, metadata: { origin: 'co_access' } } as const;

/**
 * Job: what a closed session teaches. Each pair of its memories (the 50 most accessed) has all its
 * relationships reinforced; a pair that was found together in 3 sessions is linked as similar
 * where nothing links it yet. All in one transaction that is done once.
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
  const held = await findAccesses(tx, accountId, sessionId);
  // Memories before their session, as whoever changes one.
  const ends = await lockLinkTargets(tx, accountId, await mostAccessed(inTx, held));
  if (!(await lockCoAccessUnprocessed(tx, accountId, sessionId))) return;
  await markCoAccessProcessed(tx, accountId, sessionId, clock.now());
  const ids = ends.map(({ id }) => id);
  if (ids.length < 2) return;
  const linked = await reinforceAmong(inTx, ids, reinforcement);
  const counted = await incrementCoAccesses(tx, accountId, pairsOf(ids), sessionsToLink);
  const fresh = counted.filter((pair) => !linked.has(pairKey(pair)));
  if (fresh.length > 0) await linkPairs(inTx, fresh, link);
}

/** Of those that are still there, also softly deleted; equally often accessed ones by first use. */
async function mostAccessed(
  { tx, actor }: TxCtx,
  held: readonly AccessRecord[],
): Promise<string[]> {
  const ids = held.map(({ memory_id }) => memory_id);
  const there = new Set((await findLinkTargets(tx, actor.accountId, ids)).map(({ id }) => id));
  return held
    .filter(({ memory_id }) => there.has(memory_id))
    .toSorted((a, b) => b.access_count - a.access_count || a.ordinal - b.ordinal)
    .slice(0, memoriesMax)
    .map(({ memory_id }) => memory_id);
}

const pairsOf = (ids: readonly string[]): MemoryPair[] =>
  ids.flatMap((a, i) => ids.slice(i + 1).map((b) => toPair(a, b)));
