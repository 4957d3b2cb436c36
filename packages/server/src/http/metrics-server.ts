import { createServer, type Server, type ServerResponse } from 'node:http';
import type { App } from '../domains/ctx.ts';
import { checkReadiness, readMetrics } from '../domains/operations/index.ts';
import { jsonContentType } from './response.ts';

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const json = (status: number, body: object): Answer => ({
  status,
  type: jsonContentType,
  text: JSON.stringify(body),
});

/** Resources of the metrics port; the API has the same. */
const resources: Readonly<Record<string, (app: App) => Promise<Answer>>> = {
  '/metrics': async (app) => {
    const { text, contentType: type } = await readMetrics(app);
    return { status: 200, type, text };
  },
  '/livez': async () => json(200, { alive: true }),
  '/readyz': async (app) => {
    const readiness = await checkReadiness(app);
    return json(readiness.ready ? 200 : 503, readiness);
  },
};

/** Serves metrics and probes without a key, for a port that only monitoring reaches. */
export function createMetricsServer(app: App): Server & AsyncDisposable {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const read = resources[request.url?.split('?', 1)[0] ?? ''];
    if (read === undefined) return send(response, json(404, { error: 'not_found' }));
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return send(response, json(405, { error: 'method_not_allowed' }));
    }
    read(app)
      .catch((error: unknown) => {
        app.log.error({ err: error }, 'metrics failed');
        return json(500, { error: 'internal_error' });
      })
      .then((answer) => send(response, answer));
  });
  return Object.assign(server, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  });
}

function send(response: ServerResponse, { status, type, text }: Answer): void {
  const headers = { 'content-type': type, 'cache-control': 'no-store' };
  // Node omits the body of a response to HEAD.
  response.writeHead(status, headers).end(text);
}
