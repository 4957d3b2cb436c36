import type { App } from '../../packages/server/src/domains/ctx.ts';
import { readConfig } from '../../packages/server/src/kernel/config.ts';
import { serve } from '../../packages/server/src/serve.ts';
import { ApiClient } from '../api-client.ts';
import { createDataLocation, toServerEnv } from '../data-location.ts';

/** A service in this process, so that its parts can be called without HTTP. */
export interface InProcessService extends AsyncDisposable {
  readonly app: App;
  readonly url: string;
  readonly operator: ApiClient;
}

export async function startInProcessService(databaseUrl: string | null): Promise<InProcessService> {
  await using opening = new AsyncDisposableStack();
  const place = opening.use(await createDataLocation(databaseUrl));
  const { config } = readConfig({ ...toServerEnv(place), MNEME_LOG_LEVEL: 'error' });
  const { url, context, stop } = await serve(config, '0.0.0-bench');
  opening.defer(stop);
  const operator = opening.use(new ApiClient({ url, apiKey: context.firstKey?.key ?? null }, 1));
  const opened = opening.move();
  return { app: context.app, url, operator, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
