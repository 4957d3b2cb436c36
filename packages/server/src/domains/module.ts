import type { Db } from '../database/index.ts';
import type { JobKindDefinition, JobSchedule, RunningJob } from '../jobs/job-worker.ts';
import { type Metrics, metricCollectors } from '../kernel/metrics/metrics.ts';
import type { ConsistencyCheck } from './consistency-check.ts';
import type { App, Ctx } from './ctx.ts';
import type { Handler } from './handler.ts';

/** A kind of job, as its domain declares it: each run receives the app. */
interface JobDeclaration extends Omit<JobKindDefinition, 'run' | 'payload'> {
  readonly run: (app: App, job: RunningJob) => ReturnType<JobKindDefinition['run']>;
  readonly payload?: (app: App) => Readonly<Record<string, unknown>>;
}

/** The parts that a domain adds to the server. `modules.ts` lists all modules. */
export interface Module {
  /** The name of the domain's folder. */
  readonly name: string;
  readonly handlers?: readonly Handler[];
  /** By the kind of the job. */
  readonly jobs?: Readonly<Record<string, JobDeclaration>>;
  readonly schedules?: readonly JobSchedule[];
  /** Checks that `mneme verify` runs. */
  readonly checks?: readonly ConsistencyCheck[];
  /** Removes the rows of an account in steps; `modules.ts` has the order of the domains. */
  readonly eraseAccount?: (ctx: Ctx, job: RunningJob) => Promise<void>;
  /**
   * Releases the leases of a former process, at the start on an embedded database: no other
   * process can have it open, so their holders are dead.
   */
  readonly releaseLeases?: (db: Db) => Promise<void>;
  /** Sets the domain's gauges, when somebody reads the metrics. */
  readonly collectMetrics?: (app: App, metrics: Metrics) => Promise<void> | void;
  /** Registers the domain's functions at hooks of earlier domains. */
  readonly registerHooks?: (app: App) => void;
}

export function registerMetricCollector(app: App, { collectMetrics }: Module): void {
  if (collectMetrics) metricCollectors.of(app).push((metrics) => collectMetrics(app, metrics));
}

export const minuteSeconds = 60;
export const hourSeconds = 3_600;

/** Delays before a failed erasure is retried. */
export const erasureBackoffSeconds: readonly number[] = [5, 60, 600, 3_600];
