import { isForeignKeyViolation, isUniqueViolation, type Tx } from '../../database/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { releaseMemoryQuota, reserveMemoryQuota } from '../accounts/index.ts';
import { type Ctx, requireSpaceAccess, type TxCtx } from '../ctx.ts';
import { indexDocuments, type NewDocument } from '../search-index/index.ts';
import { findExistingSpaces } from '../spaces/index.ts';
import {
  beforeSessionJoin,
  onMemoryChanges,
  resolveSessionJoin,
  type SessionJoin,
} from './hooks.ts';
import { asItemError } from './item-errors.ts';
import { type MemoryRecord, presentMemory, toDocumentFacts } from './model.ts';
import { findDuplicate, insertMemories } from './store/memories.ts';

/**
 * Characters of content in one transaction, where memories may be stored in several: more would
 * keep other accounts from the embedded engine's one connection for too long.
 */
export const batchCharactersMax = 49_152;

/** A memory that is checked and embedded, and only has to be written. */
export interface PreparedMemory {
  readonly ctx: Ctx;
  /** Gets its place in its session within the transaction. */
  record: MemoryRecord;
  readonly content: NewDocument['content'];
  /** A chat message: the same words may be said twice. */
  readonly isMessage?: boolean;
}

type ItemResult = MemoryRecord | AppError;
type InsertCtx = Pick<TxCtx, 'tx' | 'journal' | 'ids' | 'clock' | 'disposables'>;

/** Writes memories of any accounts with set-wise statements; each has its own outcome. */
export async function insertPreparedMemories(
  inTx: InsertCtx,
  items: readonly PreparedMemory[],
): Promise<ItemResult[]> {
  const outcomes = new Map<PreparedMemory, ItemResult>(await findSpaceRejections(inTx, items));
  const now = inTx.clock.now();
  let waiting = items.filter((item) => !outcomes.has(item));
  while (waiting.length > 0) waiting = await insertWithinQuota(inTx, waiting, outcomes, now);
  publishCreated(
    inTx,
    items.filter((item) => outcomes.get(item) === item.record),
  );
  return items.map((item) => outcomes.get(item) ?? new AppError('internal_error'));
}

/** One turn. Returns those without room for whom others, who needed none, have left some. */
async function insertWithinQuota(
  inTx: InsertCtx,
  items: readonly PreparedMemory[],
  outcomes: Map<PreparedMemory, ItemResult>,
  now: Date,
): Promise<PreparedMemory[]> {
  const { tx } = inTx;
  const refusals = await findQuotaRejections(tx, items, now);
  const fitting = items.filter((item) => !refusals.has(item));
  const unstored = new Map<string, number>();
  const barred = await findSessionRejections(inTx, fitting);
  for (const [item, refusal] of barred) {
    outcomes.set(item, refusal);
    countOne(unstored, item);
  }
  // Not by their outcomes: who waited for room has one from the turn before.
  const admitted = fitting.filter((item) => !barred.has(item));
  const records = admitted.map(({ record }) => record);
  const stored = records.length > 0 ? await insertMemories(tx, records) : new Set<string>();
  for (const item of admitted) {
    const { record } = item;
    if (stored.has(record.id)) outcomes.set(item, record);
    else {
      outcomes.set(item, duplicateMemoryError(await findDuplicate(tx, record)));
      countOne(unstored, item);
    }
  }
  await releaseMemoryQuota(tx, unstored, now);
  // Within the turn, so that the next one gives the places after these.
  const changes = admitted
    .filter(({ record }) => stored.has(record.id))
    .map(({ record, isMessage = false }) => ({ before: null, after: record, isMessage }));
  if (changes.length > 0) await onMemoryChanges.run(inTx, inTx, changes);
  for (const [item, refusal] of refusals) outcomes.set(item, refusal);
  return [...refusals.keys()].filter(({ record }) => unstored.has(record.account_id));
}

