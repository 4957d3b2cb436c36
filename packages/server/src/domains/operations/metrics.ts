import { statfs } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { countJobs } from '../../jobs/job-queue.ts';
import { type Metrics, metricCollectors, metrics } from '../../kernel/metrics/metrics.ts';
import { readThreadHeaps } from '../../kernel/metrics/threads.ts';
import { perApp } from '../../kernel/per-app.ts';
import type { App } from '../ctx.ts';
import { readLastBackupTime } from './backup/status.ts';
import { openEventStreams } from './event-stream.ts';
import { checkHealth, withTimeout } from './health.ts';

export interface MetricsText {
  readonly text: string;
  readonly contentType: string;
}

/** The running read, if any: readers share it. */
const reading = perApp<App, { current: Promise<Metrics> | null }>(() => ({ current: null }));

/** All metrics as text. */
export async function readMetrics(app: App): Promise<MetricsText> {
  const all = await collectMetrics(app);
  return { text: await all.render(), contentType: all.contentType };
}

/**
 * Sets all gauges to the current state. Without a database, those that need it keep their last
 * values.
 */
export function collectMetrics(app: App): Promise<Metrics> {
  const state = reading.of(app);
  state.current ??= runCollectors(app).finally(() => {
    state.current = null;
  });
  return state.current;
}

async function runCollectors(app: App): Promise<Metrics> {
  const all = metrics.of(app);
  const collectors = [
    ...ownCollectors.map((collect) => () => collect(app, all)),
    ...metricCollectors.of(app).map((collect) => async () => collect(all)),
  ];
  await Promise.all(
    collectors.map((collect) =>
      withTimeout(app, collect()).catch((error: unknown) => {
        app.log.debug({ err: error }, 'metrics could not be read');
        all.count('mneme_metrics_failures_total', {});
      }),
    ),
  );
  return all;
}

type Collector = (app: App, all: Metrics) => Promise<void>;

const collectProcess: Collector = async ({ version, engine, config }, all) => {
  const labels = { version, node: process.versions.node, engine: engine.kind };
  all.setAll('mneme_build_info', [[labels, 1]]);
  const { user, system } = process.cpuUsage();
  all.setTotal('process_cpu_seconds_total', (user + system) / 1e6);
  all.set('process_resident_memory_bytes', process.memoryUsage.rss());
  all.set('process_start_time_seconds', performance.timeOrigin / 1_000);
  const { active } = performance.eventLoopUtilization();
  all.setTotal('mneme_event_loop_active_seconds_total', active / 1_000);
  const heaps = [...(await readThreadHeaps())];
  all.setAll(
    'mneme_thread_heap_bytes',
    heaps.map(([thread, bytes]) => [{ thread }, bytes]),
  );
  const { bavail, bsize } = await statfs(config.dataDir);
  all.set('mneme_disk_free_bytes', bavail * bsize);
};

const collectHealth: Collector = async (app, all) => {
  const checks = Object.entries((await checkHealth(app)).checks);
  all.setAll(
    'mneme_health_check',
    checks.map(([check, { ok }]) => [{ check }, ok ? 1 : 0]),
  );
  all.set('mneme_event_streams', openEventStreams.of(app).count);
};

const collectConnections: Collector = async ({ engine }, all) => {
  const { connections, isDistributed, unavailableNodes } = engine;
  if (isDistributed) all.set('mneme_database_nodes_unavailable', unavailableNodes.length);
  if (connections === null) return;
  const { max, ...states } = connections;
  all.set('mneme_database_connections_max', max);
  all.setAll(
    'mneme_database_connections',
    Object.entries(states).map(([state, count]) => [{ state }, count]),
  );
};

const collectJobs: Collector = async ({ engine, clock }, all) => {
  const counts = await countJobs(engine.db, clock.now());
  const values = counts.flatMap((count) =>
    (['queued', 'running', 'failed'] as const).map(
      (status) => [{ kind: count.kind, status }, count[status]] as const,
    ),
  );
  all.setAll('mneme_jobs', values);
  const waits = counts.map(({ oldestDueSeconds }) => oldestDueSeconds);
  all.set('mneme_job_oldest_due_seconds', Math.max(0, ...waits));
};

const collectBackups: Collector = async ({ engine }, all) => {
  const at = await readLastBackupTime(engine.db);
  if (at !== null) all.set('mneme_last_backup_timestamp_seconds', at.getTime() / 1_000);
};

const ownCollectors: readonly Collector[] = [
  collectProcess,
  collectHealth,
  collectConnections,
  collectJobs,
  collectBackups,
];
