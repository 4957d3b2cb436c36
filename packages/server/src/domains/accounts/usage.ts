import { type Plan, type PlanLimits, planLimits } from '@mneme/contract';
import { isReadOnlyError, type Tx } from '../../database/index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Actor, Ctx, TxCtx } from '../ctx.ts';
import { tooManyRequestsError } from './errors.ts';
import { dayOf, monthOf, totalPeriod } from './model.ts';
import {
  chargeUsage,
  chargeUsageWithinLimit,
  formatCounterKey,
  readUsage,
  type UsageCharge,
} from './store/usage.ts';
import { usageBuffer } from './usage-buffer.ts';

/** Resources that plans limit by number; names are those of the plan limits. */
export type CountedResource = 'memories' | 'spaces' | 'api_keys' | 'webhooks';

const dayMs = 86_400_000;
const monthStart = (now: Date, ahead: number): number =>
  Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1);

/** An account and its plan, from the caller's key or the account row. */
export interface AccountPlan {
  readonly accountId: string;
  readonly plan: Plan;
}

/**
 * Adds `amount` to the account's counter of a resource; a negative amount is a refund. Throws 403
 * quota_exceeded beyond the plan's limit. Call it before rows are written: all callers lock the
 * counter first.
 */
export async function chargeResourceQuota(
  { tx }: Pick<TxCtx, 'tx'>,
  { accountId, plan }: AccountPlan,
  resource: CountedResource,
  amount: number,
): Promise<void> {
  const row = { accountId, metric: resource, period: totalPeriod };
  const used =
    (await chargeUsage(tx, accountId, [{ ...row, amount }])).get(formatCounterKey(row)) ?? 0;
  const limit = planLimits[plan][resource];
  if (amount > 0 && limit !== null && used > limit)
    throw quotaExceededError(resource, limit, used - amount);
}

const quotaExceededError = (resource: CountedResource, limit: number, used: number): AppError =>
  new AppError('quota_exceeded', {
    message: `The plan allows ${limit} ${resource.replace('_', ' ')}.`,
    details: { quota: resource, limit, used },
  });

/** A monthly quota that is used up; it resets with the next UTC month. */
function monthlyQuotaError(quota: keyof PlanLimits, limit: number, now: Date): AppError {
  const resetAtMs = monthStart(now, 1);
  const window = (resetAtMs - monthStart(now, 0)) / 1_000;
  return tooManyRequestsError('quota_exceeded', { limit, window, resetAtMs }, now, {
    message: `The plan allows ${limit} ${quota.replace('_per_month', '')} per month.`,
    details: { quota },
  });
}

function dailyLimitError(limit: number, now: Date): AppError {
  const resetAtMs = Math.floor(now.getTime() / dayMs + 1) * dayMs;
  return tooManyRequestsError(
    'daily_limit_exceeded',
    { limit, window: dayMs / 1_000, resetAtMs },
    now,
  );
}

/** Memories that one account is about to store. */
export interface MemoryReservationRequest {
  readonly actor: Actor;
  readonly count: number;
}

/** How many memories may be stored, and the error for the others. */
export interface MemoryReservation {
  readonly admitted: number;
  readonly rejection: AppError | null;
}

/** What writes memories fails in its journal if the account was erased. */
const withJournal = { requiresAccount: false };

const memoryCharges = (accountId: string, amount: number, now: Date): UsageCharge[] => [
  { accountId, metric: 'memories', period: totalPeriod, amount },
  { accountId, metric: 'memories_created', period: dayOf(now), amount },
  { accountId, metric: 'embeddings', period: monthOf(now), amount },
];

/**
 * Reserves as many memories as may be stored, before they are inserted: of the account's limit,
 * its daily limit and its monthly embeddings. releaseMemoryQuota returns unused reservations in
 * the same transaction.
 */
export async function reserveMemoryQuota(
  tx: Tx,
  { actor, count }: MemoryReservationRequest,
  now: Date,
): Promise<MemoryReservation> {
  const { accountId } = actor;
  const charges = memoryCharges(accountId, count, now);
  const used = await chargeUsage(tx, accountId, charges, withJournal);
  const reservation = computeReservation(actor, count, used, now);
  await releaseMemoryQuota(tx, accountId, count - reservation.admitted, now);
  return reservation;
}

