import { fileURLToPath } from 'node:url';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { eachEngine, type TestEngine } from '../database/testing.ts';
import type { Clock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import { createLog } from '../kernel/log.ts';
import { runInSpan, type Span, tracing } from '../kernel/tracing.ts';
import {
  enqueueJob,
  findJob,
  leaseNextJob,
  releaseRunningJobs,
  renewJobLease,
} from './job-queue.ts';
import { findDueQueues } from './job-queues.ts';
import {
  type JobKindDefinition,
  type JobSchedule,
  JobWorker,
  requeueResult,
} from './job-worker.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const start = Date.parse('2026-01-01T00:00:00Z');

/** A clock that the test advances; timers never fire. */
function steppedClock(): Clock & { step(ms: number): void } {
  let now = start;
  return {
    now: () => new Date(now),
    monotonicMs: () => now,
    after: () => ({ [Symbol.dispose]: () => undefined }),
    step: (ms) => {
      now += ms;
    },
  };
}

describe.each(eachEngine({ migrations }))('jobs on $name', ({ open }) => {
  let test: TestEngine;
  const clock = steppedClock();
  const ids = createIds(clock);
  const account = ids.uuid();
  const disposables = new AsyncDisposableStack();
  const deps = () => ({ engine: test.engine, clock, ids, log: createLog('silent'), disposables });
  const job = (kind: string, dedupeKey?: string) => ({
    id: ids.uuid(),
    accountId: account,
    kind,
    payload: { a: 1 },
    spaces: null,
    runAt: clock.now(),
    ...(dedupeKey === undefined ? {} : { dedupeKey }),
  });
  const worker = (kinds: Record<string, JobKindDefinition>, schedules: JobSchedule[] = []) =>
    new JobWorker(deps(), kinds, schedules);

  beforeAll(async () => {
    test = await open();
  });
  afterAll(() => test.cleanup());
  beforeEach(async () => {
    await sql`truncate jobs, events, accounts cascade`.execute(test.engine.db);
    const now = clock.now();
    const row = { id: account, name: 'a', plan: 'free', created_at: now, updated_at: now };
    await test.engine.db.insertInto('accounts').values(row).execute();
    await test.engine.db.insertInto('account_positions').values({ account_id: account }).execute();
  });

  it('are found by one statement for all queues, also while jobs run', async () => {
    const polls: (() => void)[] = [];
    const polling: Clock = {
      ...clock,
      after: (_ms, callback) => {
        polls.push(callback);
        return { [Symbol.dispose]: () => undefined };
      },
    };
    let statements = 0;
    const count: KyselyPlugin = {
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const engine = { ...test.engine, db: test.engine.db.withPlugin(count) };
    const ended = Promise.withResolvers<void>();
    const ran: string[] = [];
    const kinds = Object.fromEntries(
      ['first', 'second', 'idle'].map((queue) => {
        const run = async () => {
          ran.push(queue);
          await ended.promise;
        };
        return [queue, { queue, run, backoffSeconds: [] }];
      }),
    );
    await using jobs = new JobWorker({ ...deps(), engine, clock: polling }, kinds, []);
    jobs.start();
    const poll = () => {
      for (const callback of polls.splice(0)) callback();
    };
    poll();
    await eventually(
      async () => polls.length,
      (length) => length === 1,
    );
    // On a server also the heartbeat of workers, once in ten seconds.
    expect(statements).toBe(engine.kind === 'embedded' ? 1 : 2);
    await enqueueJob(test.engine.db, job('first'));
    await enqueueJob(test.engine.db, job('second'));
    poll();
    await eventually(
      async () => ran.length + polls.length,
      (length) => length === 3,
    );
    expect(ran.toSorted()).toEqual(['first', 'second']);
    statements = 0;
    await enqueueJob(test.engine.db, job('first'));
    for (const round of [1, 2]) {
      poll();
      await eventually(
        async () => polls.length,
        (length) => length === 1,
      );
      expect(statements).toBe(round);
    }
    ended.resolve();
  });

  describe('queue', () => {
    it('queues nothing when the transaction is rolled back', async () => {
      const one = job('k');
      const failing = test.engine.transaction(async (tx) => {
        await enqueueJob(tx, one);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await findJob(test.engine.db, account, one.id)).toBeUndefined();
    });

    it('keeps the trace of the request that queued a job, which the job does not see', async () => {
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      const span = { traceparent, isRecording: true } as Span;
      const one = job('k');
      await runInSpan(span, () => enqueueJob(test.engine.db, one));
      const seen: unknown[] = [];
      const links: unknown[] = [];
      // A tracer belongs to an app, and the other tests share theirs.
      await using own = new AsyncDisposableStack();
      const app = { ...deps(), disposables: own };
      tracing.of(app).tracer = {
        startTrace: (_name, options) => {
          links.push(options?.link);
          return { ...span, setAttributes: () => undefined, end: () => undefined } as Span;
        },
      };
      const run: JobKindDefinition['run'] = async ({ payload, saveProgress }) => {
        seen.push(payload);
        if (seen.length > 1) return undefined;
        await saveProgress(0.5, { a: 2 });
        return requeueResult;
      };
      const jobs = new JobWorker(app, { k: { run, backoffSeconds: [] } }, []);
      await jobs.drain();
      expect(seen).toEqual([{ a: 1 }, { a: 2 }]);
      expect(links).toEqual([traceparent, traceparent]);
    });

    it('is due with a queued job whose time has come, or a job whose worker died', async () => {
      const { db } = test.engine;
      const later = new Date(clock.now().getTime() + 60_000);
      for (const kind of ['queued', 'leased', 'died', 'other']) await enqueueJob(db, job(kind));
      await enqueueJob(db, { ...job('future'), runAt: later });
      await leaseNextJob(db, ['leased'], { now: clock.now(), until: later });
      await leaseNextJob(db, ['died'], { now: clock.now(), until: clock.now() });
      const names = ['queued', 'leased', 'died', 'future', 'none'];
      const queues = names.map((name) => ({ name, kinds: [name, `${name} too`] }));
      expect(await findDueQueues(db, queues, clock.now())).toEqual(new Set(['queued', 'died']));
    });

    it('leases a job to only one of several concurrent workers', async () => {
      await enqueueJob(test.engine.db, job('k'));
      const until = new Date(clock.now().getTime() + 1_000);
      const taken = await Promise.all(
        Array.from({ length: 8 }, () =>
          leaseNextJob(test.engine.db, ['k'], { now: clock.now(), until }),
        ),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
    });

    it('leases a job only to a process that can run its payload', async () => {
      const [mine, other] = [job('k'), { ...job('k'), payload: { model: 'other', a: 1 } }];
      for (const one of [other, job('any'), mine]) await enqueueJob(test.engine.db, one);
      const until = new Date(clock.now().getTime() + 1_000);
      const lease = (payloads: Record<string, Record<string, unknown>>) =>
        leaseNextJob(test.engine.db, ['k'], { now: clock.now(), until, payloads });
      expect(await lease({ k: { model: 'third' }, any: {} })).toBeUndefined();
      expect(await lease({ k: { model: 'other' } })).toMatchObject({ id: other.id });
      expect(await lease({ any: { model: 'other' } })).toMatchObject({ id: mine.id });
    });

    it('queues only one job per dedupe key', async () => {
      expect(await enqueueJob(test.engine.db, job('k', 'once'))).toBe(true);
      expect(await enqueueJob(test.engine.db, job('k', 'once'))).toBe(false);
    });

    it('leases a job of a dead worker to another one, and stops the late worker', async () => {
      const one = job('k');
      await enqueueJob(test.engine.db, one);
      const until = new Date(clock.now().getTime() + 1_000);
      const first = await leaseNextJob(test.engine.db, ['k'], { now: clock.now(), until });
      clock.step(2_000);
      const later = { now: clock.now(), until: new Date(until.getTime() + 9_000) };
      const second = await leaseNextJob(test.engine.db, ['k'], later);
      expect(second).toMatchObject({ id: one.id, attempts: 2 });
      expect(first && (await renewJobLease(test.engine.db, first, until, 0.5))).toBe(false);
    });
  });

  describe('a clock that was ahead and was corrected', () => {
    const yearMs = 365 * 86_400_000;

    it('does not respect a lease of the wrong time', async () => {
      const one = job('k');
      await enqueueJob(test.engine.db, one);
      const ahead = clock.now().getTime() + yearMs;
      const wrong = { now: new Date(ahead), until: new Date(ahead + 60_000) };
      expect(await leaseNextJob(test.engine.db, ['k'], wrong)).toMatchObject({ id: one.id });
      const until = new Date(clock.now().getTime() + 60_000);
      const right = { now: clock.now(), until };
      expect(await leaseNextJob(test.engine.db, ['k'], right)).toMatchObject({
        id: one.id,
        attempts: 2,
      });
      // A current lease is respected, also by a process whose clock differs by minutes.
      expect(await leaseNextJob(test.engine.db, ['k'], right)).toBeUndefined();
      const skewed = { now: new Date(clock.now().getTime() - 600_000), until };
      expect(await leaseNextJob(test.engine.db, ['k'], skewed)).toBeUndefined();
    });

    it('runs a job that was scheduled at the wrong time', async () => {
      const one = { ...job('k'), runAt: new Date(clock.now().getTime() + yearMs) };
      const soon = { ...job('k'), runAt: new Date(clock.now().getTime() + 3_600_000) };
      await enqueueJob(test.engine.db, one);
      await enqueueJob(test.engine.db, soon);
      const now = clock.now();
      const until = new Date(now.getTime() + 60_000);
      const taken = [
        await leaseNextJob(test.engine.db, ['k'], { now, until }),
        await leaseNextJob(test.engine.db, ['k'], { now, until }),
      ];
      expect(taken.map((row) => row?.id)).toEqual([one.id, undefined]);
    });
  });

  describe('worker', () => {
    it('runs long jobs in parallel to others, one at a time', async () => {
      const gate = Promise.withResolvers<void>();
      const seen: string[] = [];
      const long: JobKindDefinition = {
        backoffSeconds: [],
        queue: 'long',
        run: async ({ payload }) => {
          seen.push(`begun ${payload.name}`);
          await gate.promise;
          seen.push(`ended ${payload.name}`);
          return undefined;
        },
      };
      const short: JobKindDefinition = {
        backoffSeconds: [],
        run: async () => {
          seen.push('short');
          // The long job continues after all other due jobs.
          if (seen.filter((name) => name === 'short').length === 2) gate.resolve();
          return undefined;
        },
      };
      for (const name of ['first', 'second']) {
        await enqueueJob(test.engine.db, { ...job('long'), payload: { name } });
        clock.step(1);
      }
      for (let i = 0; i < 2; i += 1) await enqueueJob(test.engine.db, job('short'));
      await worker({ long, short }).drain();
      expect(seen.filter((name) => name !== 'short')).toEqual([
        'begun first',
        'ended first',
        'begun second',
        'ended second',
      ]);
      expect(seen.indexOf('ended first')).toBeGreaterThan(seen.lastIndexOf('short'));
    });

    it('runs long jobs of two queues in parallel', async () => {
      const [heard, grouped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const hear = async (): Promise<void> => {
        heard.resolve();
        await grouped.promise;
      };
      const group = async (): Promise<void> => {
        grouped.resolve();
        await heard.promise;
      };
      for (const kind of ['hear', 'group']) await enqueueJob(test.engine.db, job(kind));
      // Each continues only after the other has started.
      await worker({
        hear: { run: hear, backoffSeconds: [], queue: 'recordings' },
        group: { run: group, backoffSeconds: [], queue: 'clusters' },
      }).drain();
    });

    it('serves accounts round robin in a queue of long jobs', async () => {
      const other = ids.uuid();
      const seen: string[] = [];
      const run: JobKindDefinition['run'] = async ({ payload }) =>
        void seen.push(payload.name as string);
      const queue = async (accountId: string, name: string): Promise<void> => {
        await enqueueJob(test.engine.db, { ...job('long'), accountId, payload: { name } });
        clock.step(1);
      };
      for (const name of ['a1', 'a2', 'a3', 'a4']) await queue(account, name);
      for (const name of ['b1', 'b2']) await queue(other, name);
      const working = worker({ long: { run, backoffSeconds: [], queue: 'long' } });
      await working.drain();
      expect(seen.splice(0)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
      // The account that was served last waits as well.
      for (const name of ['a5', 'a6']) await queue(account, name);
      await queue(other, 'b3');
      await working.drain();
      expect(seen).toEqual(['b3', 'a5', 'a6']);
    });

    it('notifies a running job of a stop of the process, and waits for its end', async () => {
      const begun = Promise.withResolvers<void>();
      const long: JobKindDefinition = {
        backoffSeconds: [],
        queue: 'long',
        run: async ({ stopSignal }) => {
          begun.resolve();
          await new Promise((resolve) => stopSignal.addEventListener('abort', resolve));
          return requeueResult;
        },
      };
      const one = job('long');
      await enqueueJob(test.engine.db, one);
      const running = worker({ long });
      const drained = running.drain();
      await begun.promise;
      await running[Symbol.asyncDispose]();
      await drained;
      expect((await findJob(test.engine.db, account, one.id))?.status).toBe('queued');
    });

    it('runs a job once and stores its progress', async () => {
      const seen: unknown[] = [];
      const one = job('k');
      await enqueueJob(test.engine.db, one);
      const run: JobKindDefinition['run'] = async ({ payload, saveProgress }) => {
        seen.push(payload);
        await saveProgress(0.5);
      };
      await worker({ k: { run, backoffSeconds: [] } }).drain();
      await worker({ k: { run, backoffSeconds: [] } }).drain();
      expect(seen).toEqual([{ a: 1 }]);
      const done = await findJob(test.engine.db, account, one.id);
      expect(done).toMatchObject({ status: 'completed', progress: 1, attempts: 1 });
    });

    it('retries after each backoff, then marks the job as failed', async () => {
      const one = job('k');
      await enqueueJob(test.engine.db, one);
      let runs = 0;
      const run = async (): Promise<void> => {
        runs += 1;
        throw new Error('secret reason');
      };
      const failing = worker({ k: { run, backoffSeconds: [10, 20] } });
      await failing.drain();
      expect(await findJob(test.engine.db, account, one.id)).toMatchObject({ status: 'queued' });
      clock.step(9_000);
      await failing.drain();
      expect(runs).toBe(1);
      clock.step(1_000);
      await failing.drain();
      clock.step(20_000);
      await failing.drain();
      const dead = await findJob(test.engine.db, account, one.id);
      expect(dead).toMatchObject({ status: 'failed', attempts: 3 });
      expect(dead?.error).not.toContain('secret');
    });

    it('does not lease jobs of an unknown kind', async () => {
      const one = job('new');
      await enqueueJob(test.engine.db, one);
      const run = async (): Promise<void> => undefined;
      await worker({ old: { run, backoffSeconds: [] } }).drain();
      expect(await findJob(test.engine.db, account, one.id)).toMatchObject({ status: 'queued' });
      await worker({ new: { run, backoffSeconds: [] } }).drain();
      expect(await findJob(test.engine.db, account, one.id)).toMatchObject({ status: 'completed' });
    });

    it('asks a job to yield after a second, or when the worker stops', async () => {
      const told: boolean[] = [];
      let stopped: PromiseLike<void> | undefined;
      const run: JobKindDefinition['run'] = async ({ shouldYield }) => {
        told.push(shouldYield());
        clock.step(1_000);
        told.push(shouldYield());
      };
      const stopping = worker({
        k: { run, backoffSeconds: [] },
        stop: { run: stop, backoffSeconds: [] },
      });
      async function stop({ shouldYield }: Parameters<JobKindDefinition['run']>[0]): Promise<void> {
        told.push(shouldYield());
        stopped = stopping[Symbol.asyncDispose]();
        told.push(shouldYield());
      }
      await enqueueJob(test.engine.db, job('k'));
      await enqueueJob(test.engine.db, job('stop'));
      await stopping.drain();
      await stopped;
      expect(told).toEqual([false, true, false, true]);
    });

    it('runs other jobs between the steps of a long job', async () => {
      const order: unknown[] = [];
      const long = job('long');
      await enqueueJob(test.engine.db, { ...long, payload: { at: 0 } });
      await enqueueJob(test.engine.db, job('short'));
      const runLong: JobKindDefinition['run'] = async ({ payload, saveProgress }) => {
        const at = Number(payload.at);
        order.push(at);
        await saveProgress(at / 2, { at: at + 1 });
        return at < 2 ? requeueResult : undefined;
      };
      const runShort = async (): Promise<void> => void order.push('short');
      const kinds = {
        long: { run: runLong, backoffSeconds: [] },
        short: { run: runShort, backoffSeconds: [] },
      };
      await worker(kinds).drain();
      expect(order).toEqual([0, 'short', 1, 2]);
      const done = await findJob(test.engine.db, account, long.id);
      expect(done).toMatchObject({ status: 'completed', attempts: 3, failures: 0 });
    });

    it('does not count a requeue of a long job as a failure', async () => {
      const one = job('k');
      await enqueueJob(test.engine.db, { ...one, payload: { at: 0 } });
      const run: JobKindDefinition['run'] = async ({ payload, saveProgress }) => {
        const at = Number(payload.at);
        await saveProgress(0, { at: at + 1 });
        if (at < 3) return requeueResult;
        if (at === 3) throw new Error('once');
        return undefined;
      };
      const kinds = { k: { run, backoffSeconds: [10] } };
      await worker(kinds).drain();
      expect(await findJob(test.engine.db, account, one.id)).toMatchObject({ status: 'queued' });
      clock.step(10_000);
      await worker(kinds).drain();
      expect(await findJob(test.engine.db, account, one.id)).toMatchObject({ status: 'completed' });
    });

    it('enqueues scheduled jobs while a long job runs', async () => {
      let planned = 0;
      const run: JobKindDefinition['run'] = async ({ payload, saveProgress }) => {
        const at = Number(payload.at);
        clock.step(3_600_000);
        await saveProgress(0, { at: at + 1 });
        return at < 2 ? requeueResult : undefined;
      };
      await enqueueJob(test.engine.db, { ...job('k'), payload: { at: 0 } });
      const hourly = async (): Promise<void> => {
        planned += 1;
      };
      const kinds = {
        k: { run, backoffSeconds: [] },
        hourly: { run: hourly, backoffSeconds: [] },
      };
      await worker(kinds, [{ kind: 'hourly', everySeconds: 3_600 }]).drain();
      expect(planned).toBe(4);
    });

    it('releases the jobs of a killed process at the start', async () => {
      const one = job('k');
      await enqueueJob(test.engine.db, one);
      const now = clock.now();
      await leaseNextJob(test.engine.db, ['k'], { now, until: new Date(now.getTime() + 60_000) });
      await releaseRunningJobs(test.engine.db);
      const taken = await leaseNextJob(test.engine.db, ['k'], { now, until: now });
      expect(taken).toMatchObject({ id: one.id, attempts: 2 });
    });

    it('enqueues one job per period of a schedule, with any number of processes', async () => {
      let runs = 0;
      const run = async (): Promise<void> => {
        runs += 1;
      };
      const schedules = [{ kind: 'hourly', everySeconds: 3_600 }];
      const kinds = { hourly: { run, backoffSeconds: [] } };
      await Promise.all([worker(kinds, schedules).drain(), worker(kinds, schedules).drain()]);
      expect(runs).toBe(1);
      clock.step(3_600_000);
      await worker(kinds, schedules).drain();
      expect(runs).toBe(2);
    });
  });
});
