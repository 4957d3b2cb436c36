import type { JobKind, RunningJob, Schedule } from '../jobs/job-worker.ts';
import type { ConsistencyCheck } from './consistency-check.ts';
import type { App, Ctx } from './ctx.ts';
import type { Handler } from './handler.ts';

/** A kind of job, as its domain declares it: it gets the app with each run. */
interface JobDeclaration extends Omit<JobKind, 'run'> {
  readonly run: (app: App, job: RunningJob) => ReturnType<JobKind['run']>;
}

/** What a domain adds to the server. `modules.ts` lists all of them. */
export interface Module {
  /** The name of its folder. */
  readonly name: string;
  readonly handlers?: readonly Handler[];
  /** By the kind of the job. */
  readonly jobs?: Readonly<Record<string, JobDeclaration>>;
  readonly schedules?: readonly Schedule[];
  /** What `mneme verify` checks. */
  readonly checks?: readonly ConsistencyCheck[];
  /** Removes the rows of an account in steps. Domains come in the order that `modules.ts` gives. */
  readonly eraseAccount?: (ctx: Ctx, job: RunningJob) => Promise<void>;
  /** Registers what the domain does when an earlier domain calls one of its hooks. */
  readonly registerHooks?: (app: App) => void;
}

export const minute = 60;
export const hour = 3_600;

/** Waits before an erasure that failed is tried again. */
export const erasureBackoffSeconds: readonly number[] = [5, 60, 600, 3_600];