function computeReservation(
  { accountId, plan, settings }: Actor,
  count: number,
  used: ReadonlyMap<string, number>,
  now: Date,
): MemoryReservation {
  const usedOf = (metric: string, period: string): number =>
    used.get(formatCounterKey({ accountId, metric, period })) ?? 0;
  const { memories, embeddings_per_month: embeddings } = planLimits[plan];
  const daily = settings.daily_memory_limit;
  const stored = usedOf('memories', totalPeriod);
  const quotas = [
    {
      used: stored,
      max: memories,
      toError: (max: number) => quotaExceededError('memories', max, stored - count),
    },
    {
      used: usedOf('memories_created', dayOf(now)),
      max: daily,
      toError: (max: number) => dailyLimitError(max, now),
    },
    {
      used: usedOf('embeddings', monthOf(now)),
      max: embeddings,
      toError: (max: number) => monthlyQuotaError('embeddings_per_month', max, now),
    },
  ];
  let strictest: { over: number; rejection: AppError | null } = { over: 0, rejection: null };
  for (const { used, max, toError } of quotas) {
    if (max === null || used - max <= strictest.over) continue;
    strictest = { over: used - max, rejection: toError(max) };
  }
  return { admitted: Math.max(0, count - strictest.over), rejection: strictest.rejection };
}

/**
 * For slow uploads: throws in advance if storing one more memory would fail now. Reserves
 * nothing.
 */
export async function requireMemoryQuota({ engine, actor, clock }: Ctx): Promise<void> {
  const { memories, embeddings_per_month: embeddings } = planLimits[actor.plan];
  const isLimited = [memories, embeddings, actor.settings.daily_memory_limit].some(
    (max) => max !== null,
  );
  if (!isLimited) return;
  const now = clock.now();
  const used = new Map<string, number>();
  for (const row of memoryCharges(actor.accountId, 1, now)) {
    used.set(formatCounterKey(row), (await readUsage(engine.db, row)) + row.amount);
  }
  const { rejection } = computeReservation(actor, 1, used, now);
  if (rejection) throw rejection;
}

/** Returns unused reservations. */
export async function releaseMemoryQuota(
  tx: Tx,
  accountId: string,
  count: number,
  now: Date,
): Promise<void> {
  if (count <= 0) return;
  await chargeUsage(tx, accountId, memoryCharges(accountId, -count, now), withJournal);
}

/** Counts one new version of a memory. Throws 429 quota_exceeded if the month's are used up. */
export async function chargeEmbedding({ tx, actor, clock }: TxCtx): Promise<void> {
  const now = clock.now();
  const { accountId } = actor;
  const row = { accountId, metric: 'embeddings', period: monthOf(now) };
  const charged = await chargeUsage(tx, accountId, [{ ...row, amount: 1 }], withJournal);
  const used = charged.get(formatCounterKey(row)) ?? 0;
  const limit = planLimits[actor.plan].embeddings_per_month;
  if (limit !== null && used > limit) throw monthlyQuotaError('embeddings_per_month', limit, now);
}

/**
 * Counts search queries of the month before they run. If the plan limits them, the counter is
 * updated in the database and 429 quota_exceeded is thrown at the limit. Otherwise, and while the
 * database is read-only, they are counted in memory with the next flush: searches still run.
 */
export async function chargeSearches(ctx: Ctx, queries: number): Promise<void> {
  const now = ctx.clock.now();
  const { accountId, plan } = ctx.actor;
  const row = { accountId, metric: 'searches', period: monthOf(now) };
  const limit = planLimits[plan].searches_per_month;
  if (limit === null) usageBuffer.of(ctx).add(row, queries);
  else {
    const charge = { ...row, amount: queries };
    const used = await chargeUsageWithinLimit(ctx.engine.db, charge, limit).catch(
      (error: unknown) => {
        if (!isReadOnlyError(error)) throw error;
        usageBuffer.of(ctx).add(row, queries);
        return 0;
      },
    );
    if (used === null) throw monthlyQuotaError('searches_per_month', limit, now);
  }
}
