import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHousekeeping } from '../../../packages/server/src/domains/operations/index.ts';
import { requeueResult } from '../../../packages/server/src/jobs/job-worker.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const rows = 300;
const dayMs = 86_400_000;

describe.each(engines)('housekeeping on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const forgotten: Record<string, (accountId: string, old: Date) => RawBuilder<unknown>> = {
    idempotency: (accountId, old) => sql`
      insert into idempotency (account_id, key, fingerprint, status, headers, created_at)
      select ${accountId}::uuid, 'key ' || n, ''::bytea, 200, '{}', ${old}::timestamptz
      from generate_series(1, ${rows}::int) as n`,
    jobs: (accountId, old) => sql`
      insert into jobs (id, account_id, kind, payload, status, run_at, created_at, finished_at)
      select gen_random_uuid(), ${accountId}::uuid, 'k', '{}', 'completed', old, old, old
      from generate_series(1, ${rows}::int), (select ${old}::timestamptz as old) as past`,
  };

  it.each(Object.entries(forgotten))(
    'forgets %s a few at a time, and makes way for others after its turn',
    async (table, insert) => {
      const { app } = service.running.context;
      const { db } = app.engine;
      const { id: accountId } = await service.createAccount();
      await insert(accountId, new Date(clock.now().getTime() - 8 * dayMs)).execute(db);
      const left = async () => {
        const counted = sql<{ left: number }>`
          select count(*) as left from ${sql.table(table)} where account_id = ${accountId}::uuid`;
        return (await counted.execute(db)).rows[0]?.left;
      };
      const saveProgress = async () => undefined;
      const stopSignal = new AbortController().signal;
      const asked = { accountId: null, payload: {}, spaces: null };
      const job = { id: app.ids.uuid(), ...asked, saveProgress, stopSignal };
      expect(
        await runHousekeeping(app, { ...job, isLastAttempt: false, shouldYield: () => true }),
      ).toBe(requeueResult);
      expect(await left()).toBeGreaterThan(0);
      expect(await left()).toBeLessThan(rows);
      expect(
        await runHousekeeping(app, { ...job, isLastAttempt: false, shouldYield: () => false }),
      ).toBeUndefined();
      expect(await left()).toBe(0);
    },
  );
});
