import { type Health, waitingReasons } from '@mneme/contract';
import { readDeliveriesPausedAt } from '../../events/delivery-pause.ts';
import { readPausedQueues } from '../../jobs/job-queues.ts';
import { hasLiveWorker } from '../../jobs/worker-heartbeat.ts';
import { perApp } from '../../kernel/per-app.ts';
import { ToolMissing } from '../../providers/ffmpeg/index.ts';
import type { App } from '../ctx.ts';
import { listMissingMediaTools } from '../media/index.ts';
import { checkBackupHealth } from './backup/status.ts';
import { ledgerCopier } from './erasures/ledger-copier.ts';
import { describePausedQueues } from './paused-queues.ts';

/** The start time of the app, and whether it is shutting down. */
export const lifecycle = perApp((app: App) => ({
  startedAtMs: app.clock.monotonicMs(),
  draining: false,
}));

/** While the model is unreachable, each health check tries it, one at a time. */
const probeEmbedder = perApp<App, () => void>((app) => {
  let running = false;
  return () => {
    if (running) return;
    running = true;
    app.embedding.open.current
      .embed(['health'], 'query')
      .catch((error: unknown) => app.log.debug({ err: error }, 'embedding model unreachable'))
      .finally(() => {
        running = false;
      });
  };
});

function checkEmbedding(app: App): Health['checks'][string] {
  const { model, isFailing } = app.embedder;
  if (!isFailing) return { ok: true, detail: model };
  probeEmbedder.of(app)();
  return { ok: false, detail: `${model} does not respond: texts cannot be embedded.` };
}

/**
 * FFmpeg is optional for services that store only texts: its absence is reported, but is not a
 * failure. The same applies to transcription and vision.
 */
async function checkMedia(app: App): Promise<Health['checks'][string]> {
  try {
    const { ffmpeg, ffprobe } = await app.ffmpeg.versions();
    const details = [`ffmpeg ${ffmpeg}, ffprobe ${ffprobe}`, ...(await listMissingMediaTools(app))];
    return { ok: true, detail: details.join('; ') };
  } catch (error) {
    if (error instanceof ToolMissing) return { ok: true, detail: notInstalled };
    app.log.error({ err: error }, 'FFmpeg check failed');
    return { ok: false, detail: 'FFmpeg does not run: audio and video are rejected.' };
  }
}
const notInstalled = 'FFmpeg is not installed: audio and video are rejected.';

/** Checks the disk of the embedded database; other servers monitor their own disks. */
function checkDisk({ engine }: App): Health['checks'] {
  if (engine.kind === 'server') return {};
  const detail = 'The disk is nearly full: writes are rejected until space is freed.';
  return { disk: engine.isDiskFull ? { ok: false, detail } : { ok: true } };
}

/** Another version has migrated the database: this process rejects all requests. */
function checkSchema({ engine: { schemaChanged } }: App): Health['checks'] {
  return schemaChanged === null ? {} : { schema: { ok: false, detail: schemaChanged.message } };
}

/** The nodes of a distributed database; the log names those that do not respond. */
function checkNodes({ engine }: App): Health['checks'] {
  if (!engine.isDistributed) return {};
  const count = engine.unavailableNodes.length;
  if (count === 0) return { nodes: { ok: true } };
  const which = count === 1 ? 'A node' : `${count} nodes`;
  const detail = `${which} of the database cannot be reached: requests of accounts there get 503.`;
  return { nodes: { ok: false, detail } };
}

/** Unacknowledged findings of the stored data; see `mneme doctor`. */
function checkIntegrity({ engine: { integrity } }: App): Health['checks'][string] {
  const open = integrity.findings.filter(
    (finding) => finding.isDegrading && finding.acknowledgedAt === null,
  );
  if (open.length > 0) {
    const isDamage = open.every(({ kind }) => kind === 'damaged_page');
    const what = isDamage ? 'Stored data is damaged' : 'Acknowledged writes are missing';
    return { ok: false, detail: `${what}: run \`mneme doctor\`.` };
  }
  if (integrity.recordingError === null) return { ok: true };
  const detail =
    'The last acknowledged position cannot be written to the data folder: a loss of writes would ' +
    'not be noticed.';
  return { ok: false, detail };
}

/** Checks a bucket; a folder is covered by the disk check. */
const bucketHealth = perApp<App, () => Promise<Health['checks']>>((app) => {
  let probeResult: Promise<Health['checks']> | null = null;
  let validUntilMs = 0;
  const probe = (): Promise<Health['checks']> =>
    withTimeout(app, app.blobs.check()).then(
      () => ({ blobs: { ok: true } }),
      (error: unknown) => {
        app.log.warn({ err: error }, 'blob store unreachable');
        return { blobs: { ok: false, detail: 'The blob store does not respond.' } };
      },
    );
  return () => {
    const now = app.clock.monotonicMs();
    // Cached, so that frequent health checks do not query the bucket each time.
    if (probeResult === null || now >= validUntilMs)
      [probeResult, validUntilMs] = [probe(), now + cacheMs];
    return probeResult;
  };
});

