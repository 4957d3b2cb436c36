import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  accountCheck,
  accountHandlers,
  bootstrap,
  eraseAccount,
  eraseAccountKind,
  erasingAccount,
  type FirstKey,
  issuingKey,
  warnOfOtherSecret,
} from './domains/accounts/index.ts';
import type { Check } from './domains/check.ts';
import type { App } from './domains/ctx.ts';
import {
  dueDigestsKind,
  emailHandlers,
  eraseAccountEmail,
  Mailer,
  processMail,
  processMailKind,
  releaseMails,
  removeBlobs,
  removeBlobsKind,
  sendDigestKind,
  sendDigestNow,
  sendDueDigests,
  sweepBlobs,
  sweepBlobsKind,
} from './domains/email/index.ts';
import {
  enrichLater,
  enrichLaterKind,
  enrichmentHandlers,
  scoreQuality,
} from './domains/enrichment/index.ts';
import {
  eraseAccountGraph,
  factCheck,
  forgetMemories,
  forgetSpace,
  graphHandlers,
  Reader,
  readingMemories,
  releaseReadings,
} from './domains/graph/index.ts';
import type { Handler } from './domains/handle.ts';
import {
  compactIndex,
  compactIndexKind,
  eraseDocuments,
  positionCheck,
  registerModel,
  tombstoneCheck,
} from './domains/index/index.ts';
import {
  changedMemories,
  documentCheck,
  eraseAccountMemories,
  eraseMemories,
  eraseMemoriesKind,
  erasingMemories,
  joiningSessions,
  memoryCounterCheck,
  memoryHandlers,
  requireNoMemories,
  strayCheck,
} from './domains/memories/index.ts';
import {
  followConfiguredModel,
  housekeep,
  housekeepingKind,
  keepMaintained,
  lifecycle,
  operationHandlers,
  reembed,
  reembedKind,
  verify,
  verifyKind,
} from './domains/operations/index.ts';
import {
  followPins,
  relationshipCheck,
  relationshipHandlers,
} from './domains/relationships/index.ts';
import { eraseSearchPresets, findingByWords, searchHandlers } from './domains/search/index.ts';
import {
  closeIdleKind,
  closeIdleSessions,
  coAccessKind,
  countChanges,
  eraseAccountSessions,
  eraseSession,
  eraseSessionKind,
  learnTogether,
  placeInSessions,
  requireNoSessions,
  retainSessions,
  retainSessionsKind,
  sessionCheck,
  sessionHandlers,
  sessionNameCheck,
} from './domains/sessions/index.ts';
import {
  eraseSpaces,
  findSpaces,
  removingSpace,
  requireSpaces,
  spaceCheck,
  spaceHandlers,
} from './domains/spaces/index.ts';
import {
  eraseAccountWebhooks,
  eraseWebhook,
  eraseWebhookKind,
  releaseLeases,
  replay,
  replayKind,
  Sender,
  webhookCheck,
  webhookHandlers,
} from './domains/webhooks/index.ts';
import { type Engine, type EngineSettings, migrate, openEngine } from './engine/index.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { type Config, ConfigError } from './kernel/config.ts';
import { createIds, type Ids } from './kernel/ids.ts';
import { createLog, type Log } from './kernel/log.ts';
import { readOrWritePrivateFile } from './kernel/private-file.ts';
import { secretText } from './kernel/settings.ts';
import { type Blobs, createFolderBlobs } from './providers/blobs/index.ts';
import {
  configuredSettings,
  createEmbedder,
  type Embedder,
  makeFormer,
  toStored,
} from './providers/embedding/index.ts';
import { createFetch, type FetchOutside } from './providers/fetch/index.ts';
import { createLanguage, type Language } from './providers/language/index.ts';
import {
  createResolver,
  createSendMail,
  type ResolveName,
  type SendMail,
} from './providers/mail/index.ts';
import { releaseJobs } from './work/queue.ts';
import { type JobKind, type Schedule, Worker } from './work/worker.ts';

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
  readonly sendMail?: SendMail;
  /** Asked about senders of mail, instead of the DNS. */
  readonly resolveName?: ResolveName;
  readonly engine?: Engine;
  readonly onEngineFailure?: (error: Error) => void;
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