const countOne = (
  counts: Map<string, number>,
  { record: { account_id: id } }: PreparedMemory,
): void => void counts.set(id, (counts.get(id) ?? 0) + 1);

/** Who may not into the session that was named; the others get their place in it. */
async function findSessionRejections(
  inTx: InsertCtx,
  items: readonly PreparedMemory[],
): Promise<Map<PreparedMemory, AppError>> {
  const refusals = new Map<PreparedMemory, AppError>();
  const joining = items.flatMap((item): { item: PreparedMemory; asked: SessionJoin }[] => {
    const { session_id: sessionId } = item.record;
    if (sessionId === null) return [];
    return [{ item, asked: { actor: item.ctx.actor, sessionId, decision: null } }];
  });
  if (joining.length === 0) return refusals;
  const asked = joining.map((one) => one.asked);
  await beforeSessionJoin.run(inTx, inTx, asked);
  for (const { item, asked } of joining) {
    const verdict = resolveSessionJoin(asked);
    if (verdict instanceof AppError) refusals.set(item, verdict);
    else item.record = { ...item.record, session_ordinal: verdict };
  }
  return refusals;
}

/** Reserves what may be stored; the last ones of an account that is full are refused. */
async function findQuotaRejections(
  tx: Tx,
  items: readonly PreparedMemory[],
  now: Date,
): Promise<Map<PreparedMemory, AppError>> {
  const byAccount = Map.groupBy(items, ({ record }) => record.account_id);
  const storing = [...byAccount.values()].flatMap(([first, ...more]) =>
    first ? [{ actor: first.ctx.actor, count: 1 + more.length }] : [],
  );
  const refusals = new Map<PreparedMemory, AppError>();
  for (const [accountId, { admitted, rejection }] of await reserveMemoryQuota(tx, storing, now)) {
    if (!rejection) continue;
    for (const item of byAccount.get(accountId)?.slice(admitted) ?? [])
      refusals.set(item, rejection);
  }
  return refusals;
}

async function findSpaceRejections(
  { tx }: Pick<TxCtx, 'tx'>,
  items: readonly PreparedMemory[],
): Promise<Map<PreparedMemory, AppError>> {
  const named = items.filter(({ record }) => record.space_id !== null);
  const known =
    named.length > 0
      ? await findExistingSpaces(
          tx,
          named.map(({ record }) => record.account_id),
          named.map(({ record }) => record.space_id ?? ''),
        )
      : new Set<string>();
  const refusals = new Map<PreparedMemory, AppError>();
  for (const item of items) {
    const { account_id, space_id } = item.record;
    if (space_id !== null && !known.has(`${account_id}:${space_id}`)) {
      refusals.set(item, new AppError('space_not_found', { details: { space_id } }));
      continue;
    }
    try {
      requireSpaceAccess(item.ctx.actor, space_id);
    } catch (error) {
      refusals.set(item, asItemError(error));
    }
  }
  return refusals;
}

/** `id`: of the memory that has the content already, as far as it is known. */
export const duplicateMemoryError = (id: string | undefined): AppError =>
  new AppError('duplicate_memory', { details: { memory_id: id ?? null } });

/** The refusal that a transaction would have given, had it looked a moment later; else null. */
export function asConstraintError(error: unknown): AppError | null {
  if (isUniqueViolation(error, 'memories_content')) return new AppError('duplicate_memory');
  if (isForeignKeyViolation(error, 'memories_space')) return new AppError('space_not_found');
  return null;
}

function publishCreated(inTx: InsertCtx, stored: readonly PreparedMemory[]): void {
  for (const { ctx, record } of stored) {
    inTx.journal.addEvent({
      accountId: record.account_id,
      type: 'memory.created',
      spaceId: record.space_id,
      data: presentMemory(record, ctx.clock.now()),
    });
  }
  indexDocuments(
    inTx,
    stored.map(({ record, content }) => ({ ...toDocumentFacts(record), content })),
  );
}
