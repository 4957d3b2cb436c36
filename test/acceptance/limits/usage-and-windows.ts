import type { RawRequest, RawResponse } from '@mneme/sdk';
import { sql } from 'kysely';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { Service } from '../../support/service.ts';

/** Well-formed, and the id of nothing. */
export const absentId = '019b8d1c-0000-7000-8000-00000000dead';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Past a boundary, so that no rounding takes the time back over it. */
const marginMs = 20;

/**
 * Moves on to just after the start of a minute, and returns that start. Real time runs on, but no
 * test takes the rest of a minute.
 */
export function advanceToNextMinute(clock: FakeClock): Date {
  return advanceTo(clock, (now) => (Math.floor(now / minuteMs) + 1) * minuteMs);
}

/** The same for a UTC day. */
export function advanceToNextDay(clock: FakeClock): Date {
  return advanceTo(clock, (now) => (Math.floor(now / dayMs) + 1) * dayMs);
}

/** The same for a UTC month. */
export function advanceToNextMonth(clock: FakeClock): Date {
  return advanceTo(clock, (now) => {
    const date = new Date(now);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  });
}

function advanceTo(clock: FakeClock, boundaryAfter: (now: number) => number): Date {
  const now = clock.now().getTime();
  const boundary = boundaryAfter(now);
  clock.advance(boundary - now + marginMs);
  return new Date(boundary);
}

/** Runs `count` calls, at most `lanes` at the same time. */
export async function runConcurrently<T>(
  count: number,
  lanes: number,
  call: (i: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const i = next;
      next += 1;
      results[i] = await call(i);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

export const responseStatuses = (answers: readonly RawResponse[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

/** What the headers of an answer tell about a limit; null where they tell nothing at all. */
export function readLimitHeaders({ headers }: Pick<RawResponse, 'headers'>): {
  limit: number;
  remaining: number;
  reset: number;
  policy: string;
} | null {
  const names = [...headers.keys()].filter((name) => name.startsWith('x-ratelimit-'));
  if (names.length === 0) return null;
  const number = (name: string): number => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
  return {
    limit: number('limit'),
    remaining: number('remaining'),
    reset: number('reset'),
    policy: headers.get('x-ratelimit-policy') ?? '',
  };
}

interface UsageCounter {
  readonly accountId: string;
  readonly metric: string;
  /** `total`, a month (2026-01) or a day (2026-01-05). */
  readonly period: string;
}

/** Sets what an account has used, so that no test has to use it up. */
export async function setUsage(
  { running }: Pick<Service, 'running'>,
  counter: UsageCounter,
  used: number,
): Promise<void> {
  const { db } = running.context.app.engine;
  await sql`
    insert into usage_counters (account_id, metric, period, used)
    values (${counter.accountId}::uuid, ${counter.metric}, ${counter.period}, ${used}::bigint)
    on conflict (account_id, metric, period) do update set used = excluded.used
  `.execute(db);
}

/** What the database holds of a counter; 0 where it has no row. */
export async function readUsage(service: Service, counter: UsageCounter): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select used::int from usage_counters where account_id = ${counter.accountId}::uuid
    and metric = ${counter.metric} and period = ${counter.period}
  `.execute(service.running.context.app.engine.db);
  return rows[0]?.used ?? 0;
}

/** A fresh key of an account, made by the operator, with its record's id. */
export async function createKeyFor(
  service: Service,
  accountId: string,
  scopes?: ('memories:read' | 'memories:write' | 'email:read')[],
) {
  const body = { name: 'another', ...(scopes ? { scopes } : {}) };
  const { id, key } = await service.operator().admin.createKey({ params: { id: accountId }, body });
  return { id, key, client: service.client(key) };
}

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
export const monthOf = (date: Date): string => date.toISOString().slice(0, 7);

export const postRequest = (path: string, body: unknown): RawRequest => ({
  method: 'POST',
  path,
  body,
});
export const getRequest = (path: string): RawRequest => ({ method: 'GET', path });
