import type { AddressInfo } from 'node:net';
import { build, type Context, handlers, type Overrides } from './context.ts';
import { eventStreams, lifecycle } from './domains/operations/index.ts';
import { buildServer } from './http/server.ts';
import type { Config } from './kernel/config.ts';
import { openDataFolder } from './kernel/data-folder.ts';

export interface Running {
  readonly url: string;
  readonly context: Context;
  /** Stops accepting, lets running requests finish within the configured time, closes all. */
  stop(): Promise<void>;
}

/** The address to listen on cannot be had; the message says what to do. */
export class AddressUnusable extends Error {
  override readonly name = 'AddressUnusable';
}

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there: stop it, or choose another MNEME_PORT',
  EACCES: 'it takes rights that this user lacks: choose a MNEME_PORT above 1023',
  EADDRNOTAVAIL: 'it is no address of this machine: choose another MNEME_HOST',
  ENOTFOUND: 'it is no name that is known: choose another MNEME_HOST',
};

function refuseAddress({ host, port }: Config, error: unknown): never {
  const remedy = remedies[(error as NodeJS.ErrnoException).code ?? ''];
  if (remedy === undefined) throw error;
  throw new AddressUnusable(`Cannot listen on ${host}, port ${port}: ${remedy}.`, { cause: error });
}

/** A whole service that listens: what `npm start` runs, and what the tests talk to. */
export async function serve(
  config: Config,
  version: string,
  overrides: Overrides = {},
): Promise<Running> {
  await openDataFolder(config.dataDir);
  await using opening = new AsyncDisposableStack();
  const context = opening.use(await build(config, version, overrides));
  const server = await buildServer(context.app, handlers);
  opening.defer(() => server.close());
  await server
    .listen({ host: config.host, port: config.port })
    .catch((error: unknown) => refuseAddress(config, error));
  context.worker.start();
  context.sender.start();
  context.reader.start();
  const { port } = server.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const opened = opening.move();
  return {
    url: `http://${host}:${port}`,
    context,
    async stop() {
      lifecycle.of(context.app).draining = true;
      void context.sender.stop();
      eventStreams.of(context.app).endAll();
      using _cut = context.app.clock.after(config.shutdownSeconds * 1_000, () =>
        server.server.closeAllConnections(),
      );
      await opened.disposeAsync();
    },
  };
}
