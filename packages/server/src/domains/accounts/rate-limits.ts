import {
  type EndpointLimit,
  endpointLimits,
  inboundMailLimits,
  type PlanLimits,
  planLimits,
} from '@mneme/contract';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
} from 'rate-limiter-flexible';
import { perApp } from '../../kernel/per-app.ts';
import type { Actor, App } from '../ctx.ts';
import { concurrencyLimiter } from './concurrency-limiter.ts';
import { type ReachedLimit, rateLimitHeaders, tooManyRequestsError } from './errors.ts';
import { dayOf } from './model.ts';
import { createRateLimiterPool } from './store/rate-limits.ts';
import type { UsageCounterKey } from './store/usage.ts';
import { usageBuffer } from './usage-buffer.ts';

const minuteSeconds = 60;
const daySeconds = 86_400;

/** A request that was let in: headers for its answer, and the way to say that it is over. */
export interface RateLimitPermit {
  readonly headers: Readonly<Record<string, string>>;
  /** Call it before the answer leaves, so that who waits for it may go on at once. */
  release(): Promise<void>;
}

const keyOf = ({ keyId }: Actor): string => keyId ?? '';

const unlimited: RateLimitPermit = { headers: {}, release: async () => undefined };

/** A fixed window of one key, aligned to the clock. */
interface RateLimitWindow extends ReachedLimit {
  /** Of the key and this very window. */
  readonly id: string;
}

interface WindowUsage {
  readonly window: RateLimitWindow;
  readonly remaining: number;
}

/**
 * The one place that counts requests. Throws 429 concurrent_limit_exceeded and
 * rate_limit_exceeded (minute, single endpoint, UTC day). Who is refused for the others at the
 * same time has used nothing of a window.
 */
