import type { Health } from '@mneme/contract';
import { readPausedAt } from '../../events/delivery-pause.ts';
import { perApp } from '../../kernel/per-app.ts';
import { ToolMissing } from '../../providers/ffmpeg/index.ts';
import type { App } from '../ctx.ts';
import { listMissingMediaTools } from '../media/index.ts';
import { checkBackupHealth } from './backup/status.ts';
import { ledgerCopier } from './erasures/ledger-copier.ts';

/** When the app began, and whether it is on its way out. */
export const lifecycle = perApp((app: App) => ({
  startedAtMs: app.clock.monotonicMs(),
  draining: false,
}));

/** While the model is out of reach each look at the health tries it, one at a time. */
const probeEmbedder = perApp<App, () => void>((app) => {
  let running = false;
  return () => {
    if (running) return;
    running = true;
    app.embedder
      .embed(['health'], 'query')
      .catch((error: unknown) => app.log.debug({ err: error }, 'the model is still out of reach'))
      .finally(() => {
        running = false;
      });
  };
});

function checkEmbedding(app: App): Health['checks'][string] {
  const { model, isFailing } = app.embedder;
  if (!isFailing) return { ok: true, detail: model };
  probeEmbedder.of(app)();
  return { ok: false, detail: `${model} does not answer: nothing can be embedded.` };
}

/**
 * Whoever keeps texts alone needs no FFmpeg: that it is missing is told, and is no fault. Nor is it
 * one that what hears or sees is missing.
 */
async function checkMedia(app: App): Promise<Health['checks'][string]> {
  try {
    const { ffmpeg, ffprobe } = await app.ffmpeg.versions();
    const told = [`ffmpeg ${ffmpeg}, ffprobe ${ffprobe}`, ...(await listMissingMediaTools(app))];
    return { ok: true, detail: told.join('; ') };
  } catch (error) {
    if (error instanceof ToolMissing) return { ok: true, detail: notInstalled };
    app.log.error({ err: error }, 'FFmpeg does not run');
    return { ok: false, detail: 'FFmpeg does not run: audio and video are refused.' };
  }
}
const notInstalled = 'FFmpeg is not installed: audio and video are refused.';

/** Of the embedded database; another server's disk is its own matter. */
function checkDisk({ engine }: App): Health['checks'] {
  if (engine.kind === 'server') return {};
  const detail = 'The disk is nearly full: nothing is stored until there is room.';
  return { disk: engine.isDiskFull ? { ok: false, detail } : { ok: true } };
}

/** Another version has migrated the database: this process answers no requests any more. */
function checkSchema({ engine: { schemaChanged } }: App): Health['checks'] {
  return schemaChanged === null ? {} : { schema: { ok: false, detail: schemaChanged.message } };
}

/** What was found of the stored data and is not acknowledged; see `mneme doctor`. */
function checkIntegrity({ engine: { integrity } }: App): Health['checks'][string] {
  const open = integrity.findings.filter((one) => one.isDegrading && one.acknowledgedAt === null);
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

/** A bucket that is out of reach, or refuses; a folder is as well as its disk. */
const bucketHealth = perApp<App, () => Promise<Health['checks']>>((app) => {
  let asked: Promise<Health['checks']> | null = null;
  let until = 0;
  const ask = (): Promise<Health['checks']> =>
    withTimeout(app, app.blobs.check()).then(
      () => ({ blobs: { ok: true } }),
      (error: unknown) => {
        app.log.warn({ err: error }, 'the store of files does not answer');
        return { blobs: { ok: false, detail: 'The store of files does not answer.' } };
      },
    );
  return () => {
    const now = app.clock.monotonicMs();
    // Whoever looks often does not ask the bucket each time.
    if (asked === null || now >= until) [asked, until] = [ask(), now + freshMs];
    return asked;
  };
});

const freshMs = 10_000;
const timeoutMs = 5_000;

/** Throws also where nothing comes back: whoever asks has to be told in time. */
function withTimeout<T>({ clock }: App, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const silence = new Error(`no answer within ${timeoutMs} ms`);
    const patience = clock.after(timeoutMs, () => reject(silence));
    asked.finally(() => patience[Symbol.dispose]()).then(resolve, reject);
  });
}

/** A pause is the choice of the operator or of a restore: it is reported, and is no fault. */
async function checkDeliveries(app: App): Promise<Health['checks']> {
  const since = await withTimeout(app, readPausedAt(app.engine.db));
  if (since === null) return { deliveries: { ok: true } };
  const detail =
    `Paused since ${since.toISOString()}: webhook calls and mail are queued, not sent. ` +
    'To send them, run `mneme resume-deliveries`.';
  return { deliveries: { ok: true, detail } };
}

/** Reported where it fails: a restore would bring back what was erased since. */
function checkErasures(app: App): Health['checks'] {
  if (ledgerCopier.of(app).error === null) return {};
  const detail =
    'Erasures cannot be copied to the data folder: after a loss of the database and a restore, ' +
    'erased data would come back. The log has the reason.';
  return { erasures: { ok: false, detail } };
}

/** The check that is under way, if there is one. */
const healthCheckState = perApp<App, { running: Promise<Health> | null }>(() => ({
  running: null,
}));

/**
 * `unavailable` without a database, `degraded` where another check is not well. Everybody may ask,
 * without a limit: who asks while a check runs shares its result.
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
    app.log.error({ err: error }, 'the database does not answer');
    return { ok: false, detail: 'The database does not answer.' };
  }
}

async function readHealth(app: App): Promise<Health> {
  const [database, deliveries] = await Promise.all([
    checkDatabase(app),
    checkDeliveries(app).catch((error: unknown) => {
      app.log.debug({ err: error }, 'it is not known whether deliveries are paused');
      return {};
    }),
  ]);
  const upMs = app.clock.monotonicMs() - lifecycle.of(app).startedAtMs;
  const media = await checkMedia(app);
  const blobs = app.config.media.s3 === null ? {} : await bucketHealth.of(app)();
  const integrity = checkIntegrity(app);
  const embedding = checkEmbedding(app);
  const erasures = checkErasures(app);
  const backups = database.ok ? await checkBackupHealth(app) : {};
  const own = { ...checkSchema(app), ...checkDisk(app), integrity, embedding, media };
  const others = { ...own, ...blobs, ...deliveries, ...erasures, ...backups };
  const isWell = Object.values(others).every(({ ok }) => ok);
  const status = isWell ? 'ok' : 'degraded';
  return {
    status: database.ok ? status : 'unavailable',
    uptime: Math.floor(upMs / 1_000),
    version: app.version,
    timestamp: app.clock.now().toISOString(),
    checks: { database, ...others },
  };
}
