import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Engine, migrate, requireCompleteDistribution } from './database/index.ts';
import {
  assertOwnDataFolder,
  bootstrap,
  type CreatedAdminKey,
  claimDataFolder,
  loadOrCreateSecretKey,
} from './domains/accounts/index.ts';
import type { App } from './domains/ctx.ts';
import { Mailer } from './domains/email/index.ts';
import { ExtractionWorker } from './domains/graph/index.ts';
import { EncodingWorker } from './domains/memories/index.ts';
import {
  backUpBeforeUpgrade,
  collectMetrics,
  lifecycle,
  openEmbeddingModel,
  reembedFromFormerModels,
  startDatabaseMaintenance,
  startFollowingModelChoice,
} from './domains/operations/index.ts';
import { WebhookSender } from './domains/webhooks/index.ts';
import { jobNotifier } from './events/commit-notifier.ts';
import { requireDatabaseNotMoved } from './instance/database-moved.ts';
import {
  migrationsFolder,
  type OpenDatabaseOptions,
  openConfiguredEngine,
} from './instance/open-database.ts';
import { type JobSchedule, JobWorker } from './jobs/job-worker.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { type Config, ConfigError } from './kernel/config.ts';
import { createIds, type Ids } from './kernel/ids.ts';
import { createFormattedLogOutput, createLog, type Log } from './kernel/log.ts';
import { ShutdownStages } from './kernel/shutdown-stages.ts';
import { tracing } from './kernel/tracing.ts';
import { jobKinds, jobSchedules, registerHooks } from './modules.ts';
import { type BlobStore, openBlobStore } from './providers/blobs/index.ts';
import {
  createPreviousEmbedderFactory,
  type Embedder,
  OpenEmbedders,
} from './providers/embedding/index.ts';
import { createOutboundFetch, type OutboundFetch } from './providers/fetch/index.ts';
import { createFfmpeg, type Ffmpeg } from './providers/ffmpeg/index.ts';
import {
  createQueryRewriter,
  createTextAnalyzer,
  type QueryRewriter,
  type TextAnalyzer,
} from './providers/language/index.ts';
import {
  createMailSender,
  createResolver,
  type DnsResolver,
  type MailSender,
} from './providers/mail/index.ts';
import { createReranker, type Reranker } from './providers/rerank/index.ts';
import { openTelemetry, type Telemetry } from './providers/telemetry/index.ts';
import { createTranscribers, type Transcriber } from './providers/transcription/index.ts';
import { createVisionModel, type VisionModel } from './providers/vision/index.ts';

export interface ServiceOverrides extends OpenDatabaseOptions {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  readonly embedder?: Embedder;
  /** Creates embedders of previous models, instead of their stored settings. */
  readonly makeEmbedder?: (model: string) => Promise<Embedder>;
  readonly fetchOutside?: OutboundFetch;
  readonly language?: TextAnalyzer;
  readonly blobs?: BlobStore;
  readonly ffmpeg?: Ffmpeg;
  readonly transcribers?: readonly Transcriber[];
  readonly vision?: VisionModel | null;
  readonly sendMail?: MailSender;
  /** Resolves names of mail senders, instead of DNS. */
  readonly resolveName?: DnsResolver;
  readonly engine?: Engine;
  /** The scheduled jobs, instead of all. */
  readonly schedules?: readonly JobSchedule[];
}

/** The parts of a running service. Disposal closes them in reverse order. */
export interface ServiceComponents extends AsyncDisposable {
  readonly app: App;
  /** Null: OpenTelemetry is off. */
  readonly telemetry: Telemetry | null;
  readonly worker: JobWorker;
  readonly webhookSender: WebhookSender;
  readonly encodingWorker: EncodingWorker;
  readonly extractionWorker: ExtractionWorker;
  readonly mailer: Mailer;
  /** Resolves when the changes of former embedding models are queued. */
  readonly formerModelsChecked: Promise<void>;
  /** The admin key if this start created it; it is not stored in readable form. */
  readonly firstKey: CreatedAdminKey | null;
  /** For what is added to the parts, such as servers. */
  readonly shutdownStages: ShutdownStages;
}

