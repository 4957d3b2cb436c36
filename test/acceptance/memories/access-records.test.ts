import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemCtx } from '../../../packages/server/src/domains/ctx.ts';
import { recordAccess } from '../../../packages/server/src/domains/memories/index.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from './memory-requests.ts';

const flushMs = 500;
const waitingIdsMax = 100_000;
const idsEach = 2_000;

describe.each(engines)('reads that wait to be recorded on %s', (engine) => {
  let service: Service;
  // What another test reads waits with it: a service of its own.
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { isExclusive: true, overrides: { clock } });
  });
  afterAll(() => service.stop());

  it('are no more than a bound, above which the log says how many were let go', async () => {
    const { id: accountId, client } = await service.createAccount();
    const { id } = await createMemory(client, 'read often');
    const ctx = systemCtx(service.running.context.app, accountId);
    const ids = Array<string>(idsEach).fill(id);
    const kept = waitingIdsMax / idsEach;
    for (let i = 0; i < kept + 3; i += 1) recordAccess(ctx, ids, { via: 'get' });
    // Counted in the table: the events together are megabytes, which each look would read.
    const events = () =>
      ctx.engine.db
        .selectFrom('events')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('type', '=', 'memory.accessed')
        .executeTakeFirstOrThrow();
    const recorded = async (expected: number) => {
      clock.advance(flushMs);
      await eventually(events, ({ count }) => Number(count) === expected, 20_000);
    };
    await recorded(kept);
    const lines = service.logLines.filter((line) =>
      line.includes('accesses dropped: too many pending'),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"accesses":3');
    recordAccess(ctx, [id], { via: 'get' });
    await recorded(kept + 1);
  });
});
