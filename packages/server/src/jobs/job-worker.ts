import type { Engine } from '../database/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { runForAccount } from '../kernel/fair-semaphore.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import {
  completeJob,
  enqueue,
  type JobRow,
  leaseNextJob,
  renewLease,
  requeueJob,
  retryOrFailJob,
} from './job-queue.ts';
import { Poller } from './poller.ts';

export interface RunningJob {
  readonly id: string;
  readonly accountId: string | null;
  readonly payload: Record<string, unknown>;
  /** Of the key that caused it: it reaches no other. Null: every space. */
  readonly spaces: readonly string[] | null;
  /**
   * Stores the progress (0..1) and renews the lease; throws when the lease was lost. A `payload`
   * takes the place of the job's own: where it is to go on after a break or a crash.
   */
  saveProgress(share: number, payload?: Record<string, unknown>): Promise<void>;
  /**
   * Others have waited for long enough, or the process is about to stop: a job that has more to do
   * stores where it is and returns `again`.
   */
  shouldYield(): boolean;
  /** No retry comes after this one. */
  readonly isLastAttempt: boolean;
  /** Aborted when the process is about to stop: a job that waits or computes leaves off. */
  readonly stopSignal: AbortSignal;
}

/** A long job's turn is over: others that are due come first, then it goes on. */
export const requeue = Symbol('again');

export interface JobKind {
  /** Must be idempotent: a crash at any point runs it again. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most jobs end and return nothing.
  readonly run: (job: RunningJob) => Promise<typeof requeue | void>;
  /** Seconds to wait before each retry; after the last the job is a dead letter. */
  readonly backoffSeconds: readonly number[];
  /**
   * Takes minutes without a turn of its own: such jobs run beside all others in a lane of this
   * name, one at a time, and hold up each other alone. In it accounts take turns.
   */
  readonly queue?: string;
}

export interface Schedule {
  readonly kind: string;
  readonly everySeconds: number;
}

interface WorkerDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

const leaseMs = 60_000;
/** A request that queues a job has its answer first. */
const wakeMs = 20;
const yieldAfterMs = 1_000;

/** Another worker has the job, or nobody is to have it any more: what runs here must end. */
export class LeaseLost extends Error {}

/** No retry would help: the job is a dead letter at once, and tells the message. */
export class NonRetryableJobError extends Error {
  override readonly name = 'JobRefused';
}

/** What a job tells of a fault that is no words for others. */
const failureMessage = (retryAt: Date | null): string =>
  retryAt === null
    ? 'The job failed; the log has the reason under its id.'
    : `A try failed, and the next is at ${retryAt.toISOString()}; the log has the reason.`;

/** Jobs of some kinds, one after the other. */
interface WorkerQueue {
  readonly kinds: readonly string[];
  /** The plain one: it takes jobs as they are due, and also plans what comes by a schedule. */
  readonly isDefault: boolean;
  /** Of long jobs: whose was taken, the last one last. */
  readonly recentAccounts: Set<string>;
  readonly poller: Poller;
}

/** Accounts whose turn is remembered; those before have waited for longest of all again. */
const recentAccountsMax = 1_000;

/**
 * Runs due jobs one after the other, and long ones beside them; as many workers as processes may
 * share one queue.
 */
export class JobWorker implements AsyncDisposable {
  readonly #deps: WorkerDeps;
  readonly #kinds: Readonly<Record<string, JobKind>>;
  readonly #schedules: readonly Schedule[];
  /** By schedule, the period that was planned last. */
  readonly #planned = new Map<string, number>();
  readonly #stop = new AbortController();
  readonly #lanes: readonly WorkerQueue[];

  constructor(
    deps: WorkerDeps,
    kinds: Readonly<Record<string, JobKind>>,
    schedules: readonly Schedule[],
  ) {
    this.#deps = deps;
    this.#kinds = kinds;
    this.#schedules = schedules;
    const names = Object.keys(kinds);
    const lanes = new Set([undefined, ...names.map((name) => kinds[name]?.queue)]);
    this.#lanes = [...lanes].map((name) => {
      const lane: WorkerQueue = {
        kinds: names.filter((kind) => kinds[kind]?.queue === name),
        isDefault: name === undefined,
        recentAccounts: new Set(),
        poller: new Poller(deps.clock, { wakeDelayMs: wakeMs, poll: () => this.#runDue(lane) }),
      };
      return lane;
    });
  }

