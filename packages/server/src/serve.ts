import type { AddressInfo } from 'node:net';
import { type Context, createContext, type Overrides } from './context.ts';
import { pollResetRequests } from './domains/accounts/index.ts';
import { ledgerCopier, lifecycle, openEventStreams } from './domains/operations/index.ts';
import { buildServer } from './http/server.ts';
import type { Config } from './kernel/config.ts';
import { openDataFolder } from './kernel/data-folder.ts';
import { requireNoUnfinishedRestore } from './kernel/restore-marker.ts';
import { handlers } from './modules.ts';
import { createMailServer, type MailServer } from './smtp/index.ts';

export interface ServerHandle {
  readonly url: string;
  readonly context: Context;
  /** Where mail is taken in; null where none is. */
  readonly smtpPort: number | null;
  /** Stops accepting, lets running requests finish within the configured time, closes all. */
  stop(): Promise<void>;
}

/** The address to listen on cannot be had; the message says what to do. */
export class AddressUnusable extends Error {
  override readonly name = 'AddressUnusable';
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Where its settings have more in their names: MNEME_SMTP_PORT. */
  readonly setting?: string;
}

const remedies: Readonly<Record<string, (setting: string) => string>> = {
  EADDRINUSE: (name) => `something else listens there: stop it, or choose another ${name}PORT`,
  EACCES: (name) => `it takes rights that this user lacks: choose a ${name}PORT above 1023`,
  EADDRNOTAVAIL: (name) => `it is no address of this machine: choose another ${name}HOST`,
  ENOTFOUND: (name) => `it is no name that is known: choose another ${name}HOST`,
};

function throwListenError({ host, port, setting = '' }: ListenAddress, error: unknown): never {
  const told = remedies[(error as NodeJS.ErrnoException).code ?? ''];
  if (told === undefined) throw error;
  const remedy = told(`MNEME_${setting}`);
  throw new AddressUnusable(`Cannot listen on ${host}, port ${port}: ${remedy}.`, { cause: error });
}

async function listenForMail({ app }: Context, config: Config): Promise<MailServer | null> {
  const { smtp } = config.email;
  if (smtp === null) return null;
  try {
    return await createMailServer(app, smtp);
  } catch (error) {
    return throwListenError({ ...smtp, setting: 'SMTP_' }, error);
  }
}

/** A whole service that listens: what `npm start` runs, and what the tests talk to. */
export async function serve(
  config: Config,
  version: string,
  overrides: Overrides = {},
): Promise<ServerHandle> {
  await openDataFolder(config.dataDir);
  await requireNoUnfinishedRestore(config.dataDir);
  await using opening = new AsyncDisposableStack();
  const context = opening.use(await createContext(config, version, overrides));
  const server = await buildServer(context.app, handlers);
  opening.defer(() => server.close());
  await server
    .listen({ host: config.host, port: config.port })
    .catch((error: unknown) => throwListenError(config, error));
  const mail = await listenForMail(context, config);
  if (mail) opening.defer(() => mail.close());
  // A server database can be changed beside the processes that use it.
  if (config.databaseUrl === null) opening.use(pollResetRequests(context.app));
  context.worker.start();
  context.webhookSender.start();
  context.extractionWorker.start();
  context.mailer.start();
  ledgerCopier.of(context.app).start();
  const { port } = server.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const opened = opening.move();
  return {
    url: `http://${host}:${port}`,
    context,
    smtpPort: mail?.port ?? null,
    async stop() {
      lifecycle.of(context.app).draining = true;
      void context.webhookSender.stop();
      void context.mailer.stop();
      openEventStreams.of(context.app).closeAll();
      using _cut = context.app.clock.after(config.shutdownSeconds * 1_000, () =>
        server.server.closeAllConnections(),
      );
      await opened.disposeAsync();
    },
  };
}
