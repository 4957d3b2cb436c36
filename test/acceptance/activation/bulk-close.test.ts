import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { readSessionRows, withoutTimers } from './session-requests.ts';

describe.each(engines)('Sessions that idle in great number on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    // Nothing but the reader closes them.
    const clock = withoutTimers(createFakeClock());
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  it('are closed by the next read, at most a hundred in a transaction', async () => {
    const { client, id } = await service.createAccount();
    const { db } = service.running.context.app.engine;
    await sql`
      insert into activation_sessions
        (account_id, id, session_key, started_at, last_activity_at)
      select ${id}::uuid, gen_random_uuid(), 'key ' || n, now() - interval '1 day',
        now() - interval '1 day'
      from generate_series(1, 250) as n`.execute(db);
    const { data } = await client.sessions.active();
    expect(data).toEqual([]);
    const sessions = await readSessionRows(service, id);
    expect(sessions.filter(({ is_closed }) => is_closed)).toHaveLength(250);
    // Who wrote a row last.
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from activation_sessions
      where account_id = ${id}::uuid group by xmin`.execute(db);
    for (const { count } of rows) expect(count).toBeLessThanOrEqual(100);
  });
});
