import type { PossibleUpdate } from '@mneme/contract';
import { isForeignKeyViolation, isUniqueViolation, type Tx } from '../../database/index.ts';
import { sharedOwner } from '../../events/shared-owner.ts';
import { AppError } from '../../kernel/errors.ts';
import { releaseMemoryQuota, reserveMemoryQuota } from '../accounts/index.ts';
import { type Ctx, requireSpaceAccess, type TxCtx } from '../ctx.ts';
import { indexNewDocuments, type NewDocument } from '../search-index/index.ts';
import { findExistingSpaces } from '../spaces/index.ts';
import { expiryAfter } from './expiry.ts';
import {
  beforeSessionJoin,
  beforeSupersede,
  type OpenComparison,
  onMemoryChanges,
  onSupersede,
  onUpdatesFound,
  resolveSessionJoin,
  type SessionJoin,
  type Succession,
} from './hooks.ts';
import { asItemError, isAcceptedItem } from './item-errors.ts';
import { type MemoryRecord, presentCurrentMemory, toDocumentAttributes } from './model.ts';
import { lockOutdatable } from './store/link-targets.ts';
import { findDuplicate, findMemories, hasAccount, insertMemories } from './store/memories.ts';

/**
 * Maximum characters of content per transaction if several are allowed: more would block other
 * accounts on the embedded engine's one connection for too long.
 */
export const batchCharactersMax = 49_152;

/** A validated and embedded memory, ready to be written. */
export interface PreparedMemory {
  readonly ctx: Ctx;
  /** The transaction sets its ordinal in the session. */
  record: MemoryRecord;
  readonly content: NewDocument['content'];
  /** Ids of the older memories that it supersedes. */
  readonly supersedes?: readonly string[];
  /** Older memories that it may outdate; those that are applied are also in `supersedes`. */
  possibleUpdates?: readonly PossibleUpdate[];
  /** Sets `possibleUpdates` when it is stored. */
  readonly comparison?: OpenComparison;
  /** Expires when memories of its space do by default. */
  readonly usesSpaceLifetime?: boolean;
  /** A chat message: may repeat the content of another one. */
  readonly isMessage?: boolean;
}

/** The stored memory, or why it was rejected. */
export type ItemResult = MemoryRecord | AppError;
export type InsertCtx = Pick<TxCtx, 'tx' | 'journal' | 'ids' | 'clock' | 'disposables'>;

/**
 * The second half of every insert: inserts memories of one account with bulk statements, indexes
 * and publishes them. Each has its own result; items that were rejected before keep their errors.
 */
export async function insertPreparedMemories(
  inTx: InsertCtx,
  prepared: readonly (PreparedMemory | AppError)[],
): Promise<ItemResult[]> {
  const items = prepared.filter(isAcceptedItem);
  const [first] = items;
  if (first !== undefined) {
    const { account_id: accountId } = first.record;
    if (items.some(({ record }) => record.account_id !== accountId)) {
      throw new Error('memories of several accounts in one insert');
    }
    const results = await insertItems(inTx, accountId, items);
    return prepared.map((item) =>
      item instanceof AppError ? item : (results.get(item) ?? new AppError('internal_error')),
    );
  }
  return prepared.filter((item) => item instanceof AppError);
}

async function insertItems(
  inTx: InsertCtx,
  accountId: string,
  items: readonly PreparedMemory[],
): Promise<ReadonlyMap<PreparedMemory, ItemResult>> {
  await finishComparisons(inTx.tx, accountId, items);
  await lockPossibleUpdates(inTx, accountId, items);
  const results = new Map<PreparedMemory, ItemResult>(
    await findSpaceRejections(inTx, accountId, items),
  );
  const successions = await findSuccessions(
    inTx,
    items.filter((item) => !results.has(item)),
  );
  for (const [item, { rejection }] of successions) if (rejection) results.set(item, rejection);
  const now = inTx.clock.now();
  let remaining = items.filter((item) => !results.has(item));
  while (remaining.length > 0) {
    remaining = await insertWithinQuota(inTx, accountId, remaining, results, now);
  }
  const stored = items.filter((item) => results.get(item) === item.record);
  publishCreated(inTx, stored);
  const accomplished = stored.flatMap((item) => successions.get(item) ?? []);
  if (accomplished.length > 0) await onSupersede.run(inTx, inTx, accomplished);
  const found = stored.flatMap(({ record, possibleUpdates: updates = [] }) =>
    updates.length > 0 ? [{ record, updates }] : [],
  );
  if (found.length > 0) await onUpdatesFound.run(inTx, inTx, found);
  return results;
}

