import type { DetectUpdates } from '@mneme/contract';
import { enqueueJob } from '../../jobs/job-queue.ts';
import { type RunningJob, requeueResult } from '../../jobs/job-worker.ts';
import { findAccountActor } from '../accounts/index.ts';
import { type Actor, type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../ctx.ts';
import { type EndedFact, findEndedFacts } from '../graph/index.ts';
import { lockLinkTargets, type MemoryRecord, memoriesInTx } from '../memories/index.ts';
import {
  findDerivationsAmong,
  reindexLikelySuccessors,
  supersededBy,
} from '../relationships/index.ts';
import { publishSuggested } from './events.ts';
import {
  canBeOutdated,
  canOutdate,
  type FactSuggestion,
  factConfidenceMax,
  pairKey,
  suggestionMin,
} from './model.ts';
import {
  findSuggestionsAbout,
  listLikelySuccessors,
  upsertFactSuggestions,
  withdrawFactSuggestions,
} from './store/suggestions.ts';

/** Queued where the graph has marked that facts of memories have ended, or have not. */
export const suggestEndedKind = 'updates.suggest_ended';

const jobMemories = 1_000;
const batchMemories = 50;

/** In a job, because memories are locked before the graph, and not after it. */
export async function enqueueEnded(inTx: TxCtx, memoryIds: readonly string[]): Promise<void> {
  const { tx, actor, clock, ids: idGenerator } = inTx;
  for (let at = 0; at < memoryIds.length; at += jobMemories) {
    await enqueueJob(tx, {
      id: idGenerator.uuid(),
      accountId: actor.accountId,
      kind: suggestEndedKind,
      payload: { ids: memoryIds.slice(at, at + jobMemories) },
      runAt: clock.now(),
      spaces: null,
    });
  }
}

/**
 * Job: suggests that memories are outdated of which no fact holds any more, by the memory that said
 * so first, and withdraws such suggestions where that is over. A repeated step changes nothing.
 */
export async function suggestEnded(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  if (job.accountId === null) throw new Error('the job has no account');
  const ctx = systemCtx(app, job.accountId);
  const account = await findAccountActor(ctx.engine.db, job.accountId);
  if (!account) return undefined;
  let ids = job.payload.ids as string[];
  for (;;) {
    await suggestAbout(ctx, account.actor, ids.slice(0, batchMemories));
    ids = ids.slice(batchMemories);
    if (ids.length === 0) return undefined;
    await job.saveProgress(0.5, { ids });
    if (job.shouldYield()) return requeueResult;
  }
}

async function suggestAbout(ctx: Ctx, actor: Actor, memoryIds: readonly string[]): Promise<void> {
  const { accountId } = actor;
  const { db } = ctx.engine;
  const query = { memoryIds, now: ctx.clock.now() };
  const expected = await findEndedFacts(db, accountId, query);
  const existing = await findSuggestionsAbout(db, accountId, memoryIds);
  const pairs = [...expected, ...existing];
  if (pairs.length === 0) return;
  const ids = [...new Set([...memoryIds, ...pairs.map(({ newerId }) => newerId)])];
  const outdated = await supersededBy(ctx, ids);
  const derivations = await findDerivationsAmong(ctx, ids);
  // A memory repeats what it is derived from: neither outdates the other.
  const related = new Set(
    derivations.flatMap(({ memoryId, sourceId }) => [
      pairKey({ newerId: memoryId, olderId: sourceId }),
      pairKey({ newerId: sourceId, olderId: memoryId }),
    ]),
  );
  await withTransaction(ctx, async (systemTx) => {
    const inTx = { ...systemTx, actor };
    const { tx } = inTx;
    const locked = await lockLinkTargets(tx, accountId, ids);
    const records = await memoriesInTx(
      inTx,
      locked.map(({ id }) => id),
    );
    // Read again: another step may have written, and a change of the graph queues a job of its own.
    const facts = (await findEndedFacts(tx, accountId, query)).filter(
      (fact) =>
        isPossible(actor, records, fact) &&
        !outdated.has(fact.newerId) &&
        !outdated.has(fact.olderId) &&
        !related.has(pairKey(fact)),
    );
    const known = await findSuggestionsAbout(tx, accountId, memoryIds);
    const suggestions = choose(facts, known);
    const olderIds = new Set([...known, ...suggestions].map(({ olderId }) => olderId));
    await store(inTx, { olderIds: [...olderIds], records, suggestions });
  });
}

/** Whether the pair may be suggested, as both memories are now. */
function isPossible(
  { settings }: Actor,
  records: ReadonlyMap<string, MemoryRecord>,
  { newerId, olderId }: EndedFact,
): boolean {
  const [newer, older] = [records.get(newerId), records.get(olderId)];
  if (!newer || !older) return false;
  const mode = (newer.detect_updates ?? settings.detect_updates) as DetectUpdates;
  return mode !== 'off' && canOutdate(newer) && canBeOutdated(older, newer);
}

/**
 * One suggestion for each older memory: of a pair that has one, whether it is open or was decided,
 * else by the memory that said so first. A repetition is not suggested, too.
 */
function choose(
  facts: readonly EndedFact[],
  known: Awaited<ReturnType<typeof findSuggestionsAbout>>,
): FactSuggestion[] {
  const withFact = new Set(known.filter(({ hasFact }) => hasFact).map(pairKey));
  const withAny = new Set(known.map(pairKey));
  return [...Map.groupBy(facts, ({ olderId }) => olderId).values()].flatMap((own) => {
    // Ids are in the order of their creation.
    const ordered = own.toSorted((a, b) => (a.newerId < b.newerId ? -1 : 1));
    const chosen =
      ordered.find((one) => withFact.has(pairKey(one))) ??
      ordered.find((one) => withAny.has(pairKey(one))) ??
      ordered[0];
    const confidence = factConfidenceMax * (chosen?.confidence ?? 0);
    if (!chosen || confidence < suggestionMin) return [];
    const { newerId, olderId, factId, isEndStated } = chosen;
    return { newerId, olderId, factId, confidence, reason: isEndStated ? 'ended' : 'other_value' };
  });
}

interface Chosen {
  /** All older memories that have suggestions, or get some. */
  readonly olderIds: readonly string[];
  readonly records: ReadonlyMap<string, MemoryRecord>;
  readonly suggestions: readonly FactSuggestion[];
}

async function store(inTx: TxCtx, { olderIds, records, suggestions }: Chosen): Promise<void> {
  const { tx, actor, clock } = inTx;
  const { accountId } = actor;
  await withdrawFactSuggestions(tx, accountId, olderIds, suggestions);
  const added = await upsertFactSuggestions(tx, accountId, suggestions, clock.now());
  publishSuggested(inTx, suggestions, added, records);
  const present = olderIds.filter((id) => records.has(id));
  if (present.length === 0) return;
  await reindexLikelySuccessors(inTx, await listLikelySuccessors(tx, accountId, present));
}
