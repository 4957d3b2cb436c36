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
import { service } from '../../kernel/service.ts';
import type { Actor, App } from '../ctx.ts';
import { dayOf } from './model.ts';
import { limitHeaders, type Reached, tooMany } from './refusals.ts';
import { slots } from './slots.ts';
import { windowsPool } from './store/limits.ts';
import type { UsageRow } from './store/usage.ts';
import { tally } from './tally.ts';

const minuteSeconds = 60;
const daySeconds = 86_400;

/** A request that was let in: headers for its answer, and the way to say that it is over. */
export interface Admission {
  readonly headers: Readonly<Record<string, string>>;
  /** Call it before the answer leaves, so that who waits for it may go on at once. */
  release(): Promise<void>;
}

const keyOf = ({ keyId }: Actor): string => keyId ?? '';

const unlimited: Admission = { headers: {}, release: async () => undefined };

/** A fixed window of one key, aligned to the clock. */
interface Window extends Reached {
  /** Of the key and this very window. */
  readonly id: string;
}

interface Standing {
  readonly window: Window;
  readonly remaining: number;
}

/**
 * The one place that counts requests. Throws 429 concurrent_limit_exceeded and
 * rate_limit_exceeded (minute, single endpoint, UTC day). Who is refused for the others at the
 * same time has used nothing of a window.
 */
export async function admit(
  app: App,
  actor: Actor,
  endpoint: EndpointLimit | undefined,
): Promise<Admission> {
  const keyId = keyOf(actor);
  const plan: PlanLimits = planLimits[actor.plan];
  const now = app.clock.now();
  const windows = windowsOf(actor, endpoint, keyId, now);
  if (plan.concurrent_requests === null && windows.length === 0) return unlimited;
  const leave = enter(app, keyId, plan.concurrent_requests, now);
  try {
    const standings: Standing[] = [];
    for (const window of windows) standings.push(await count(app, window, now));
    if (plan.requests_per_day !== null) {
      standings.push(await countDay(app, actor, plan.requests_per_day, now));
    }
    const release = await share(app, actor, windows, now);
    const { window, remaining } = standings.reduce((a, b) => (b.remaining < a.remaining ? b : a));
    let over = false;
    return {
      headers: limitHeaders(window, remaining),
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
function enter(app: App, keyId: string, max: number | null, now: Date): () => void {
  if (max === null) return () => undefined;
  const running = slots.of(app);
  if (!running.enter(keyId, max)) throw tooManyAtOnce(max, now);
  return () => running.leave(keyId);
}

/** Among all processes; what was counted for a refused request is taken back. */
async function share(
  app: App,
  actor: Actor,
  windows: readonly Window[],
  now: Date,
): Promise<() => Promise<void>> {
  const { concurrent_requests: max, requests_per_day: daily }: PlanLimits = planLimits[actor.plan];
  const release = max === null ? unlimited.release : await slots.of(app).share(keyOf(actor), max);
  if (release) return release;
  for (const window of windows) await limiters.of(app)(window).reward(window.id);
  if (daily !== null) tally.of(app).add(dayRow(actor, now), -1);
  throw tooManyAtOnce(max ?? 0, now);
}

const tooManyAtOnce = (limit: number, now: Date) =>
  tooMany('concurrent_limit_exceeded', { limit, window: 0, resetAtMs: now.getTime() + 1_000 }, now);

function windowsOf(
  { plan, settings }: Actor,
  endpoint: EndpointLimit | undefined,
  keyId: string,
  now: Date,
): Window[] {
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
export async function admitMail(
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

function windowAt(name: string, limit: number, seconds: number, now: Date): Window {
  const number = Math.floor(now.getTime() / (seconds * 1_000));
  const resetAtMs = (number + 1) * seconds * 1_000;
  return { id: `${name}:${number}`, limit, window: seconds, resetAtMs };
}

type LimiterOf = (window: Pick<Window, 'limit' | 'window'>) => RateLimiterAbstract;

/** By their limit: in memory where this process has the database for itself, else in it. */
const limiters = service<App, LimiterOf>(({ engine }) => {
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
            storeClient: windowsPool(engine.db),
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

async function count(app: App, window: Window, now: Date): Promise<Standing> {
  try {
    const { remainingPoints } = await limiters.of(app)(window).consume(window.id);
    return { window, remaining: remainingPoints };
  } catch (refused) {
    if (refused instanceof Error) throw refused;
    throw tooMany('rate_limit_exceeded', window, now);
  }
}

const dayRow = (actor: Actor, now: Date): UsageRow => ({
  accountId: actor.accountId,
  metric: `requests:${keyOf(actor)}`,
  period: dayOf(now),
});

/** The UTC day is counted here and written every few seconds; see tally.ts. */
async function countDay(app: App, actor: Actor, limit: number, now: Date): Promise<Standing> {
  const window = windowAt(`${keyOf(actor)}:day`, limit, daySeconds, now);
  const row = dayRow(actor, now);
  const days = tally.of(app);
  let used = days.total(row);
  // Others may have counted while it was read: only what is told at once still holds.
  while (typeof used !== 'number') {
    await used;
    used = days.total(row);
  }
  if (used >= limit) throw tooMany('rate_limit_exceeded', window, now);
  days.add(row, 1);
  return { window, remaining: limit - used - 1 };
}