export async function enforceRateLimits(
  app: App,
  actor: Actor,
  endpoint: EndpointLimit | undefined,
): Promise<RateLimitPermit> {
  const keyId = keyOf(actor);
  const plan: PlanLimits = planLimits[actor.plan];
  const now = app.clock.now();
  const windows = rateLimitWindowsOf(actor, endpoint, keyId, now);
  if (plan.concurrent_requests === null && windows.length === 0) return unlimited;
  const leave = acquireLocalSlot(app, keyId, plan.concurrent_requests, now);
  try {
    const standings: WindowUsage[] = [];
    for (const window of windows) standings.push(await count(app, window, now));
    if (plan.requests_per_day !== null) {
      standings.push(await countDay(app, actor, plan.requests_per_day, now));
    }
    const release = await acquireSharedSlot(app, actor, windows, now);
    const { window, remaining } = standings.reduce((a, b) => (b.remaining < a.remaining ? b : a));
    let over = false;
    return {
      headers: rateLimitHeaders(window, remaining),
      async release() {
        if (over) return;
        over = true;
        leave();
        await release().catch((error: unknown) => {
          app.log.warn({ err: error }, 'a request slot could not be given back');
        });
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}

/** In this process; throws where too many of the key's requests run already. */
function acquireLocalSlot(app: App, keyId: string, max: number | null, now: Date): () => void {
  if (max === null) return () => undefined;
  const running = concurrencyLimiter.of(app);
  if (!running.acquireLocal(keyId, max)) throw concurrencyLimitError(max, now);
  return () => running.releaseLocal(keyId);
}

/** Among all processes; what was counted for a refused request is taken back. */
async function acquireSharedSlot(
  app: App,
  actor: Actor,
  windows: readonly RateLimitWindow[],
  now: Date,
): Promise<() => Promise<void>> {
  const { concurrent_requests: max, requests_per_day: daily }: PlanLimits = planLimits[actor.plan];
  const release =
    max === null
      ? unlimited.release
      : await concurrencyLimiter.of(app).acquireShared(keyOf(actor), max);
  if (release) return release;
  for (const window of windows) await limiters.of(app)(window).reward(window.id);
  if (daily !== null) usageBuffer.of(app).add(dailyCounterKey(actor, now), -1);
  throw concurrencyLimitError(max ?? 0, now);
}

const concurrencyLimitError = (limit: number, now: Date) =>
  tooManyRequestsError(
    'concurrent_limit_exceeded',
    { limit, window: 0, resetAtMs: now.getTime() + 1_000 },
    now,
  );

function rateLimitWindowsOf(
  { plan, settings }: Actor,
  endpoint: EndpointLimit | undefined,
  keyId: string,
  now: Date,
): RateLimitWindow[] {
  const minute = planLimits[plan].requests_per_minute;
  const enforced = plan !== 'enterprise' || settings.enforce_endpoint_limits;
  return [
    ...(minute === null ? [] : [windowAt(`${keyId}:all`, minute, minuteSeconds, now)]),
    ...(endpoint !== undefined && enforced
      ? [windowAt(`${keyId}:${endpoint}`, endpointLimits[endpoint], minuteSeconds, now)]
      : []),
  ];
}

/** Counts a mail to one of the account's addresses. Throws 429 rate_limit_exceeded. */
export async function enforceMailRateLimits(
  app: App,
  { plan, settings }: Pick<Actor, 'plan' | 'settings'>,
  addressId: string,
): Promise<void> {
  if (plan === 'enterprise' && !settings.enforce_endpoint_limits) return;
  const now = app.clock.now();
  for (const { limit, seconds } of inboundMailLimits) {
    await count(app, windowAt(`${addressId}:mail:${seconds}`, limit, seconds, now), now);
  }
}

function windowAt(name: string, limit: number, seconds: number, now: Date): RateLimitWindow {
  const number = Math.floor(now.getTime() / (seconds * 1_000));
  const resetAtMs = (number + 1) * seconds * 1_000;
  return { id: `${name}:${number}`, limit, window: seconds, resetAtMs };
}

type LimiterOf = (window: Pick<RateLimitWindow, 'limit' | 'window'>) => RateLimiterAbstract;

/** By their limit: in memory where this process has the database for itself, else in it. */
const limiters = perApp<App, LimiterOf>(({ engine }) => {
  const made = new Map<string, RateLimiterAbstract>();
  return ({ limit: points, window: seconds }) => {
    const known = made.get(`${points}/${seconds}`);
    if (known) return known;
    const options = { duration: 2 * seconds, keyPrefix: '' };
    const limiter =
      engine.kind === 'embedded'
        ? new RateLimiterMemory({ ...options, points })
        : new RateLimiterPostgres({
            ...options,
            points,
            storeClient: createRateLimiterPool(engine.db),
            storeType: 'pool',
            tableName: 'rate_windows',
            tableCreated: true,
            clearExpiredByTimeout: false,
            // Once refused, a window is full to its end: no further look is needed.
            inMemoryBlockOnConsumed: points + 1,
          });
    made.set(`${points}/${seconds}`, limiter);
    return limiter;
  };
});

async function count(app: App, window: RateLimitWindow, now: Date): Promise<WindowUsage> {
  try {
    const { remainingPoints } = await limiters.of(app)(window).consume(window.id);
    return { window, remaining: remainingPoints };
  } catch (refused) {
    if (refused instanceof Error) throw refused;
    throw tooManyRequestsError('rate_limit_exceeded', window, now);
  }
}

const dailyCounterKey = (actor: Actor, now: Date): UsageCounterKey => ({
  accountId: actor.accountId,
  metric: `requests:${keyOf(actor)}`,
  period: dayOf(now),
});

/** The UTC day is counted here and written every few seconds; see tally.ts. */
async function countDay(app: App, actor: Actor, limit: number, now: Date): Promise<WindowUsage> {
  const window = windowAt(`${keyOf(actor)}:day`, limit, daySeconds, now);
  const row = dailyCounterKey(actor, now);
  const days = usageBuffer.of(app);
  let used = days.total(row);
  // Others may have counted while it was read: only what is told at once still holds.
  while (typeof used !== 'number') {
    await used;
    used = days.total(row);
  }
  if (used >= limit) throw tooManyRequestsError('rate_limit_exceeded', window, now);
  days.add(row, 1);
  return { window, remaining: limit - used - 1 };
}
