import { type Plan, type PlanLimits, planLimits } from '@mneme/contract';
import { isReadOnly, type Tx } from '../../database/index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Actor, Ctx, TxCtx } from '../ctx.ts';
import { tooManyRequestsError } from './errors.ts';
import { dayOf, monthOf, totalPeriod } from './model.ts';
import {
  type Charge,
  chargeUsage,
  chargeUsageWithinLimit,
  formatCounterKey,
  readUsage,
} from './store/usage.ts';
import { usageBuffer } from './usage-buffer.ts';

/** Things an account holds a number of, named as the plans name their caps. */
export type CountedResource = 'memories' | 'spaces' | 'api_keys' | 'webhooks';

const dayMs = 86_400_000;
const monthStart = (now: Date, ahead: number): number =>
  Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1);

/** An account with its plan, as a caller's key or the account itself tells them. */
export interface AccountPlan {
  readonly accountId: string;
  readonly plan: Plan;
}

/**
 * Counts things that an account holds from now on, or gives them back (amount < 0). Throws 403
 * quota_exceeded beyond the plan's cap. Call it before the rows are written: everybody locks the
 * counter first.
 */
export async function chargeResourceQuota(
  { tx }: Pick<TxCtx, 'tx'>,
  { accountId, plan }: AccountPlan,
  held: CountedResource,
  amount: number,
): Promise<void> {
  const row = { accountId, metric: held, period: totalPeriod };
  const used = (await chargeUsage(tx, [{ ...row, amount }])).get(formatCounterKey(row)) ?? 0;
  const cap = planLimits[plan][held];
  if (amount > 0 && cap !== null && used > cap) throw quotaExceededError(held, cap, used - amount);
}

const quotaExceededError = (held: CountedResource, cap: number, used: number): AppError =>
  new AppError('quota_exceeded', {
    message: `The plan allows ${cap} ${held.replace('_', ' ')}.`,
    details: { quota: held, limit: cap, used },
  });

/** A month's quota that is used up; it opens with the next UTC month. */
function monthlyQuotaError(quota: keyof PlanLimits, limit: number, now: Date): AppError {
  const resetAtMs = monthStart(now, 1);
  const window = (resetAtMs - monthStart(now, 0)) / 1_000;
  return tooManyRequestsError('quota_exceeded', { limit, window, resetAtMs }, now, {
    message: `The plan allows ${limit} ${quota.replace('_per_month', '')} a month.`,
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

/** How many of them may be stored, and why not more. */
export interface MemoryReservation {
  readonly admitted: number;
  readonly rejection: AppError | null;
}

const memoryCharges = (accountId: string, amount: number, now: Date): Charge[] => [
  { accountId, metric: 'memories', period: totalPeriod, amount },
  { accountId, metric: 'memories_created', period: dayOf(now), amount },
  { accountId, metric: 'embeddings', period: monthOf(now), amount },
];

/**
 * Counts as many memories as may be stored, before they are: toward the account's cap, its daily
 * limit and its embeddings of the month. What is not stored after all goes back by
 * returnMemories, in the same transaction.
 */
export async function reserveMemoryQuota(
  tx: Tx,
  storing: readonly MemoryReservationRequest[],
  now: Date,
): Promise<ReadonlyMap<string, MemoryReservation>> {
  const charges = storing.flatMap(({ actor, count }) => memoryCharges(actor.accountId, count, now));
  const used = await chargeUsage(tx, charges);
  const rooms = new Map(
    storing.map(({ actor, count }) => [
      actor.accountId,
      computeReservation(actor, count, used, now),
    ]),
  );
  const refused = storing.map(({ actor: { accountId }, count }): [string, number] => [
    accountId,
    count - (rooms.get(accountId)?.admitted ?? 0),
  ]);
  await releaseMemoryQuota(tx, new Map(refused), now);
  return rooms;
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
  const held = usedOf('memories', totalPeriod);
  const bounds = [
    {
      used: held,
      max: memories,
      refuse: (max: number) => quotaExceededError('memories', max, held - count),
    },
    {
      used: usedOf('memories_created', dayOf(now)),
      max: daily,
      refuse: (max: number) => dailyLimitError(max, now),
    },
    {
      used: usedOf('embeddings', monthOf(now)),
      max: embeddings,
      refuse: (max: number) => monthlyQuotaError('embeddings_per_month', max, now),
    },
  ];
  let tightest: { over: number; refusal: AppError | null } = { over: 0, refusal: null };
  for (const { used, max, refuse } of bounds) {
    if (max === null || used - max <= tightest.over) continue;
    tightest = { over: used - max, refusal: refuse(max) };
  }
  return { admitted: Math.max(0, count - tightest.over), rejection: tightest.refusal };
}

/**
 * For what is long in coming: throws before it comes what storing one more memory would throw now.
 * Nothing is reserved.
 */
export async function requireMemoryQuota({ engine, actor, clock }: Ctx): Promise<void> {
  const { memories, embeddings_per_month: embeddings } = planLimits[actor.plan];
  const isBound = [memories, embeddings, actor.settings.daily_memory_limit].some(
    (max) => max !== null,
  );
  if (!isBound) return;
  const now = clock.now();
  const used = new Map<string, number>();
  for (const row of memoryCharges(actor.accountId, 1, now)) {
    used.set(formatCounterKey(row), (await readUsage(engine.db, row)) + row.amount);
  }
  const { rejection } = computeReservation(actor, 1, used, now);
  if (rejection) throw rejection;
}

/** Gives back what was reserved, by account. */
export async function releaseMemoryQuota(
  tx: Tx,
  unstored: ReadonlyMap<string, number>,
  now: Date,
): Promise<void> {
  const charges = [...unstored].flatMap(([accountId, count]) =>
    count > 0 ? memoryCharges(accountId, -count, now) : [],
  );
  if (charges.length > 0) await chargeUsage(tx, charges);
}

/** One more stored version of a memory. Throws 429 quota_exceeded when the month's are used up. */
export async function chargeEmbedding({ tx, actor, clock }: TxCtx): Promise<void> {
  const now = clock.now();
  const row = { accountId: actor.accountId, metric: 'embeddings', period: monthOf(now) };
  const used = (await chargeUsage(tx, [{ ...row, amount: 1 }])).get(formatCounterKey(row)) ?? 0;
  const limit = planLimits[actor.plan].embeddings_per_month;
  if (limit !== null && used > limit) throw monthlyQuotaError('embeddings_per_month', limit, now);
}

/**
 * Counts search queries of the month before they run. Where the plan limits them, in the
 * database, and 429 quota_exceeded is thrown when they are used up; else with the next flush, as
 * also while the database takes no changes: it is searched all the same.
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
        if (!isReadOnly(error)) throw error;
        usageBuffer.of(ctx).add(row, queries);
        return 0;
      },
    );
    if (used === null) throw monthlyQuotaError('searches_per_month', limit, now);
  }
}