const cacheMs = 10_000;
const timeoutMs = 5_000;

/** Rejects after five seconds, so that callers always receive a response. */
export function withTimeout<T>({ clock }: App, probe: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeoutError = new Error(`no response within ${timeoutMs} ms`);
    const timeout = clock.after(timeoutMs, () => reject(timeoutError));
    probe.finally(() => timeout[Symbol.dispose]()).then(resolve, reject);
  });
}

/** A pause is a decision of the operator or of a restore: it is reported, but is no failure. */
async function checkDeliveries(app: App): Promise<Health['checks']> {
  const pausedAt = await withTimeout(app, readDeliveriesPausedAt(app.engine.db));
  if (pausedAt === null) return { deliveries: { ok: true } };
  const detail =
    `Paused since ${pausedAt.toISOString()}: webhook calls and mail are queued, not sent. ` +
    'To send them, run `mneme resume-deliveries`.';
  return { deliveries: { ok: true, detail } };
}

/** Like a pause of deliveries: a decision of the operator, and no failure. */
async function checkQueues(app: App): Promise<Health['checks']> {
  const detail = describePausedQueues(await withTimeout(app, readPausedQueues(app.engine.db)));
  return { queues: { ok: true, ...(detail === undefined ? {} : { detail }) } };
}

/** A process without jobs needs another one that runs them. */
async function checkWorkers(app: App): Promise<Health['checks']> {
  if (app.config.runsJobs) return {};
  const isLive = await withTimeout(app, hasLiveWorker(app.engine.db));
  return { workers: isLive ? { ok: true } : { ok: false, detail: waitingReasons.no_worker } };
}

/** Reported on failure, because a restore would bring back data erased since. */
function checkErasures(app: App): Health['checks'] {
  if (ledgerCopier.of(app).error === null) return {};
  const detail =
    'Erasures cannot be copied to the data folder: a restore after a loss of the database would ' +
    'bring back erased data. See the log for the reason.';
  return { erasures: { ok: false, detail } };
}

/** The running check, if any. */
const healthCheckState = perApp<App, { running: Promise<Health> | null }>(() => ({
  running: null,
}));

/**
 * `unavailable` without a database, `degraded` if another check fails. Not rate limited: callers
 * share the result of a running check.
 */
export function checkHealth(app: App): Promise<Health> {
  const checks = healthCheckState.of(app);
  checks.running ??= readHealth(app).finally(() => {
    checks.running = null;
  });
  return checks.running;
}

async function checkDatabase(app: App): Promise<Health['checks'][string]> {
  try {
    await withTimeout(app, app.engine.ping());
    return { ok: true };
  } catch (error) {
    app.log.error({ err: error }, 'database unreachable');
    return { ok: false, detail: 'The database does not respond.' };
  }
}

async function readHealth(app: App): Promise<Health> {
  const withoutDatabase = (error: unknown): Health['checks'] => {
    app.log.debug({ err: error }, 'check of pauses failed');
    return {};
  };
  const [database, deliveries, queues, workers] = await Promise.all([
    checkDatabase(app),
    checkDeliveries(app).catch(withoutDatabase),
    checkQueues(app).catch(withoutDatabase),
    checkWorkers(app).catch(withoutDatabase),
  ]);
  const upMs = app.clock.monotonicMs() - lifecycle.of(app).startedAtMs;
  const media = await checkMedia(app);
  const blobs = app.config.media.s3 === null ? {} : await bucketHealth.of(app)();
  const integrity = checkIntegrity(app);
  const embedding = checkEmbedding(app);
  const erasures = checkErasures(app);
  const backups = database.ok ? await checkBackupHealth(app) : {};
  const storage = { ...checkSchema(app), ...checkDisk(app), ...checkNodes(app) };
  const own = { ...storage, integrity, embedding, media };
  const others = {
    ...own,
    ...blobs,
    ...deliveries,
    ...queues,
    ...workers,
    ...erasures,
    ...backups,
  };
  const isHealthy = Object.values(others).every(({ ok }) => ok);
  const status = isHealthy ? 'ok' : 'degraded';
  return {
    status: database.ok ? status : 'unavailable',
    uptime: Math.floor(upMs / 1_000),
    version: app.version,
    timestamp: app.clock.now().toISOString(),
    checks: { database, ...others },
  };
}
