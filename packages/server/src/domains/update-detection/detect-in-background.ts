import type { DetectUpdates } from '@mneme/contract';
import { findAccountActor } from '../accounts/index.ts';
import type { Actor, Ctx, TxCtx } from '../ctx.ts';
import type { ExtractionBatch } from '../graph/index.ts';
import {
  isTurn,
  lockLinkTargets,
  type MemoryRecord,
  memoriesInTx,
  referenceTimeOf,
} from '../memories/index.ts';
import { reindexLikelySuccessors, trySupersede } from '../relationships/index.ts';
import { type ComparisonGroup, type NearMemory, readComparisonGroups } from './candidates.ts';
import { publishSuggested } from './events.ts';
import {
  applicationMin,
  canBeOutdated,
  canOutdate,
  isTextCompared,
  modeOf,
  type NewSuggestion,
  pairKey,
  suggestionMin,
} from './model.ts';
import {
  findDecidedPairs,
  findOlderIds,
  listLikelySuccessors,
  upsertSuggestions,
  withdrawTextSuggestions,
} from './store/suggestions.ts';

/** A pair of memories with the newer one's mode. */
interface FoundPair extends Omit<NewSuggestion, 'status'> {
  readonly mode: DetectUpdates;
}

/**
 * Compares the memories of a batch with their nearest ones, in both directions of time, and
 * suggests which outdate which. A pair that was decided is not compared again, and neither is a
 * memory that is outdated already. If a comparison fails, the memory keeps the suggestions that it
 * has, and the error is logged.
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
  await detection.compareAll(compared, throttle);
  const { judged, found } = detection;
  const failed = compared.filter((record) => !judged.includes(record));
  writes.push((inTx) => storeDetected(inTx, account.actor, { judged, failed, found }));
}

class Detection {
  readonly #ctx: Ctx;
  readonly #actor: Actor;
  /** Keys of pairs that were compared or decided. */
  readonly #done: Set<string>;
  readonly found: FoundPair[] = [];
  /** The memories whose comparison succeeded. */
  readonly judged: MemoryRecord[] = [];

  constructor(ctx: Ctx, actor: Actor, decided: Set<string>) {
    this.#ctx = ctx;
    this.#actor = actor;
    this.#done = decided;
  }

  async compareAll(
    records: readonly MemoryRecord[],
    throttle: ExtractionBatch['throttle'],
  ): Promise<void> {
    try {
      for await (const group of readComparisonGroups(this.#ctx, records, throttle)) {
        await this.#compareGroup(group, throttle);
      }
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'reading of memories for the detection of updates failed');
    }
  }

  /** Compares memories with those that they may outdate, and with those that may outdate them. */
  async #compareGroup(
    { records, near }: ComparisonGroup,
    throttle: ExtractionBatch['throttle'],
  ): Promise<void> {
    for (const record of records) {
      const startedAtMs = this.#ctx.clock.monotonicMs();
      try {
        await this.#judgeBothWays(record, near.get(record.id) ?? []);
        this.judged.push(record);
      } catch (error) {
        this.#ctx.log.warn({ err: error, memory: record.id }, 'detection of updates failed');
      }
      // Let other requests run.
      await new Promise(setImmediate);
      await throttle?.(this.#ctx.clock.monotonicMs() - startedAtMs);
    }
  }

  async #judgeBothWays(record: MemoryRecord, near: readonly NearMemory[]): Promise<void> {
    await this.#judge(
      record,
      near.filter((one) => canBeOutdated(one.record, record)),
    );
    for (const { record: newer, similarity } of near) {
      if (isJudgedByItself(newer, record) || !canOutdate(newer)) continue;
      if (canBeOutdated(record, newer)) await this.#judge(newer, [{ record, similarity }]);
    }
  }

  async #judge(newer: MemoryRecord, older: readonly NearMemory[]): Promise<void> {
    const mode = modeOf(newer, this.#actor.settings);
    if (mode === 'off') return;
    const due = older.filter(({ record }) => {
      if (!isTextCompared({ isTurn: isTurn(record) }, newer)) return false;
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

const isUnchanged = ({ revision }: MemoryRecord): boolean => revision === 1;

/** A memory stored later than an unchanged one is compared with it in a batch of its own. */
const isJudgedByItself = (newer: MemoryRecord, older: MemoryRecord): boolean =>
  newer.id > older.id && isUnchanged(older);

interface Detected {
  /** The memories whose comparison succeeded, and those whose comparison failed. */
  readonly judged: readonly MemoryRecord[];
  readonly failed: readonly MemoryRecord[];
  readonly found: readonly FoundPair[];
}

/**
 * Writes what a batch found; what it found before and no more is withdrawn. What was found when a
 * memory was created is in the ranking from now on, also if the comparison failed.
 */
async function storeDetected(
  systemTx: TxCtx,
  actor: Actor,
  { judged, failed, found }: Detected,
): Promise<void> {
  const inTx = { ...systemTx, actor };
  const { tx, clock } = inTx;
  const { accountId } = actor;
  const open = {
    newerIds: judged.map(({ id }) => id),
    olderIds: judged.filter((one) => !isUnchanged(one)).map(({ id }) => id),
  };
  const kept = await findOlderIds(tx, accountId, {
    newerIds: failed.map(({ id }) => id),
    olderIds: [],
  });
  const formerOlderIds = [...kept, ...(await findOlderIds(tx, accountId, open))];
  const ids = found.flatMap(({ newerId, olderId }) => [newerId, olderId]);
  const locked = new Set([...formerOlderIds, ...ids]);
  if (locked.size === 0) return;
  await lockLinkTargets(tx, accountId, [...locked]);
  const records = await memoriesInTx(inTx, ids);
  // They may have been deleted, protected or moved since they were compared.
  const present = found.filter(({ newerId, olderId }) => {
    const [newer, older] = [records.get(newerId), records.get(olderId)];
    return newer && older && canOutdate(newer) && canBeOutdated(older, newer);
  });
  const suggestions: NewSuggestion[] = [];
  for (const pair of present) {
    const isApplied = isCertain(pair) && (await trySupersede(inTx, pair)) === null;
    suggestions.push({ ...pair, status: isApplied ? 'applied' : 'open' });
  }
  const withdrawn = await withdrawTextSuggestions(tx, accountId, open, present);
  const added = await upsertSuggestions(tx, accountId, suggestions, clock.now());
  publishSuggested(
    inTx,
    suggestions.filter(({ status }) => status === 'open'),
    added,
    records,
  );
  const olderIds = [...new Set([...kept, ...withdrawn, ...present.map(({ olderId }) => olderId)])];
  await reindexLikelySuccessors(inTx, await listLikelySuccessors(tx, accountId, olderIds));
}

const isCertain = ({ mode, confidence }: FoundPair): boolean =>
  mode === 'apply' && confidence >= applicationMin;
