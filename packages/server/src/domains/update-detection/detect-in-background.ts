import type { DetectUpdates } from '@mneme/contract';
import { findAccountActor } from '../accounts/index.ts';
import type { Actor, Ctx, TxCtx } from '../ctx.ts';
import type { ExtractionBatch } from '../graph/index.ts';
import {
  lockLinkTargets,
  type MemoryRecord,
  referenceTimeOf,
  type Succession,
} from '../memories/index.ts';
import { checkSuccessions, linkSuccessions } from '../relationships/index.ts';
import { reindexSuccessors } from '../search-index/index.ts';
import { findNearMemories, type NearMemory } from './candidates.ts';
import {
  applicationMin,
  canBeOutdated,
  canOutdate,
  type MemoryPair,
  type NewSuggestion,
  pairKey,
  roundConfidence,
  suggestionMin,
} from './model.ts';
import {
  deleteOpenSuggestions,
  findDecidedPairs,
  findOlderIds,
  listLikelySuccessors,
  upsertSuggestions,
} from './store/suggestions.ts';

/** A pair of memories with the newer one's mode. */
interface FoundPair extends Omit<NewSuggestion, 'status'> {
  readonly mode: DetectUpdates;
}

/**
 * Compares the memories of a batch with their nearest ones, in both directions of time, and
 * suggests which outdate which. A pair that was decided is not compared again. If a comparison
 * fails, the memory stays without suggestions, and the error is logged.
 */
export async function detectInBackground(ctx: Ctx, batch: ExtractionBatch): Promise<void> {
  const { records, writes, throttle } = batch;
  const compared = records.filter(canOutdate);
  if (compared.length === 0) return;
  const account = await findAccountActor(ctx.engine.db, ctx.actor.accountId);
  if (!account) return;
  const decided = await findDecidedPairs(
    ctx.engine.db,
    ctx.actor.accountId,
    compared.map(({ id }) => id),
  );
  const detection = new Detection(ctx, account.actor, new Set(decided.map(pairKey)));
  for (const record of compared) {
    const startedAtMs = ctx.clock.monotonicMs();
    await detection.compare(record);
    // Let other requests run.
    await new Promise(setImmediate);
    await throttle?.(ctx.clock.monotonicMs() - startedAtMs);
  }
  const ids = compared.map(({ id }) => id);
  writes.push((inTx) => storeDetected(inTx, account.actor, ids, detection.found));
}

class Detection {
  readonly #ctx: Ctx;
  readonly #actor: Actor;
  /** Keys of pairs that were compared or decided. */
  readonly #done: Set<string>;
  readonly found: FoundPair[] = [];

  constructor(ctx: Ctx, actor: Actor, decided: Set<string>) {
    this.#ctx = ctx;
    this.#actor = actor;
    this.#done = decided;
  }

  /** Compares a memory with those that it may outdate, and with those that may outdate it. */
  async compare(record: MemoryRecord): Promise<void> {
    try {
      const near = await findNearMemories(this.#ctx, record);
      await this.#judge(
        record,
        near.filter((one) => canBeOutdated(one.record, record)),
      );
      for (const { record: newer, similarity } of near) {
        if (isJudgedByItself(newer, record) || !canOutdate(newer)) continue;
        if (!canBeOutdated(record, newer)) continue;
        await this.#judge(newer, [{ record, similarity }]);
      }
    } catch (error) {
      this.#ctx.log.warn({ err: error, memory: record.id }, 'detection of updates failed');
    }
  }

  #modeOf(newer: MemoryRecord): DetectUpdates {
    return (newer.detect_updates ?? this.#actor.settings.detect_updates) as DetectUpdates;
  }

  async #judge(newer: MemoryRecord, older: readonly NearMemory[]): Promise<void> {
    const mode = this.#modeOf(newer);
    if (mode === 'off') return;
    const due = older.filter(({ record }) => {
      const key = pairKey({ newerId: newer.id, olderId: record.id });
      const isNew = !this.#done.has(key);
      this.#done.add(key);
      return isNew;
    });
    if (due.length === 0) return;
    const source = { text: newer.content, at: referenceTimeOf(newer) };
    const texts = due.map(({ record, similarity }) => ({
      text: record.content,
      at: referenceTimeOf(record),
      similarity,
    }));
    const { value } = await this.#ctx.language.outdated(source, texts);
    for (const { index, confidence, reason } of value) {
      const olderId = due[index]?.record.id;
      if (olderId === undefined || confidence < suggestionMin) continue;
      this.found.push({ newerId: newer.id, olderId, confidence, reason, mode });
    }
  }
}

