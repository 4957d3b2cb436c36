import {
  type Db,
  type Engine,
  logFailure,
  NodeUnavailable,
  SharedPoller,
} from '../database/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { runForAccount } from '../kernel/fair-semaphore.ts';
import type { Ids } from '../kernel/ids.ts';
import { LeaseLost } from '../kernel/lease.ts';
import type { Log } from '../kernel/log.ts';
import { metrics } from '../kernel/metrics/metrics.ts';
import { type AppLifetime, perApp } from '../kernel/per-app.ts';
import { Poller } from '../kernel/poller.ts';
import { withTrace } from '../kernel/tracing.ts';
import {
  completeJob,
  enqueueJob,
  type JobRow,
  leaseNextJob,
  renewJobLease,
  requeueJob,
  retryOrFailJob,
  splitPayload,
} from './job-queue.ts';
import { defaultQueue, findDueQueues, readPausedQueues } from './job-queues.ts';
import { waitForQueuedJobs } from './queued-accounts.ts';
import { WorkerHeartbeat } from './worker-heartbeat.ts';

export interface RunningJob {
  readonly id: string;
  readonly accountId: string | null;
  readonly payload: Record<string, unknown>;
  /** The spaces of the key that caused the job; null: all spaces. */
  readonly spaces: readonly string[] | null;
  /**
   * Stores the progress (0..1) and renews the lease; throws LeaseLost. A `payload` replaces that of
   * the job: it says where to continue after a pause or a crash. With `tx`, it commits with
   * the work.
   */
  saveProgress(share: number, payload?: Record<string, unknown>, tx?: Db): Promise<void>;
  /**
   * True after one second, or when the process is about to stop: a job with remaining work saves
   * its progress and returns `requeueResult`.
   */
  shouldYield(): boolean;
  /** Whether no retry follows. */
  readonly isLastAttempt: boolean;
  /** Aborted when the process is about to stop: a job that waits or computes ends. */
  readonly stopSignal: AbortSignal;
}

/** The result of a job that continues after other due jobs. */
export const requeueResult = Symbol('again');

/** What a job reports when it completes, for GET /jobs/:id. */
export type JobResult = Record<string, unknown>;

export interface JobKindDefinition {
  /** Must be idempotent: after a crash it runs again. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most jobs end and return nothing.
  readonly run: (job: RunningJob) => Promise<typeof requeueResult | JobResult | void>;
  /** Seconds before each retry; after the last retry the job is a dead letter. */
  readonly backoffSeconds: readonly number[];
  /** Only jobs whose payload contains this run here; the others wait for another process. */
  readonly payload?: () => Readonly<Record<string, unknown>>;
  /**
   * A separate queue for jobs that run for minutes without yielding. Its jobs run one at a time in
   * parallel to other queues, round robin by account.
   */
  readonly queue?: string;
  /**
   * The request that begins the work again, for jobs that are not retried as they are because their
   * state is also elsewhere.
   */
  readonly restartedBy?: string;
}

/** The kinds of all jobs, for the lists of jobs and queues. */
export const registeredJobKinds = perApp<AppLifetime, Map<string, JobKindDefinition>>(
  () => new Map(),
);

/** The queue of a kind; undefined for a kind of another version of the program. */
export function queueOfKind(app: AppLifetime, kind: string): string | undefined {
  const definition = registeredJobKinds.of(app).get(kind);
  return definition && (definition.queue ?? defaultQueue);
}

export interface JobSchedule {
  readonly kind: string;
  readonly everySeconds: number;
}

interface WorkerDeps extends AppLifetime {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

const leaseMs = 60_000;
const pollMs = 1_000;
/** A delay, so that a request that queues a job sends its response first. */
const wakeMs = 20;
const yieldAfterMs = 1_000;
/** Of a job whose account's rows do not become visible. */
const postponeMs = 5_000;

/** A retry would not help: the job becomes a dead letter immediately and shows the message. */
export class NonRetryableJobError extends Error {
  override readonly name = 'NonRetryableJobError';
}

/** The public message for an internal error. */
const failureMessage = (retryAt: Date | null): string =>
  retryAt === null
    ? 'The job failed. The log has the reason with the id of the job.'
    : `An attempt failed; the next is at ${retryAt.toISOString()}. The log has the reason.`;

/** Jobs of some kinds, which run one at a time. */
interface WorkerQueue {
  readonly name: string;
  readonly kinds: readonly string[];
  /** The default queue orders jobs by due time and also enqueues scheduled jobs. */
  readonly isDefault: boolean;
  /** In other queues: the accounts of the latest jobs, most recent last. */
  readonly recentAccounts: Set<string>;
  /** Runs the due jobs. */
  readonly poller: Poller;
  isRunning: boolean;
  /** Whether the last poll ran a job. */
  hasRun: boolean;
}

/** The size of `recentAccounts`; older accounts count as not served. */
const recentAccountsMax = 1_000;

/** Runs due jobs, one at a time per queue. The workers of several processes share the queues. */
export class JobWorker implements AsyncDisposable {
  readonly #deps: WorkerDeps;
  readonly #kinds: Readonly<Record<string, JobKindDefinition>>;
  readonly #schedules: readonly JobSchedule[];
  /** The last enqueued period of each schedule. */
  readonly #lastPeriods = new Map<string, number>();
  readonly #stop = new AbortController();
  readonly #queues: readonly WorkerQueue[];
  #isStarted = false;
  /** Looks for due jobs of all queues. */
  readonly #duePoller: SharedPoller;
  readonly #heartbeat: WorkerHeartbeat;

