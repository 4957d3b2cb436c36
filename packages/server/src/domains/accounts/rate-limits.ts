import {
  type EndpointLimitName,
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
import { createRateLimiterDatabaseAdapter } from './store/rate-limits.ts';
import type { UsageCounterKey } from './store/usage.ts';
import { usageBuffer } from './usage-buffer.ts';

const minuteSeconds = 60;
const daySeconds = 86_400;

/** An admitted request: headers for its response, and a function that ends it. */
export interface RateLimitPermit {
  readonly headers: Readonly<Record<string, string>>;
  /** Call it before the response is sent, so that the client can send the next request at once. */
  release(): Promise<void>;
}

const keyOf = ({ keyId }: Actor): string => keyId ?? '';

const unlimited: RateLimitPermit = { headers: {}, release: async () => undefined };

/** A fixed window of one key, aligned with the clock. */
interface RateLimitWindow extends ReachedLimit {
  /** Identifies the key and the window. */
  readonly id: string;
}

interface WindowUsage {
  readonly window: RateLimitWindow;
  readonly remaining: number;
}

/**
 * The only function that counts requests. Throws 429 concurrent_limit_exceeded and
 * rate_limit_exceeded (minute, single endpoint, UTC day). A request rejected for concurrency uses
 * nothing of the windows.
 */
export async function enforceRateLimits(
  app: App,
  actor: Actor,
  endpoint: EndpointLimitName | undefined,
): Promise<RateLimitPermit> {
  const keyId = keyOf(actor);
  const plan: PlanLimits = planLimits[actor.plan];
  const now = app.clock.now();
  const windows = rateLimitWindowsOf(actor, endpoint, keyId, now);
  if (plan.concurrent_requests === null && windows.length === 0) return unlimited;
  const releaseLocal = acquireLocalSlot(app, keyId, plan.concurrent_requests, now);
  try {
    const usages: WindowUsage[] = [];
    for (const window of windows) usages.push(await consumeWindow(app, window, now));
    if (plan.requests_per_day !== null) {
      usages.push(await consumeDay(app, actor, plan.requests_per_day, now));
    }
    const releaseShared = await acquireSharedSlot(app, actor, windows, now);
    const { window, remaining } = usages.reduce((a, b) => (b.remaining < a.remaining ? b : a));
    let isReleased = false;
    return {
      headers: rateLimitHeaders(window, remaining),
      async release() {
        if (isReleased) return;
        isReleased = true;
        releaseLocal();
        await releaseShared().catch((error: unknown) => {
          app.log.warn({ err: error }, 'request slot release failed');
        });
      },
    };
  } catch (error) {
    releaseLocal();
    throw error;
  }
}

/** Counts the request in this process. Throws if too many requests of the key run already. */
function acquireLocalSlot(app: App, keyId: string, max: number | null, now: Date): () => void {
  if (max === null) return () => undefined;
  const limiter = concurrencyLimiter.of(app);
  if (!limiter.acquireLocal(keyId, max)) throw concurrencyLimitError(max, now);
  return () => limiter.releaseLocal(keyId);
}

/** Leases a slot among all processes; returns the consumed points of a rejected request. */
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
  endpoint: EndpointLimitName | undefined,
  keyId: string,
  now: Date,
): RateLimitWindow[] {
  const minute = planLimits[plan].requests_per_minute;
  const enforced = plan !== 'enterprise' || settings.enforce_endpoint_limits;
  return [
    ...(minute === null ? [] : [windowAt(`${keyId}:all`, minute, minuteSeconds, now)]),
    ...(endpoint !== undefined && enforced ? [endpointWindow(endpoint, keyId, now)] : []),
  ];
}

const endpointWindow = (endpoint: EndpointLimitName, keyId: string, now: Date): RateLimitWindow =>
  windowAt(`${keyId}:${endpoint}`, endpointLimits[endpoint], minuteSeconds, now);

