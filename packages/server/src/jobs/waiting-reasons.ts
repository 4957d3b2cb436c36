import type { WaitingReason } from '@mneme/contract';
import type { Engine } from '../database/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import type { AppLifetime } from '../kernel/per-app.ts';
import type { JobRow } from './job-queue.ts';
import { readPausedQueues } from './job-queues.ts';
import { queueOfKind } from './job-worker.ts';
import { hasLiveWorker } from './worker-heartbeat.ts';

interface WaitingDeps extends AppLifetime {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly config: Pick<Config, 'runsJobs'>;
}

/** By id of the job; no entry: it runs, has ended, or waits for its turn. */
export type WaitingReasons = ReadonlyMap<string, WaitingReason>;

/** Why jobs wait that nobody begins. One or two statements if some wait, otherwise none. */
export async function readWaitingReasons(
  deps: WaitingDeps,
  jobs: readonly JobRow[],
): Promise<WaitingReasons> {
  const { engine, clock, config } = deps;
  const now = clock.now();
  const waiting = jobs.filter(({ status, lease_until: until }) => {
    const isAbandoned = until === null || until <= now;
    return status === 'queued' || (status === 'running' && isAbandoned);
  });
  if (waiting.length === 0) return new Map();
  const paused = await readPausedQueues(engine.db);
  const hasWorker = config.runsJobs || (await hasLiveWorker(engine.db));
  const reasonOf = ({ kind }: JobRow): WaitingReason | null => {
    if (paused.has(queueOfKind(deps, kind) ?? '')) return 'queue_paused';
    return hasWorker ? null : 'no_worker';
  };
  return new Map(
    waiting.flatMap((job) => {
      const reason = reasonOf(job);
      return reason === null ? [] : [[job.id, reason]];
    }),
  );
}