/** Reads what open comparisons need, for all memories at once. */
async function finishComparisons(
  tx: Tx,
  accountId: string,
  items: readonly PreparedMemory[],
): Promise<void> {
  const open = items.filter(({ comparison }) => comparison);
  if (open.length === 0) return;
  const ids = new Set(open.flatMap(({ comparison }) => comparison?.olderIds ?? []));
  const records = await findMemories(tx, accountId, [...ids]);
  const read = new Map(records.map((record) => [record.id, record]));
  for (const item of open) item.possibleUpdates = item.comparison?.finish(read) ?? [];
}

/**
 * Locks the older memories, which come before sessions and accounts; drops those that are gone or
 * protected since they were compared.
 */
async function lockPossibleUpdates(
  { tx, clock }: InsertCtx,
  accountId: string,
  items: readonly PreparedMemory[],
): Promise<void> {
  const affected = items.filter(({ possibleUpdates = [] }) => possibleUpdates.length > 0);
  if (affected.length === 0) return;
  const ids = affected.flatMap(({ possibleUpdates = [], supersedes = [] }) => [
    ...possibleUpdates.map(({ memory_id: id }) => id),
    ...supersedes,
  ]);
  const outdatable = await lockOutdatable(tx, accountId, [...new Set(ids)], clock.now());
  for (const item of affected) {
    item.possibleUpdates = (item.possibleUpdates ?? []).filter(({ memory_id: id }) =>
      outdatable.has(id),
    );
  }
}

/** What the items supersede, checked; items that supersede nothing have no entry. */
async function findSuccessions(
  inTx: InsertCtx,
  items: readonly PreparedMemory[],
): Promise<Map<PreparedMemory, Succession>> {
  const successions = new Map(
    items.flatMap((item): [PreparedMemory, Succession][] => {
      const { ctx, record, supersedes: olderIds = [] } = item;
      if (olderIds.length === 0) return [];
      const { actor } = ctx;
      return [[item, { actor, newerId: record.id, isNew: true, olderIds, rejection: null }]];
    }),
  );
  if (successions.size > 0) await beforeSupersede.run(inTx, inTx, [...successions.values()]);
  return successions;
}

/** One pass. Returns the items without quota if there are unused reservations for another pass. */
async function insertWithinQuota(
  inTx: InsertCtx,
  accountId: string,
  items: readonly PreparedMemory[],
  results: Map<PreparedMemory, ItemResult>,
  now: Date,
): Promise<PreparedMemory[]> {
  const { tx } = inTx;
  const rejections = await findQuotaRejections(tx, items, now);
  const withinQuota = items.filter((item) => !rejections.has(item));
  const rejectedBySession = await findSessionRejections(inTx, withinQuota);
  for (const [item, rejection] of rejectedBySession) results.set(item, rejection);
  // Not by their results: items of an earlier pass without quota have one already.
  const admitted = withinQuota.filter((item) => !rejectedBySession.has(item));
  const records = admitted.map(({ record }) => record);
  const duplicates = await insertUnlessDuplicate(tx, accountId, records, now);
  for (const item of admitted) {
    results.set(item, duplicates.get(item.record) ?? item.record);
  }
  const unused = rejectedBySession.size + duplicates.size;
  await releaseMemoryQuota(tx, accountId, unused, now);
  // Within the pass, so that the next one continues the ordinals.
  const changes = admitted
    .filter(({ record }) => !duplicates.has(record))
    .map(({ record, isMessage = false }) => ({ before: null, after: record, isMessage }));
  if (changes.length > 0) await onMemoryChanges.run(inTx, inTx, changes);
  for (const [item, rejection] of rejections) results.set(item, rejection);
  return unused > 0 ? [...rejections.keys()] : [];
}

/**
 * Returns the errors of those whose content another memory has. Throws 401 invalid_api_key if the
 * account was erased meanwhile.
 */
