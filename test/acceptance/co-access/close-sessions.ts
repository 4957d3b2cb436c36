import type { Relationship } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import type { FakeClock } from '../../support/fake-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import type { Service } from '../../support/service.ts';
import { minuteMs, withoutTimers } from '../activation/session-requests.ts';

/** No timer fires: sessions close, and jobs run, when a test says so. */
export const createClockWithoutTimers = (): FakeClock => withoutTimers(createFakeClock());

/** Lets every open session of the account become idle and close, and runs what is due then. */
export async function closeAllSessions(
  service: Service,
  clock: FakeClock,
  client: Client,
): Promise<void> {
  clock.advance(30 * minuteMs);
  await client.sessions.active();
  await service.running.context.worker.drain();
}

/** What links two memories, in both directions, the oldest first. */
export async function relationshipsBetween(
  client: Client,
  a: string,
  b: string,
): Promise<Relationship[]> {
  const { outgoing = [], incoming = [] } = await client.relationships.list({
    params: { memoryId: a },
  });
  return [...outgoing, ...incoming]
    .filter(({ source_id, target_id }) => source_id === b || target_id === b)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The account's learning jobs as they would be after a crash that came before they were noted. */
export async function requeueLearningJobs(service: Service, accountId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update jobs set status = 'queued', finished_at = null
    where account_id = ${accountId}::uuid and kind = 'sessions.co_access'
  `.execute(service.running.context.app.engine.db);
  return Number(numAffectedRows);
}
