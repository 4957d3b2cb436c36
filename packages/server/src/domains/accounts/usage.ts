import { type Plan, type PlanLimits, planLimits } from '@mneme/contract';
import { isReadOnly, type Tx } from '../../engine/index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Actor, Ctx, TxCtx } from '../ctx.ts';
import { dayOf, monthOf, total } from './model.ts';
import { tooMany } from './refusals.ts';
import { type Charge, chargeUsage, chargeWithin, readUsage, usageKey } from './store/usage.ts';
import { tally } from './tally.ts';

/** Things an account holds a number of, named as the plans name their caps. */
export type Held = 'memories' | 'spaces' | 'api_keys' | 'webhooks';

const dayMs = 86_400_000;
const monthStart = (now: Date, ahead: number): number =>
  Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1);

/** An account with its plan, as a caller's key or the account itself tells them. */
export interface Subscriber {
  readonly accountId: string;
  readonly plan: Plan;
}

/**
 * Counts things that an account holds from now on, or gives them back (amount < 0). Throws 403
 * quota_exceeded beyond the plan's cap. Call it before the rows are written: everybody locks the
 * counter first.
 */
export async function chargeHeld(
  { tx }: Pick<TxCtx, 'tx'>,
  { accountId, plan }: Subscriber,
  held: Held,
  amount: number,
): Promise<void> {
  const row = { accountId, metric: held, period: total };
  const used = (await chargeUsage(tx, [{ ...row, amount }])).get(usageKey(row)) ?? 0;
  const cap = planLimits[plan][held];
  if (amount > 0 && cap !== null && used > cap) throw full(held, cap, used - amount);
}

const full = (held: Held, cap: number, used: number): AppError =>
  new AppError('quota_exceeded', {
    message: `The plan allows ${cap} ${held.replace('_', ' ')}.`,
    details: { quota: held, limit: cap, used },
  });

/** A month's quota that is used up; it opens with the next UTC month. */
function spent(quota: keyof PlanLimits, limit: number, now: Date): AppError {
  const resetAtMs = monthStart(now, 1);
  const window = (resetAtMs - monthStart(now, 0)) / 1_000;
  return tooMany('quota_exceeded', { limit, window, resetAtMs }, now, {
    message: `The plan allows ${limit} ${quota.replace('_per_month', '')} a month.`,
    details: { quota },
  });
}

function dayFull(limit: number, now: Date): AppError {
  const resetAtMs = Math.floor(now.getTime() / dayMs + 1) * dayMs;
  return tooMany('daily_limit_exceeded', { limit, window: dayMs / 1_000, resetAtMs }, now);
}

/** Memories that one account is about to store. */
export interface Storing {
  readonly actor: Actor;
  readonly count: number;
}

/** How many of them may be stored, and why not more. */
export interface Room {
  readonly admitted: number;
  readonly refusal: AppError | null;
}

const memoryCharges = (accountId: string, amount: number, now: Date): Charge[] => [
  { accountId, metric: 'memories', period: total, amount },
  { accountId, metric: 'memories_created', period: dayOf(now), amount },
  { accountId, metric: 'embeddings', period: monthOf(now), amount },
];

/**
 * Counts as many memories as may be stored, before they are: toward the account's cap, its daily
 * limit and its embeddings of the month. What is not stored after all goes back by
 * returnMemories, in the same transaction.
 */
export async function reserveMemories(
  tx: Tx,
  storing: readonly Storing[],
  now: Date,
): Promise<ReadonlyMap<string, Room>> {
  const charges = storing.flatMap(({ actor, count }) => memoryCharges(actor.accountId, count, now));
  const used = await chargeUsage(tx, charges);
  const rooms = new Map(
    storing.map(({ actor, count }) => [actor.accountId, roomOf(actor, count, used, now)]),
  );
  const refused = storing.map(({ actor: { accountId }, count }): [string, number] => [
    accountId,
    count - (rooms.get(accountId)?.admitted ?? 0),
  ]);
  await returnMemories(tx, new Map(refused), now);
  return rooms;
}

function roomOf(
  { accountId, plan, settings }: Actor,
  count: number,
  used: ReadonlyMap<string, number>,
  now: Date,
): Room {
  const usedOf = (metric: string, period: string): number =>
    used.get(usageKey({ accountId, metric, period })) ?? 0;
  const { memories, embeddings_per_month: embeddings } = planLimits[plan];
  const daily = settings.daily_memory_limit;
  const held = usedOf('memories', total);
  const bounds = [
    { used: held, max: memories, refuse: (max: number) => full('memories', max, held - count) },
    {
      used: usedOf('memories_created', dayOf(now)),
      max: daily,
      refuse: (max: number) => dayFull(max, now),
    },
    {
      used: usedOf('embeddings', monthOf(now)),
      max: embeddings,
      refuse: (max: number) => spent('embeddings_per_month', max, now),
    },
  ];
  let tightest: { over: number; refusal: AppError | null } = { over: 0, refusal: null };
  for (const { used, max, refuse } of bounds) {
    if (max === null || used - max <= tightest.over) continue;
    tightest = { over: used - max, refusal: refuse(max) };
  }
  return { admitted: Math.max(0, count - tightest.over), refusal: tightest.refusal };
}

/**
 * For what is long in coming: throws before it comes what storing one more memory would throw now.
 * Nothing is reserved.
 */
export async function requireRoom({ engine, actor, clock }: Ctx): Promise<void> {
  const { memories, embeddings_per_month: embeddings } = planLimits[actor.plan];
  const isBound = [memories, embeddings, actor.settings.daily_memory_limit].some(
    (max) => max !== null,
  );
  if (!isBound) return;
  const now = clock.now();
  const used = new Map<string, number>();
  for (const row of memoryCharges(actor.accountId, 1, now)) {
    used.set(usageKey(row), (await readUsage(engine.db, row)) + row.amount);
  }
  const { refusal } = roomOf(actor, 1, used, now);
  if (refusal) throw refusal;
}

/** Gives back what was reserved, by account. */
export async function returnMemories(
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
  const used = (await chargeUsage(tx, [{ ...row, amount: 1 }])).get(usageKey(row)) ?? 0;
  const limit = planLimits[actor.plan].embeddings_per_month;
  if (limit !== null && used > limit) throw spent('embeddings_per_month', limit, now);
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
  if (limit === null) tally.of(ctx).add(row, queries);
  else {
    const charge = { ...row, amount: queries };
    const used = await chargeWithin(ctx.engine.db, charge, limit).catch((error: unknown) => {
      if (!isReadOnly(error)) throw error;
      tally.of(ctx).add(row, queries);
      return 0;
    });
    if (used === null) throw spent('searches_per_month', limit, now);
  }
}
