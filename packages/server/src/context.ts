import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  bootstrap,
  type FirstKey,
  openSecretKey,
  ownFolder,
  refuseFolder,
} from './domains/accounts/index.ts';
import type { App } from './domains/ctx.ts';
import { Mailer, releaseMails } from './domains/email/index.ts';
import { Reader, releaseReadings } from './domains/graph/index.ts';
import { registerModel } from './domains/index/index.ts';
import { releaseUploads } from './domains/media/index.ts';
import {
  backUpBeforeUpgrade,
  followConfiguredModel,
  keepMaintained,
  lifecycle,
} from './domains/operations/index.ts';
import { releaseLeases, Sender } from './domains/webhooks/index.ts';
import { type Engine, type EngineSettings, migrate, openEngine } from './engine/index.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { type Config, ConfigError } from './kernel/config.ts';
import { refuseOtherEngine } from './kernel/folder-owner.ts';
import { createIds, type Ids } from './kernel/ids.ts';
import { createLog, type Log, logOutput } from './kernel/log.ts';
import { type Blobs, openBlobs } from './providers/blobs/index.ts';
import {
  configuredSettings,
  createEmbedder,
  type Embedder,
  makeFormer,
  toStored,
} from './providers/embedding/index.ts';
import { createFetch, type FetchOutside } from './providers/fetch/index.ts';
import { createFfmpeg, type Ffmpeg } from './providers/ffmpeg/index.ts';
import { createLanguage, type Language } from './providers/language/index.ts';
import {
  createResolver,
  createSendMail,
  type ResolveName,
  type SendMail,
} from './providers/mail/index.ts';
import { configuredTranscribers, type Transcriber } from './providers/transcription/index.ts';
import { configuredVision, type Vision } from './providers/vision/index.ts';
import { jobKinds, schedules, tieHooks } from './wiring.ts';
import { jobBell } from './work/bell.ts';
import { refuseMoved } from './work/moved.ts';
import { releaseJobs } from './work/queue.ts';
import { type Schedule, Worker } from './work/worker.ts';

export interface Overrides {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  readonly embedder?: Embedder;
  /** Makes models that are being left, instead of what their settings say. */
  readonly makeEmbedder?: (model: string) => Promise<Embedder>;
  readonly fetchOutside?: FetchOutside;
  readonly language?: Language;
  readonly blobs?: Blobs;
  readonly ffmpeg?: Ffmpeg;
  readonly transcribers?: readonly Transcriber[];
  readonly vision?: Vision | null;
  readonly sendMail?: SendMail;
  /** Asked about senders of mail, instead of the DNS. */
  readonly resolveName?: ResolveName;
  readonly engine?: Engine;
  readonly onEngineFailure?: (error: Error) => void;
  /** Jobs that are planned regularly, instead of all of them. */
  readonly schedules?: readonly Schedule[];
  /** The folder of migrations, instead of this version's. */
  readonly migrations?: string;
}

/** Everything a running service is made of; disposing it closes all, last opened first. */
export interface Context extends AsyncDisposable {
  readonly app: App;
  readonly worker: Worker;
  readonly sender: Sender;
  readonly reader: Reader;
  readonly mailer: Mailer;
  /** The admin key, when this start made it; never known again. */
  readonly firstKey: FirstKey | null;
}

export const ownMigrations = fileURLToPath(new URL('../migrations/', import.meta.url));

