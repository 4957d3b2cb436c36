import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { eachEngine, overrideEngine } from '../database/testing.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import { createLog } from '../kernel/log.ts';
import { enqueueJob } from './job-queue.ts';
import { JobWorker } from './job-worker.ts';
import { lockAccountOfQueuedJob } from './queued-accounts.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const onServer = eachEngine({ migrations }).filter(({ name }) => name !== 'embedded');

/** A file of tests must hold one: without a server they are there and do not run. */
const engines = onServer.length > 0 ? onServer : eachEngine({ migrations }).slice(0, 1);

/**
 * A cluster commits the job on the coordinator first, and the rows of its account on their node
 * later. Here the rows have a transaction of their own, which the test commits later.
 */
describe.runIf(onServer.length > 0).each(engines)('a job of a distributed $name', ({ open }) => {
  it('runs when the rows of its transaction are visible, and stops no other writer', async () => {
    const test = await open();
    const ids = createIds(systemClock);
    const accountId = ids.uuid();
    const now = systemClock.now();
    const engine = overrideEngine(test.engine, { isDistributed: true });
    const { db } = engine;
    const row = { id: accountId, name: 'a', plan: 'free', created_at: now, updated_at: now };
    await db.insertInto('accounts').values(row).execute();
    await db.insertInto('account_positions').values({ account_id: accountId }).execute();
    const readSpaces = () =>
      db.selectFrom('spaces').select('name').where('account_id', '=', accountId).execute();

    const seen: unknown[] = [];
    const run = async () => void seen.push(...(await readSpaces()));
    const disposables = new AsyncDisposableStack();
    const deps = { engine, clock: systemClock, ids, log: createLog('silent'), disposables };
    const worker = new JobWorker(deps, { read: { run, backoffSeconds: [] } }, []);

    const secondPhase = Promise.withResolvers<void>();
    const firstPhase = Promise.withResolvers<void>();
    const rows = test.engine.transaction(async (tx) => {
      const space = {
        id: ids.uuid(),
        name: 'of the job',
        metadata: '{}',
        created_at: now,
        updated_at: now,
      };
      await tx
        .insertInto('spaces')
        .values({ ...space, account_id: accountId })
        .execute();
      await lockAccountOfQueuedJob(tx, accountId);
      firstPhase.resolve();
      await secondPhase.promise;
    });
    await firstPhase.promise;
    // As a journal does.
    await db
      .updateTable('account_positions')
      .set({ position: 1 })
      .where('account_id', '=', accountId)
      .execute();
    const job = { id: ids.uuid(), accountId, kind: 'read', payload: {}, spaces: null, runAt: now };
    await enqueueJob(db, job);
    const drained = worker.drain();
    await eventually(
      () => db.selectFrom('jobs').select('status').where('id', '=', job.id).executeTakeFirst(),
      (found) => found?.status === 'running',
    );
    expect(seen).toEqual([]);
    secondPhase.resolve();
    await Promise.all([rows, drained]);
    expect(seen).toEqual([{ name: 'of the job' }]);
    await worker[Symbol.asyncDispose]();
    await test.cleanup();
  });
});
