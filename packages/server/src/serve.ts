import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  createServiceComponents,
  type ServiceComponents,
  type ServiceOverrides,
} from './context.ts';
import { pollAdminKeyResetRequests } from './domains/accounts/index.ts';
import {
  ledgerCopier,
  lifecycle,
  openEventStreams,
  watchWorkers,
} from './domains/operations/index.ts';
import { searchAffinity } from './domains/search-index/index.ts';
import { createMetricsServer } from './http/metrics-server.ts';
import { buildServer, type HttpServerOverrides } from './http/server.ts';
import type { Config } from './kernel/config.ts';
import { ensureDataFolder } from './kernel/data-folder.ts';
import { requireNoUnfinishedRestore } from './kernel/restore-marker.ts';
import { releaseLeasesOfFormerProcess, routeHandlers } from './modules.ts';
import { createMailServer, type MailServer } from './smtp/index.ts';

/** A running process of the service. */
export interface ServiceHandle {
  readonly context: ServiceComponents;
  /** The port for metrics; null if it is disabled. */
  readonly metricsPort: number | null;
  /** Stops accepting requests, waits up to MNEME_SHUTDOWN_SECONDS for running ones, then closes. */
  stop(): Promise<void>;
}

/** A process that also serves the API. */
export interface ServerHandle extends ServiceHandle {
  /** The address for programs of this machine: the loopback address if it listens on all. */
  readonly url: string;
  /** The port of the SMTP server; null if it is disabled. */
  readonly smtpPort: number | null;
}

/** The server cannot listen on the configured address; the message says what to do. */
export class AddressUnusable extends Error {
  override readonly name = 'AddressUnusable';
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** A prefix in the names of its settings: `SMTP_` for MNEME_SMTP_PORT. */
  readonly setting?: string;
}

const remedies: Readonly<Record<string, (setting: string) => string>> = {
  EADDRINUSE: (name) => `another process uses the port: stop it, or change ${name}PORT`,
  EACCES: (name) => `this user has no permission: set ${name}PORT to a port above 1023`,
  EADDRNOTAVAIL: (name) => `the address is not of this machine: change ${name}HOST`,
  ENOTFOUND: (name) => `the host name is unknown: change ${name}HOST`,
};

function throwListenError({ host, port, setting = '' }: ListenAddress, error: unknown): never {
  const describeRemedy = remedies[(error as NodeJS.ErrnoException).code ?? ''];
  if (describeRemedy === undefined) throw error;
  const remedy = describeRemedy(`MNEME_${setting}`);
  throw new AddressUnusable(`Cannot listen on ${host}, port ${port}: ${remedy}.`, { cause: error });
}

async function listenForMail(
  { app }: ServiceComponents,
  config: Config,
): Promise<MailServer | null> {
  const { smtp } = config.email;
  if (smtp === null) return null;
  try {
    return await createMailServer(app, smtp);
  } catch (error) {
    return throwListenError({ ...smtp, setting: 'SMTP_' }, error);
  }
}

/** Null: no port is configured. */
async function listenForMetrics(
  { app }: ServiceComponents,
  { metrics }: Config,
  opening: AsyncDisposableStack,
): Promise<number | null> {
  if (metrics === null) return null;
  const server = opening.use(createMetricsServer(app));
  server.listen(metrics.port, metrics.host);
  await once(server, 'listening').catch((error: unknown) =>
    throwListenError({ ...metrics, setting: 'METRICS_' }, error),
  );
  return (server.address() as AddressInfo).port;
}

/** Starts a complete service that listens; for `npm start` and for the tests. */
export async function serve(
  config: Config,
  version: string,
  overrides: ServiceOverrides & HttpServerOverrides = {},
): Promise<ServerHandle> {
  await ensureDataFolder(config.dataDir);
  await requireNoUnfinishedRestore(config.dataDir);
  await using opening = new AsyncDisposableStack();
  const context = opening.use(await createServiceComponents(config, version, overrides));
  context.shutdownStages.begin(opening, 'requests');
  // The database works while this thread builds the routes.
  const [server] = await Promise.all([
    buildServer(context.app, routeHandlers, overrides),
    releaseLeases(context),
  ]);
  opening.defer(() => server.close());
  await server
    .listen({ host: config.host, port: config.port })
    .catch((error: unknown) => throwListenError(config, error));
  const metricsPort = await listenForMetrics(context, config, opening);
  const mail = await listenForMail(context, config);
  if (mail) opening.defer(() => mail.close());
  // With a server database, `reset-admin` changes the database itself.
  if (config.databaseUrl === null) opening.use(pollAdminKeyResetRequests(context.app));
  if (config.runsJobs) startBackgroundWork(context);
  else opening.use(watchWorkers(context.app));
  joinProcessGroup(context, config.runsJobs);
  ledgerCopier.of(context.app).start();
  searchAffinity.of(context.app).join();
  const { port } = server.server.address() as AddressInfo;
  const opened = opening.move();
  return {
    url: localUrl(config.host, port),
    context,
    smtpPort: mail?.port ?? null,
    metricsPort,
    async stop() {
      using _overdue = beginStop(context, config);
      openEventStreams.of(context.app).closeAll();
      using _forcedClose = context.app.clock.after(config.shutdownSeconds * 1_000, () =>
        server.server.closeAllConnections(),
      );
      await opened.disposeAsync();
    },
  };
}

/** No other process can have an embedded database open: whoever holds a lease is dead. */
const releaseLeases = async ({ app: { engine } }: ServiceComponents): Promise<void> => {
  if (engine.kind === 'embedded') await releaseLeasesOfFormerProcess(engine.db);
};

const loopbackAddresses: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function localUrl(host: string, port: number): string {
  const address = loopbackAddresses[host] ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Starts a process that runs the jobs of the database without serving the API. */
export async function serveWorker(
  config: Config,
  version: string,
  overrides: ServiceOverrides = {},
): Promise<ServiceHandle> {
  await using opening = new AsyncDisposableStack();
  const context = opening.use(await createServiceComponents(config, version, overrides));
  const metricsPort = await listenForMetrics(context, config, opening);
  startBackgroundWork(context);
  joinProcessGroup(context, true);
  ledgerCopier.of(context.app).start();
  searchAffinity.of(context.app).observe();
  const opened = opening.move();
  return {
    context,
    metricsPort,
    async stop() {
      using _overdue = beginStop(context, config);
      await opened.disposeAsync();
    },
  };
}

/** Jobs, webhook calls, mail, and the reading of new memories. */
function startBackgroundWork(context: ServiceComponents): void {
  context.worker.start();
  context.webhookSender.start();
  context.encodingWorker.start();
  context.extractionWorker.start();
  context.mailer.start();
}

/** A process without background work may not be the one that looks for it. */
const joinProcessGroup = ({ app }: ServiceComponents, isCandidate: boolean): void =>
  app.engine.processes.join(app.clock, { id: app.ids.uuid(), isCandidate });

/** What running requests do not explain. */
const overdueMs = 15_000;

/** The result ends a timer that logs what a stop waits for if it takes too long. */
function beginStop(
  { app, telemetry, webhookSender, mailer, shutdownStages }: ServiceComponents,
  { shutdownSeconds }: Config,
): Disposable {
  lifecycle.of(app).draining = true;
  telemetry?.limitShutdown(shutdownSeconds * 1_000);
  void searchAffinity.of(app).leave();
  void webhookSender.stop();
  void mailer.stop();
  return app.clock.after(shutdownSeconds * 1_000 + overdueMs, () => {
    app.log.warn({ waitingFor: shutdownStages.current }, 'the service has not stopped yet');
  });
}
