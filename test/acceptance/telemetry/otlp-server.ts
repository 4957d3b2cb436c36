import { type OtlpSink, startOtlpSink } from '../../support/otlp-sink.ts';
import {
  createDataLocation,
  type DataLocation,
  type LaunchOptions,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import type { engines } from '../../support/service.ts';

/** The content of a memory. */
export const words = 'Zerbinetta keeps her oboe in Ghent.';

/** A server that sends its telemetry to a collector in this process. */
export interface Installation extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly sink: OtlpSink;
  readonly location: DataLocation;
}

/** The collector gets what there is after 50 ms. Closing it removes all. */
export async function install(
  engine: (typeof engines)[number],
  env: Record<string, string> = {},
  options: LaunchOptions = {},
): Promise<Installation> {
  const sink = await startOtlpSink();
  const location = await createDataLocation(engine);
  const server = await startServerProcess(location, {
    ...options,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_BLRP_SCHEDULE_DELAY: '50',
      MNEME_LOG_LEVEL: 'info',
      // The default, the encoder: a search has a span of a model.
      MNEME_EMBEDDING_PROVIDER: '',
      ...env,
    },
  });
  return {
    server,
    sink,
    location,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await location.remove();
      await sink[Symbol.asyncDispose]();
    },
  };
}

/** With the admin key. */
export const call = (
  { url, adminKey }: ServerProcess,
  path: string,
  { headers = {}, ...rest }: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Response> =>
  fetch(`${url}${path}`, {
    ...rest,
    headers: {
      authorization: `Bearer ${adminKey}`,
      'content-type': 'application/json',
      ...headers,
    },
  });

/** A request with a JSON body. */
export const post = (body: unknown): { method: string; body: string } => ({
  method: 'POST',
  body: JSON.stringify(body),
});