/** Opens and migrates the database and creates the parts of the service. */
export async function createServiceComponents(
  config: Config,
  version: string,
  overrides: ServiceOverrides = {},
): Promise<ServiceComponents> {
  const clock = overrides.clock ?? systemClock;
  const ids = overrides.ids ?? createIds(clock);
  await using opening = new AsyncDisposableStack();
  const shutdownStages = new ShutdownStages();
  shutdownStages.begin(opening, 'telemetry');
  const telemetry =
    config.telemetry && opening.use(await openTelemetry(config.telemetry, { clock, ids, version }));
  const log = overrides.log ?? (await createConfiguredLog(config, telemetry));
  telemetry?.reportTo(log);
  shutdownStages.begin(opening, 'database');
  const engine = opening.use(
    overrides.engine ?? (await openConfiguredEngine(config, log, ids, overrides)),
  );
  const migrations = overrides.migrations ?? migrationsFolder;
  await assertOwnDataFolder({ config, engine, ids });
  await requireDatabaseNotMoved(engine.db);
  await backUpBeforeUpgrade({ config, engine, clock, ids, log, version }, migrations);
  await migrate(engine, migrations, { log });
  if (engine.isDistributed) await requireCompleteDistribution(engine);
  await claimDataFolder({ config, engine, ids });
  await engine.integrity.confirmOwnership();
  shutdownStages.begin(opening, 'models and threads');
  const embedding = await openEmbedding({ config, engine, clock, log }, overrides, opening);
  const disposables = opening.use(new AsyncDisposableStack());
  const secretKey = await loadOrCreateSecretKey({ config, ids, engine, log });
  const fetchOutside = overrides.fetchOutside ?? createOutboundFetch({ clock, ...config.webhooks });
  const language = overrides.language ?? opening.use(configuredLanguage(config, { log, clock }));
  const parts = { config, log, clock, ids, engine, embedding, language, fetchOutside };
  const blobs = overrides.blobs ?? (await openBlobStore(config, { ids, clock, log }, opening));
  const ffmpeg = overrides.ffmpeg ?? createFfmpeg(config.media, clock);
  const transcribers =
    overrides.transcribers ?? createConfiguredTranscribers(config, { log, clock }, opening);
  const vision =
    overrides.vision === undefined ? createVisionModel(config, clock, opening) : overrides.vision;
  const resolveName = overrides.resolveName ?? createResolver();
  const sendMail = overrides.sendMail ?? (await configuredSendMail(config));
  const outside = { blobs, ffmpeg, transcribers, vision, resolveName, sendMail };
  const models = configuredQueryModels(config);
  const app = toApp({ ...parts, ...models, ...outside, secretKey, version, disposables });
  tracing.of(app).tracer = telemetry?.tracer ?? null;
  // Created now, because the uptime starts here.
  lifecycle.of(app);
  registerHooks(app);
  startDatabaseMaintenance(app);
  startFollowingModelChoice(app);
  const firstKey = await bootstrap(app, config.adminKey);
  const formerModelsChecked = startReembeddingFromFormerModels(app);
  shutdownStages.begin(opening, 'background work');
  const workers = createWorkers(app, overrides.schedules ?? jobSchedules, opening);
  if (telemetry) opening.use(exportMetrics(telemetry, app));
  const opened = opening.move();
  return {
    app,
    telemetry,
    ...workers,
    formerModelsChecked,
    firstKey,
    shutdownStages,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function createWorkers(app: App, schedules: readonly JobSchedule[], opening: AsyncDisposableStack) {
  const worker = opening.use(new JobWorker(app, jobKinds(app), schedules));
  opening.use(jobNotifier.of(app).subscribe(() => worker.wake()));
  return {
    worker,
    webhookSender: opening.use(new WebhookSender(app)),
    encodingWorker: opening.use(new EncodingWorker(app)),
    extractionWorker: opening.use(new ExtractionWorker(app)),
    mailer: opening.use(new Mailer(app)),
  };
}

const exportMetrics = (telemetry: Telemetry, app: App): AsyncDisposable =>
  telemetry.exportMetrics(async () => (await collectMetrics(app)).read());

/** Lines are exported as they are written: without credentials. */
async function createConfiguredLog(
  { logLevel, logFormat }: Config,
  telemetry: Telemetry | null,
): Promise<Log> {
  const output = await createFormattedLogOutput(logFormat);
  const exportLine = telemetry?.exportLogLine;
  const write = (line: string): void => {
    output.write(line);
    exportLine?.(line);
  };
  const isTraced = (telemetry?.tracer ?? null) !== null;
  return createLog(logLevel, exportLine ? { write } : output, { isTraced });
}

/** A copy of the app, such as the context of a request, keeps the embedder of that moment. */
const toApp = (parts: Omit<App, 'embedder'>): App => ({
  ...parts,
  get embedder() {
    return parts.embedding.open.current;
  },
});

/** The embedder of the current model, and the source of others. Throws EmbeddingFailed. */
async function openEmbedding(
  deps: Parameters<typeof openEmbeddingModel>[0],
  overrides: ServiceOverrides,
  opening: AsyncDisposableStack,
): Promise<App['embedding']> {
  const model = await openEmbeddingModel(deps, overrides.embedder);
  const { embedder, keyOwner, comparable } = model;
  const open = opening.use(new OpenEmbedders(embedder, comparable, deps.clock));
  const make = overrides.makeEmbedder ?? createPreviousEmbedderFactory(keyOwner, deps.config);
  return { open, make };
}

/** Throws ConfigError for an invalid command. */
function createConfiguredTranscribers(
  config: Config,
  parts: { log: Log; clock: Clock },
  opening: AsyncDisposableStack,
): readonly Transcriber[] {
  const transcribers = createTranscribers(config, parts, opening);
  if (typeof transcribers !== 'string') return transcribers;
  throw new ConfigError([`MNEME_TRANSCRIPTION_COMMAND ${transcribers}`]);
}

const configuredLanguage = (
  { llm }: Config,
  parts: { log: Log; clock: Clock },
): TextAnalyzer & AsyncDisposable => {
  if (llm === null) return createTextAnalyzer(null, parts);
  const { apiKey, ...rest } = llm;
  return createTextAnalyzer({ ...rest, ...(apiKey === null ? {} : { apiKey }) }, parts);
};

/** The models that a search calls; null: none is configured. */
function configuredQueryModels({ llm, rerank }: Config): {
  queryRewriter: QueryRewriter | null;
  reranker: Reranker | null;
} {
  const withKey = <T extends { apiKey: string | null }>({ apiKey, ...rest }: T) => ({
    ...rest,
    ...(apiKey === null ? {} : { apiKey }),
  });
  return {
    queryRewriter: llm && createQueryRewriter({ ...withKey(llm), timeoutMs: llm.rewriteTimeoutMs }),
    reranker: rerank && createReranker(withKey(rerank)),
  };
}

/** Throws ConfigError if the DKIM key is not readable. */
async function configuredSendMail({ dataDir, email }: Config): Promise<MailSender> {
  const folder = path.join(dataDir, 'mail');
  const { smtpUrl: url, dkim } = email;
  if (dkim === null) return createMailSender({ url, folder, dkim });
  const key = await readFile(dkim.keyFile, 'utf8').catch((error: Error) => {
    throw new ConfigError([`MNEME_DKIM_KEY cannot be read: ${error.message}`]);
  });
  return createMailSender({ url, folder, dkim: { key, selector: dkim.selector } });
}

/** In the background: loading a previous model may be slow or may fail. */
function startReembeddingFromFormerModels(app: App): Promise<void> {
  const pending = reembedFromFormerModels(app).catch((error: unknown) =>
    app.log.warn({ err: error }, 'check of previous embedding models failed'),
  );
  app.disposables.defer(() => pending);
  return pending;
}
