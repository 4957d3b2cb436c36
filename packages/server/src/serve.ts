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
  await server.listen({ host: config.host, port: config.port });
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