  start(): void {
    for (const { poller } of this.#lanes) poller.start();
  }

  /** A job was queued: it need not wait for the next look, which comes each second. */
  wake(): void {
    for (const { poller } of this.#lanes) poller.wake();
  }

  /** Runs everything that is due now. */
  async drain(): Promise<void> {
    await Promise.all(this.#lanes.map(({ poller }) => poller.poll()));
  }

  async #runDue(lane: WorkerQueue): Promise<void> {
    // Taking a job would be a change.
    if (!this.#deps.engine.canWrite) return;
    try {
      do {
        if (lane.isDefault) await this.#plan();
        // Each turn takes one job, so that a stop waits for one at most.
      } while (!this.#stop.signal.aborted && (await this.#next(lane)));
    } catch (error) {
      this.#deps.log.error({ err: error }, 'the job queue could not be read');
    }
  }

  /** The period's number is in the key: however many processes plan, one job is made. */
  async #plan(): Promise<void> {
    const now = this.#deps.clock.now();
    for (const { kind, everySeconds } of this.#schedules) {
      const period = Math.floor(now.getTime() / (everySeconds * 1_000));
      if (this.#planned.get(kind) === period) continue;
      await enqueue(this.#deps.engine.db, {
        id: this.#deps.ids.uuid(),
        accountId: null,
        kind,
        payload: {},
        spaces: null,
        runAt: now,
        dedupeKey: `${kind}:${period}`,
      });
      this.#planned.set(kind, period);
    }
  }

  async #next({ kinds, isDefault, recentAccounts }: WorkerQueue): Promise<boolean> {
    const { engine, clock } = this.#deps;
    const now = clock.now();
    const until = new Date(now.getTime() + leaseMs);
    // Those of other kinds are left to another version of the program, which has put them there.
    const job = await leaseNextJob(engine.db, kinds, { now, until, served: [...recentAccounts] });
    if (!job) return false;
    if (!isDefault && job.account_id !== null) {
      recentAccounts.delete(job.account_id);
      recentAccounts.add(job.account_id);
      const [oldest] = recentAccounts;
      if (recentAccounts.size > recentAccountsMax && oldest !== undefined)
        recentAccounts.delete(oldest);
    }
    await this.#run(job);
    return true;
  }

  async #run(job: JobRow): Promise<void> {
    const { engine, clock, log } = this.#deps;
    const kind = this.#kinds[job.kind];
    if (!kind) throw new Error(`took a job of the unknown kind ${job.kind}`);
    const begunMs = clock.monotonicMs();
    try {
      const running: RunningJob = {
        id: job.id,
        accountId: job.account_id,
        payload: job.payload,
        spaces: job.spaces,
        stopSignal: this.#stop.signal,
        isLastAttempt: kind.backoffSeconds[job.failures] === undefined,
        shouldYield: () =>
          this.#stop.signal.aborted || clock.monotonicMs() - begunMs >= yieldAfterMs,
        saveProgress: async (share, payload) => {
          const until = new Date(clock.now().getTime() + leaseMs);
          if (!(await renewLease(engine.db, job, until, share, payload))) throw new LeaseLost();
        },
      };
      const outcome = await runForAccount(job.account_id, () => kind.run(running));
      if (outcome === requeue) await requeueJob(engine.db, job, clock.now());
      else await completeJob(engine.db, job, clock.now());
    } catch (error) {
      if (error instanceof LeaseLost) return;
      log.error({ err: error, job: job.id, kind: job.kind }, 'a job failed');
      const now = clock.now();
      const isRefused = error instanceof NonRetryableJobError;
      const wait = isRefused ? undefined : kind.backoffSeconds[job.failures];
      const retryAt = wait === undefined ? null : new Date(now.getTime() + wait * 1_000);
      const message = isRefused ? error.message : failureMessage(retryAt);
      await retryOrFailJob(engine.db, job, { error: message, retryAt, now });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#lanes.map(({ poller }) => poller.stop()));
  }
}