async function insertUnlessDuplicate(
  tx: Tx,
  accountId: string,
  records: readonly MemoryRecord[],
  now: Date,
  attempt = 1,
): Promise<Map<MemoryRecord, AppError>> {
  const duplicates = new Map<MemoryRecord, AppError>();
  if (records.length === 0) return duplicates;
  const stored = await insertMemories(tx, accountId, records);
  const withoutDuplicate: MemoryRecord[] = [];
  for (const record of records.filter(({ id }) => !stored.has(id))) {
    const duplicateId = await findDuplicate(tx, record, now);
    if (duplicateId === undefined && attempt === 1) withoutDuplicate.push(record);
    else if (duplicateId === undefined && !(await hasAccount(tx, accountId)))
      throw new AppError('invalid_api_key');
    else duplicates.set(record, duplicateMemoryError(duplicateId));
  }
  // Expired memories have given their content up.
  const again = await insertUnlessDuplicate(tx, accountId, withoutDuplicate, now, 2);
  return new Map([...duplicates, ...again]);
}

/** Returns items that their session rejects; sets the ordinals of the others. */
async function findSessionRejections(
  inTx: InsertCtx,
  items: readonly PreparedMemory[],
): Promise<Map<PreparedMemory, AppError>> {
  const rejections = new Map<PreparedMemory, AppError>();
  const joining = items.flatMap((item): { item: PreparedMemory; join: SessionJoin }[] => {
    const { session_id: sessionId } = item.record;
    if (sessionId === null) return [];
    return [{ item, join: { actor: item.ctx.actor, sessionId, decision: null } }];
  });
  if (joining.length === 0) return rejections;
  const joins = joining.map(({ join }) => join);
  await beforeSessionJoin.run(inTx, inTx, joins);
  for (const { item, join } of joining) {
    const ordinal = resolveSessionJoin(join);
    if (ordinal instanceof AppError) rejections.set(item, ordinal);
    else item.record = { ...item.record, session_ordinal: ordinal };
  }
  return rejections;
}

/** Reserves quota; rejects the last items if the account is at its limit. */
async function findQuotaRejections(
  tx: Tx,
  items: readonly PreparedMemory[],
  now: Date,
): Promise<Map<PreparedMemory, AppError>> {
  const [first] = items;
  if (first === undefined) return new Map();
  const request = { actor: first.ctx.actor, count: items.length };
  const { admitted, rejection } = await reserveMemoryQuota(tx, request, now);
  return new Map(rejection ? items.slice(admitted).map((item) => [item, rejection]) : []);
}

/** Returns items that their space rejects; gives its lifetime to the others. */
async function findSpaceRejections(
  { tx }: Pick<TxCtx, 'tx'>,
  accountId: string,
  items: readonly PreparedMemory[],
): Promise<Map<PreparedMemory, AppError>> {
  const spaceIds = new Set(items.flatMap(({ record }) => record.space_id ?? []));
  const existing =
    spaceIds.size > 0
      ? await findExistingSpaces(tx, accountId, [...spaceIds])
      : new Map<string, number | null>();
  const rejections = new Map<PreparedMemory, AppError>();
  for (const item of items) {
    const { space_id, created_at } = item.record;
    const lifetimeDays = space_id === null ? undefined : existing.get(space_id);
    if (space_id !== null && lifetimeDays === undefined) {
      rejections.set(item, new AppError('space_not_found', { details: { space_id } }));
      continue;
    }
    try {
      requireSpaceAccess(item.ctx.actor, space_id);
    } catch (error) {
      rejections.set(item, asItemError(error));
      continue;
    }
    if (item.usesSpaceLifetime && lifetimeDays !== undefined) {
      const expires_at = expiryAfter(created_at, lifetimeDays);
      item.record = { ...item.record, expires_at };
    }
  }
  return rejections;
}

/** `id`: of the memory that already has the content, if known. */
export const duplicateMemoryError = (id: string | undefined): AppError =>
  new AppError('duplicate_memory', { details: { memory_id: id ?? null } });

/** The error of a check that a concurrent change would have failed; otherwise null. */
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
      owner: sharedOwner([record]),
      data: presentCurrentMemory(record, ctx.clock.now()),
    });
  }
  indexNewDocuments(
    inTx,
    stored.map(({ record, content }) => ({ ...toDocumentAttributes(record), content })),
  );
}