/** A memory stored later than an unchanged one is compared with it in a batch of its own. */
const isJudgedByItself = (newer: MemoryRecord, older: MemoryRecord): boolean =>
  newer.id > older.id && older.revision === 1;

/** Writes what a batch found; what it found before and no more is withdrawn. */
async function storeDetected(
  inTx: TxCtx,
  actor: Actor,
  comparedIds: readonly string[],
  found: readonly FoundPair[],
): Promise<void> {
  const { tx, clock, journal } = inTx;
  const { accountId } = actor;
  const formerOlderIds = await findOlderIds(tx, accountId, comparedIds);
  const ids = new Set([
    ...formerOlderIds,
    ...found.flatMap(({ newerId, olderId }) => [newerId, olderId]),
  ]);
  if (ids.size === 0) return;
  const targets = await lockLinkTargets(tx, accountId, [...ids]);
  const active = new Map(
    targets.filter(({ deleted_at: at }) => at === null).map((target) => [target.id, target]),
  );
  const present = found.filter(
    ({ newerId, olderId }) =>
      active.has(olderId) &&
      active.has(newerId) &&
      active.get(olderId)?.space_id === active.get(newerId)?.space_id,
  );
  const applied = await findApplicable(inTx, actor, present);
  const appliedKeys = new Set(applied.map(pairKey));
  const suggestions = present.map(
    (pair): NewSuggestion => ({
      ...pair,
      status: appliedKeys.has(pairKey(pair)) ? 'applied' : 'open',
    }),
  );
  const withdrawn = await deleteOpenSuggestions(tx, accountId, comparedIds, present);
  const added = await upsertSuggestions(tx, accountId, suggestions, clock.now());
  publishSuggested(inTx, suggestions, added, (id) => active.get(id)?.space_id ?? null);
  const olderIds = [...new Set([...withdrawn, ...present.map(({ olderId }) => olderId)])];
  const likely = await listLikelySuccessors(tx, accountId, olderIds);
  await linkApplied(inTx, actor, applied, likely);
  const linked = new Set(applied.map(({ olderId }) => olderId));
  reindexSuccessors(
    { journal, actor },
    [...likely]
      .filter(([id]) => !linked.has(id))
      .map(([id, likelySupersededBy]) => ({ id, likelySupersededBy })),
  );
}

const toSuccession = (actor: Actor, { newerId, olderId }: MemoryPair): Succession => ({
  actor,
  newerId,
  isNew: false,
  olderIds: [olderId],
  rejection: null,
});

/** The pairs that are certain enough, and that a caller could link. */
async function findApplicable(
  inTx: TxCtx,
  actor: Actor,
  pairs: readonly FoundPair[],
): Promise<FoundPair[]> {
  const certain = pairs.filter(
    ({ mode, confidence }) => mode === 'apply' && confidence >= applicationMin,
  );
  const successions = certain.map((pair) => toSuccession(actor, pair));
  if (successions.length > 0) await checkSuccessions(inTx, successions);
  return certain.filter((_, i) => successions[i]?.rejection === null);
}

async function linkApplied(
  inTx: TxCtx,
  actor: Actor,
  pairs: readonly MemoryPair[],
  likely: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  if (pairs.length === 0) return;
  await linkSuccessions(
    inTx,
    pairs.map((pair) => toSuccession(actor, pair)),
    likely,
  );
}

function publishSuggested(
  { journal, actor }: TxCtx,
  suggestions: readonly NewSuggestion[],
  added: readonly MemoryPair[],
  spaceOf: (memoryId: string) => string | null,
): void {
  const addedKeys = new Set(added.map(pairKey));
  for (const suggestion of suggestions) {
    if (suggestion.status !== 'open' || !addedKeys.has(pairKey(suggestion))) continue;
    journal.addEvent({
      accountId: actor.accountId,
      type: 'memory.update_suggested',
      spaceId: spaceOf(suggestion.newerId),
      data: {
        newer_id: suggestion.newerId,
        older_id: suggestion.olderId,
        confidence: roundConfidence(suggestion.confidence),
        reason: suggestion.reason,
      },
    });
  }
}