/**
 * Counts a call of one endpoint within a request that `enforceRateLimits` admitted without naming
 * the endpoint. Throws 429 rate_limit_exceeded.
 */
export async function enforceEndpointLimit(
  app: App,
  actor: Actor,
  endpoint: EndpointLimitName,
): Promise<void> {
  if (actor.plan === 'enterprise' && !actor.settings.enforce_endpoint_limits) return;
  const now = app.clock.now();
  await consumeWindow(app, endpointWindow(endpoint, keyOf(actor), now), now);
}

/** A limit of requests without a key, per network of the client. */
interface NetworkLimit {
  readonly name: string;
  readonly limit: number;
  readonly seconds: number;
}

/** Counts a request of the network, see `clientNetwork`. Throws 429 rate_limit_exceeded. */
export async function enforceNetworkLimit(
  app: App,
  network: string,
  { name, limit, seconds }: NetworkLimit,
): Promise<void> {
  const now = app.clock.now();
  await consumeWindow(app, windowAt(`${network}:${name}`, limit, seconds, now), now);
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
    await consumeWindow(app, windowAt(`${addressId}:mail:${seconds}`, limit, seconds, now), now);
  }
}

function windowAt(name: string, limit: number, seconds: number, now: Date): RateLimitWindow {
  const number = Math.floor(now.getTime() / (seconds * 1_000));
  const resetAtMs = (number + 1) * seconds * 1_000;
  return { id: `${name}:${number}`, limit, window: seconds, resetAtMs };
}

type LimiterOf = (window: Pick<RateLimitWindow, 'limit' | 'window'>) => RateLimiterAbstract;

/** Keyed by limit and window: in memory with the embedded engine, otherwise in the database. */
const limiters = perApp<App, LimiterOf>(({ engine }) => {
  const limitersBySize = new Map<string, RateLimiterAbstract>();
  return ({ limit: points, window: seconds }) => {
    const existing = limitersBySize.get(`${points}/${seconds}`);
    if (existing) return existing;
    const options = { duration: 2 * seconds, keyPrefix: '' };
    const limiter =
      engine.kind === 'embedded'
        ? new RateLimiterMemory({ ...options, points })
        : new RateLimiterPostgres({
            ...options,
            points,
            storeClient: createRateLimiterDatabaseAdapter(engine.db),
            storeType: 'pool',
            tableName: 'rate_limit_windows',
            tableCreated: true,
            clearExpiredByTimeout: false,
            // A rejected window stays full until its end, so no further query is needed.
            inMemoryBlockOnConsumed: points + 1,
          });
    limitersBySize.set(`${points}/${seconds}`, limiter);
    return limiter;
  };
});

async function consumeWindow(app: App, window: RateLimitWindow, now: Date): Promise<WindowUsage> {
  try {
    const { remainingPoints } = await limiters.of(app)(window).consume(window.id);
    return { window, remaining: remainingPoints };
  } catch (rejection) {
    if (rejection instanceof Error) throw rejection;
    throw tooManyRequestsError('rate_limit_exceeded', window, now);
  }
}

const dailyCounterKey = (actor: Actor, now: Date): UsageCounterKey => ({
  accountId: actor.accountId,
  metric: `requests:${keyOf(actor)}`,
  period: dayOf(now),
});

/** Counts the UTC day in memory and writes it every few seconds; see usage-buffer.ts. */
async function consumeDay(app: App, actor: Actor, limit: number, now: Date): Promise<WindowUsage> {
  const window = windowAt(`${keyOf(actor)}:day`, limit, daySeconds, now);
  const row = dailyCounterKey(actor, now);
  const usageCounters = usageBuffer.of(app);
  let used = usageCounters.total(row);
  // Other requests may count during the await: only a synchronous result is current.
  while (typeof used !== 'number') {
    await used;
    used = usageCounters.total(row);
  }
  if (used >= limit) throw tooManyRequestsError('rate_limit_exceeded', window, now);
  usageCounters.add(row, 1);
  return { window, remaining: limit - used - 1 };
}
