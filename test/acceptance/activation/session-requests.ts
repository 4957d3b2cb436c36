import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { Service } from '../../support/service.ts';

export const minuteMs = 60_000;

/** Time by hand in which no timer ever fires: what is noted waits until a reader asks. */
export function withoutTimers(clock: FakeClock): FakeClock {
  return { ...clock, after: () => ({ [Symbol.dispose]: () => undefined }) };
}

/** Finds with a session key; the ids as they were answered. */
export async function searchWithSession(
  client: Client,
  session: string,
  q: string,
): Promise<string[]> {
  const { results } = await client.search.get({ query: { q, session, limit: 100 } });
  return results.map(({ id }) => id);
}

/** The one session of a key, however it stands; throws when there is another number of them. */
export async function onlySessionOfKey(client: Client, key: string) {
  const [first, ...more] = await sessionsOfKey(client, key);
  if (first === undefined || more.length > 0) throw new Error(`not one session of ${key}`);
  return client.sessions.get({ params: { id: first.id } });
}

/** Sessions of a key, the oldest first. */
export async function sessionsOfKey(client: Client, key: string) {
  const { data } = await client.sessions.list({ query: { limit: 100, order: 'asc' } });
  return data.filter(({ session_key }) => session_key === key);
}

/** What the database itself holds, which no read of the API has touched. */
export async function readSessionRows(service: Service, accountId: string) {
  const { rows } = await sql<{ session_key: string; is_closed: boolean }>`
    select session_key, closed_at is not null as is_closed from activation_sessions
    where account_id = ${accountId}::uuid order by started_at, id
  `.execute(service.running.context.app.engine.db);
  return rows;
}

/** Paths that read one session. */
export const sessionReadPaths = (id: string): string[] =>
  ['', '/memories', '/export', '/report'].map((part) => `/sessions/${id}${part}`);