  constructor(
    deps: WorkerDeps,
    kinds: Readonly<Record<string, JobKindDefinition>>,
    schedules: readonly JobSchedule[],
  ) {
    this.#deps = deps;
    this.#kinds = kinds;
    this.#schedules = schedules;
    const registered = registeredJobKinds.of(deps);
    for (const [kind, definition] of Object.entries(kinds)) registered.set(kind, definition);
    const names = Object.keys(kinds);
    const queueOf = (kind: string): string => kinds[kind]?.queue ?? defaultQueue;
    this.#queues = [...new Set([defaultQueue, ...names.map(queueOf)])].map((name) => {
      const queue: WorkerQueue = {
        name,
        kinds: names.filter((kind) => queueOf(kind) === name),
        isDefault: name === defaultQueue,
        recentAccounts: new Set(),
        poller: new Poller(deps.clock, { wakeDelayMs: wakeMs, poll: () => this.#runDue(queue) }),
        isRunning: false,
        hasRun: false,
      };
      return queue;
    });
    this.#heartbeat = new WorkerHeartbeat(deps);
    this.#duePoller = new SharedPoller(deps, {
      topic: 'jobs',
      intervalMs: pollMs,
      poll: () => this.#startDueQueues(),
    });
  }

  start(): void {
    this.#isStarted = true;
    this.#duePoller.start();
    for (const { poller } of this.#queues) poller.start();
  }

  /** Runs a newly queued job without waiting for the next poll, here or in another process. */
  wake(): void {
    for (const { poller } of this.#queues) poller.wake();
    const canBegin = this.#isStarted && this.#queues.every(({ isRunning }) => !isRunning);
    if (!canBegin) this.#duePoller.share();
  }

  /** Runs all jobs that are due now. */
  async drain(): Promise<void> {
    await Promise.all(this.#queues.map(({ poller }) => poller.poll()));
  }

  /** Does not wait for the jobs. */
  async #startDueQueues(): Promise<void> {
    const { engine, clock, log } = this.#deps;
    if (!engine.canWrite) return;
    try {
      await this.#heartbeat.beat();
      await this.#enqueueScheduled();
      const due = await findDueQueues(engine.db, this.#queues, clock.now());
      for (const queue of this.#queues) {
        if (!due.has(queue.name)) continue;
        if (queue.isRunning) this.#duePoller.shareIfLeader();
        else void queue.poller.poll().then(() => this.#shareRemaining(queue));
      }
    } catch (error) {
      logFailure(log, error, 'job queue poll failed');
    }
  }

  async #runDue(queue: WorkerQueue): Promise<void> {
    // A lease is a write.
    if (!this.#deps.engine.canWrite) return;
    queue.isRunning = true;
    queue.hasRun = false;
    try {
      do {
        if (queue.isDefault) await this.#enqueueScheduled();
        // Each iteration runs one job, so that a stop waits for at most one.
      } while (!this.#stop.signal.aborted && (await this.#runNext(queue)));
    } catch (error) {
      logFailure(this.#deps.log, error, 'job queue poll failed');
    } finally {
      queue.isRunning = false;
    }
  }

  /** A due job that this process does not run may be for another one. */
  #shareRemaining({ hasRun }: WorkerQueue): void {
    if (!hasRun) this.#duePoller.shareIfLeader();
  }

  /** The key contains the number of the period, so that all processes together enqueue one job. */
  async #enqueueScheduled(): Promise<void> {
    // The leader does it.
    if (this.#deps.engine.processes.role === 'follower') return;
    const now = this.#deps.clock.now();
    for (const { kind, everySeconds } of this.#schedules) {
      const period = Math.floor(now.getTime() / (everySeconds * 1_000));
      if (this.#lastPeriods.get(kind) === period) continue;
      // A pause of days must not leave a job for each of its minutes.
      if ((await readPausedQueues(this.#deps.engine.db)).has(defaultQueue)) return;
      await enqueueJob(this.#deps.engine.db, {
        id: this.#deps.ids.uuid(),
        accountId: null,
        kind,
        payload: {},
        spaces: null,
        runAt: now,
        dedupeKey: `${kind}:${period}`,
      });
      this.#lastPeriods.set(kind, period);
    }
  }

  /** By kind: what the payload of a job must contain. */
  #requiredPayloads(): Record<string, Readonly<Record<string, unknown>>> {
    const entries = Object.entries(this.#kinds);
    return Object.fromEntries(
      entries.flatMap(([kind, { payload }]) => (payload ? [[kind, payload()]] : [])),
    );
  }

  async #runNext(queue: WorkerQueue): Promise<boolean> {
    const { name, kinds, isDefault, recentAccounts } = queue;
    const payloads = this.#requiredPayloads();
    const { engine, clock } = this.#deps;
    const now = clock.now();
    const until = new Date(now.getTime() + leaseMs);
    // Jobs of unknown kinds belong to another version of the program, which queued them.
    const served = [...recentAccounts];
    const options = { now, until, served, payloads, queue: name };
    const job = await leaseNextJob(engine.db, kinds, options);
    if (!job) return false;
    queue.hasRun = true;
    if (!isDefault && job.account_id !== null) {
      recentAccounts.delete(job.account_id);
      recentAccounts.add(job.account_id);
      const [oldest] = recentAccounts;
      if (recentAccounts.size > recentAccountsMax && oldest !== undefined)
        recentAccounts.delete(oldest);
    }
    if (!(await this.#areRowsVisible(job))) return true;
    const { traceparent: link } = splitPayload(job);
    await withTrace(this.#deps, `job ${job.kind}`, { kind: 'consumer', link }, (span) =>
      this.#run(job, (outcome) => {
        span?.setAttributes({ 'mneme.job.kind': job.kind, 'mneme.job.outcome': outcome });
        if (outcome === 'retried' || outcome === 'failed') span?.fail('job_failed');
      }),
    );
    return true;
  }

  /** False if the job was postponed, because the transaction that queued it has not ended. */
  async #areRowsVisible(job: JobRow): Promise<boolean> {
    const { engine } = this.#deps;
    if (!engine.isDistributed || job.account_id === null) return true;
    try {
      await waitForQueuedJobs(engine, job.account_id);
      return true;
    } catch (error) {
      await this.#postpone(job, error);
      return false;
    }
  }

  /** No attempt has failed. A node that does not respond has been logged. */
  async #postpone(job: JobRow, error: unknown): Promise<void> {
    const { engine, clock, log } = this.#deps;
    const level = error instanceof NodeUnavailable ? 'debug' : 'warn';
    log[level]({ err: error, job: job.id, kind: job.kind }, 'job postponed');
    await requeueJob(engine.db, job, new Date(clock.now().getTime() + postponeMs));
  }

  async #run(job: JobRow, onOutcome: (outcome: string) => void): Promise<void> {
    const { engine, clock, log } = this.#deps;
    const kind = this.#kinds[job.kind];
    if (!kind) throw new Error(`leased a job of the unknown kind ${job.kind}`);
    const startedMs = clock.monotonicMs();
    const recordRun = (outcome: string): void => {
      onOutcome(outcome);
      const seconds = (clock.monotonicMs() - startedMs) / 1_000;
      const labels = { kind: job.kind, outcome };
      metrics.of(this.#deps).observe('mneme_job_duration_seconds', labels, seconds);
    };
    try {
      const running: RunningJob = {
        id: job.id,
        accountId: job.account_id,
        payload: splitPayload(job).payload,
        spaces: job.spaces,
        stopSignal: this.#stop.signal,
        isLastAttempt: kind.backoffSeconds[job.failures] === undefined,
        shouldYield: () =>
          this.#stop.signal.aborted || clock.monotonicMs() - startedMs >= yieldAfterMs,
        saveProgress: async (share, payload, tx = engine.db) => {
          const until = new Date(clock.now().getTime() + leaseMs);
          if (!(await renewJobLease(tx, job, until, share, payload))) throw new LeaseLost();
        },
      };
      const result = await runForAccount(job.account_id, () => kind.run(running));
      const isDone = result !== requeueResult;
      if (isDone) await completeJob(engine.db, job, clock.now(), result ?? null);
      else await requeueJob(engine.db, job, clock.now());
      recordRun(isDone ? 'completed' : 'continued');
    } catch (error) {
      if (error instanceof LeaseLost) return;
      if (error instanceof NodeUnavailable) {
        await this.#postpone(job, error);
        recordRun('continued');
        return;
      }
      log.error({ err: error, job: job.id, kind: job.kind }, 'job failed');
      const now = clock.now();
      const isNonRetryable = error instanceof NonRetryableJobError;
      const backoffSeconds = isNonRetryable ? undefined : kind.backoffSeconds[job.failures];
      const retryAt =
        backoffSeconds === undefined ? null : new Date(now.getTime() + backoffSeconds * 1_000);
      recordRun(retryAt === null ? 'failed' : 'retried');
      const message = isNonRetryable ? error.message : failureMessage(retryAt);
      await retryOrFailJob(engine.db, job, { error: message, retryAt, now });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStarted = false;
    this.#stop.abort();
    await this.#duePoller.stop();
    await Promise.all(this.#queues.map(({ poller }) => poller.stop()));
  }
}