/** Opens the database, brings it up to date, and puts the parts together. */
export async function build(
  config: Config,
  version: string,
  overrides: Overrides = {},
): Promise<Context> {
  const clock = overrides.clock ?? systemClock;
  const ids = overrides.ids ?? createIds(clock);
  const log = overrides.log ?? createLog(config.logLevel, await logOutput(config.logFormat));
  await using opening = new AsyncDisposableStack();
  const engine = opening.use(overrides.engine ?? (await openEngineOf(config, log, ids, overrides)));
  const migrations = overrides.migrations ?? ownMigrations;
  await refuseFolder({ config, engine, ids });
  await refuseMoved(engine.db);
  await backUpBeforeUpgrade({ config, engine, clock, ids, log, version }, migrations);
  await migrate(engine, migrations, { log });
  await ownFolder({ config, engine, ids });
  await engine.integrity.own();
  if (engine.kind === 'embedded') {
    await releaseJobs(engine.db);
    await releaseLeases(engine.db);
    await releaseReadings(engine.db);
    await releaseMails(engine.db);
    await releaseUploads(engine.db);
  }
  const settings = configuredSettings(config);
  const made = opening.use(overrides.embedder ?? (await createEmbedder(settings)));
  const stored = overrides.embedder ? null : toStored(settings);
  const embedder = await registerModel({ db: engine.db, now: clock.now() }, made, stored);
  const disposables = opening.use(new AsyncDisposableStack());
  const secretKey = await openSecretKey({ config, ids, engine, log });
  const embedding = { make: overrides.makeEmbedder ?? makeFormer(settings, config) };
  const fetchOutside = overrides.fetchOutside ?? createFetch({ clock, ...config.webhooks });
  const language = overrides.language ?? opening.use(configuredLanguage(config, { log, clock }));
  const parts = { config, log, clock, ids, engine, embedder, embedding, language, fetchOutside };
  const blobs = overrides.blobs ?? (await openBlobs(config, { ids, clock, log }, opening));
  const ffmpeg = overrides.ffmpeg ?? createFfmpeg(config.media, clock);
  const transcribers = overrides.transcribers ?? hearing(config, { log, clock }, opening);
  const vision =
    overrides.vision === undefined ? configuredVision(config, clock, opening) : overrides.vision;
  const resolveName = overrides.resolveName ?? createResolver();
  const sendMail = overrides.sendMail ?? (await configuredSendMail(config));
  const media = { blobs, ffmpeg, transcribers, vision };
  const mail = { resolveName, sendMail };
  const app: App = { ...parts, ...media, ...mail, secretKey, version, disposables };
  // Made now, since the uptime is counted from then on.
  lifecycle.of(app);
  tieHooks(app);
  keepMaintained(app);
  const firstKey = await bootstrap(app, config.adminKey);
  watchModels(app);
  const worker = opening.use(new Worker(app, jobKinds(app), overrides.schedules ?? schedules));
  opening.use(jobBell.of(app).listen(() => worker.wake()));
  const sender = opening.use(new Sender(app));
  const reader = opening.use(new Reader(app));
  const mailer = opening.use(new Mailer(app));
  const opened = opening.move();
  return {
    app,
    worker,
    sender,
    reader,
    mailer,
    firstKey,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Throws ConfigError where the command cannot be understood. */
function hearing(
  config: Config,
  parts: { log: Log; clock: Clock },
  opening: AsyncDisposableStack,
): readonly Transcriber[] {
  const transcribers = configuredTranscribers(config, parts, opening);
  if (typeof transcribers !== 'string') return transcribers;
  throw new ConfigError([`MNEME_TRANSCRIPTION_COMMAND ${transcribers}`]);
}

const configuredLanguage = (
  { llm }: Config,
  parts: { log: Log; clock: Clock },
): Language & AsyncDisposable => {
  if (llm === null) return createLanguage(null, parts);
  const { apiKey, ...rest } = llm;
  return createLanguage({ ...rest, ...(apiKey === null ? {} : { apiKey }) }, parts);
};

/** Throws ConfigError where the key that is to sign mail cannot be read. */
async function configuredSendMail({ dataDir, email }: Config): Promise<SendMail> {
  const folder = path.join(dataDir, 'mail');
  const { smtpUrl: url, dkim } = email;
  if (dkim === null) return createSendMail({ url, folder, dkim });
  const key = await readFile(dkim.keyFile, 'utf8').catch((error: Error) => {
    throw new ConfigError([`MNEME_DKIM_KEY cannot be read: ${error.message}`]);
  });
  return createSendMail({ url, folder, dkim: { key, selector: dkim.selector } });
}

/** In the background: a former model may take its time to be made, or to be out of reach. */
function watchModels(app: App): void {
  const watching = followConfiguredModel(app).catch((error: unknown) =>
    app.log.warn({ err: error }, 'former embedding models could not be looked at'),
  );
  app.disposables.defer(() => watching);
}

/** Refuses before a database is made beside another one's data. Throws DataFolderForeign. */
export async function openEngineOf(
  config: Config,
  log: Log,
  ids: Ids,
  { onEngineFailure }: Overrides = {},
): Promise<Engine> {
  await refuseOtherEngine(config);
  return openEngine(engineSettings(config), {
    log,
    random: ids.fraction,
    ...(onEngineFailure ? { onFailure: onEngineFailure } : {}),
  });
}

const engineSettings = (config: Config): EngineSettings =>
  config.databaseUrl === null
    ? {
        kind: 'embedded',
        dataDir: config.dataDir,
        freeBytesMin: config.diskFreeMinMb * 2 ** 20,
      }
    : {
        kind: 'server',
        url: config.databaseUrl,
        poolMax: config.databasePoolMax,
        dataDir: config.dataDir,
      };