export const handlers: readonly Handler[] = [
  ...memoryHandlers,
  ...relationshipHandlers,
  ...graphHandlers,
  ...enrichmentHandlers,
  ...searchHandlers,
  ...spaceHandlers,
  ...sessionHandlers,
  ...emailHandlers,
  ...webhookHandlers,
  ...accountHandlers,
  ...operationHandlers,
];

/** What `mneme verify` checks, domain by domain. */
const checks: readonly Check[] = [
  accountCheck,
  spaceCheck,
  positionCheck,
  tombstoneCheck,
  memoryCounterCheck,
  documentCheck,
  strayCheck,
  sessionCheck,
  sessionNameCheck,
  relationshipCheck,
  factCheck,
  webhookCheck,
];

const minute = 60;
const hour = 3_600;
const schedules: readonly Schedule[] = [
  { kind: housekeepingKind, everySeconds: hour },
  { kind: compactIndexKind, everySeconds: hour },
  { kind: retainSessionsKind, everySeconds: hour },
  { kind: closeIdleKind, everySeconds: minute },
  { kind: dueDigestsKind, everySeconds: minute },
  { kind: sweepBlobsKind, everySeconds: 24 * hour },
];

/** Opens the database, brings it up to date, and puts the parts together. */
export async function build(
  config: Config,
  version: string,
  overrides: Overrides = {},
): Promise<Context> {
  const clock = overrides.clock ?? systemClock;
  const ids = overrides.ids ?? createIds(clock);
  const log = overrides.log ?? createLog(config.logLevel);
  await using opening = new AsyncDisposableStack();
  const engine = opening.use(overrides.engine ?? (await open(config, log, ids, overrides)));
  const migrations = fileURLToPath(new URL('../migrations/', import.meta.url));
  await migrate(engine, migrations, { log });
  if (engine.kind === 'embedded') {
    await releaseJobs(engine.db);
    await releaseLeases(engine.db);
    await releaseReadings(engine.db);
    await releaseMails(engine.db);
  }
  const settings = configuredSettings(config);
  const made = opening.use(overrides.embedder ?? (await createEmbedder(settings)));
  const stored = overrides.embedder ? null : toStored(settings);
  const embedder = await registerModel({ db: engine.db, now: clock.now() }, made, stored);
  const disposables = opening.use(new AsyncDisposableStack());
  const secretKey = await secretKeyOf(config, ids);
  const embedding = { make: overrides.makeEmbedder ?? makeFormer(settings, config) };
  const fetchOutside = overrides.fetchOutside ?? createFetch({ clock, ...config.webhooks });
  const language = overrides.language ?? configuredLanguage(config, { log, clock });
  const parts = { config, log, clock, ids, engine, embedder, embedding, language, fetchOutside };
  const root = path.join(config.dataDir, 'blobs');
  const blobs = overrides.blobs ?? createFolderBlobs(root, { ids, clock });
  const resolveName = overrides.resolveName ?? createResolver();
  const sendMail = overrides.sendMail ?? (await configuredSendMail(config));
  const app: App = { ...parts, blobs, resolveName, sendMail, secretKey, version, disposables };
  // Made now, since the uptime is counted from then on.
  lifecycle.of(app);
  tieHooks(app);
  keepMaintained(app);
  const firstKey = await bootstrap(app, config.adminKey);
  await warnOfOtherSecret(app);
  watchModels(app);
  const worker = opening.use(new Worker(app, jobKinds(app), schedules));
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

const configuredLanguage = ({ llm }: Config, parts: { log: Log; clock: Clock }): Language => {
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

const open = (
  config: Config,
  log: Log,
  ids: Ids,
  { onEngineFailure }: Overrides,
): Promise<Engine> =>
  openEngine(engineSettings(config), {
    log,
    random: ids.fraction,
    ...(onEngineFailure ? { onFailure: onEngineFailure } : {}),
  });

/** As given, or made once in the data folder. Throws ConfigError where that file has no secret. */
async function secretKeyOf(config: Config, ids: Ids): Promise<string> {
  if (config.secretKey !== null) return config.secretKey;
  const made = Buffer.from(ids.bytes(32)).toString('base64');
  const file = path.join(config.dataDir, 'secret-key');
  const secret = (await readOrWritePrivateFile(file, `${made}\n`)).trim();
  const wrong = secretText(secret);
  if (wrong === null) return secret;
  throw new ConfigError([`${file} ${wrong}: bring the first one back, or remove it for a new one`]);
}

const engineSettings = (config: Config): EngineSettings =>
  config.databaseUrl === null
    ? {
        kind: 'embedded',
        dataDir: config.dataDir,
        freeBytesMin: config.diskFreeMinMb * 2 ** 20,
      }
    : { kind: 'server', url: config.databaseUrl, poolMax: config.databasePoolMax };

/** What goes against the order of the domains goes through hooks, tied here. */
function tieHooks(app: App): void {
  issuingKey.on(app, requireSpaces);
  joiningSessions.on(app, placeInSessions);
  changedMemories.on(app, countChanges);
  changedMemories.on(app, followPins);
  erasingMemories.on(app, forgetMemories);
  readingMemories.on(app, scoreQuality);
  removingSpace.on(app, requireNoMemories);
  removingSpace.on(app, requireNoSessions);
  removingSpace.on(app, forgetSpace);
  findingByWords.on(app, 'space', findSpaces);
  erasingAccount.on(app, eraseAccountWebhooks);
  erasingAccount.on(app, eraseAccountEmail);
  erasingAccount.on(app, eraseAccountMemories);
  // After its memories: what is left unread would be read meanwhile.
  erasingAccount.on(app, eraseAccountGraph);
  erasingAccount.on(app, eraseAccountSessions);
  erasingAccount.on(app, eraseDocuments);
  erasingAccount.on(app, eraseSearchPresets);
  erasingAccount.on(app, eraseSpaces);
}

/** Waits before an erasure that failed is tried again. */
const erasingSeconds = [5, 60, 600, 3_600];

const jobKinds = (app: App): Record<string, JobKind> => ({
  [eraseMemoriesKind]: { run: (job) => eraseMemories(app, job), backoffSeconds: erasingSeconds },
  [eraseSessionKind]: { run: (job) => eraseSession(app, job), backoffSeconds: erasingSeconds },
  [processMailKind]: {
    run: (job) => processMail(app, job),
    backoffSeconds: [5, 30, 300, 3_600, 3_600],
  },
  [dueDigestsKind]: { run: (job) => sendDueDigests(app, job), backoffSeconds: [60] },
  [sendDigestKind]: { run: (job) => sendDigestNow(app, job), backoffSeconds: [5, 60, 600] },
  [removeBlobsKind]: { run: (job) => removeBlobs(app, job), backoffSeconds: erasingSeconds },
  [sweepBlobsKind]: { run: (job) => sweepBlobs(app, job), backoffSeconds: [60, 600] },
  [replayKind]: { run: (job) => replay(app, job), backoffSeconds: [5, 60, 600] },
  [eraseWebhookKind]: { run: (job) => eraseWebhook(app, job), backoffSeconds: erasingSeconds },
  [coAccessKind]: { run: (job) => learnTogether(app, job), backoffSeconds: [5, 60, 600] },
  [enrichLaterKind]: { run: (job) => enrichLater(app, job), backoffSeconds: [5, 60, 600] },
  [closeIdleKind]: { run: () => closeIdleSessions(app), backoffSeconds: [60] },
  [retainSessionsKind]: { run: (job) => retainSessions(app, job), backoffSeconds: [60, 600] },
  [eraseAccountKind]: { run: (job) => eraseAccount(app, job), backoffSeconds: erasingSeconds },
  [compactIndexKind]: { run: (job) => compactIndex(app, job), backoffSeconds: [60] },
  [reembedKind]: {
    run: (job) => reembed(app, job),
    backoffSeconds: [5, 30, 60, 300, 600, 3_600, 3_600],
  },
  [verifyKind]: { run: (job) => verify(app, job, checks), backoffSeconds: [5, 60] },
  [housekeepingKind]: { run: (job) => housekeep(app, job), backoffSeconds: [60] },
});
