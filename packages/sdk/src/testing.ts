import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, type ClientOptions, createClient } from './client.ts';

interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly bytes: Buffer;
}

export interface ScriptedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, a text and bytes as they are. */
  readonly body?: unknown;
}

/** What to answer; `drop` breaks the connection, `silence` never answers. */
export type ResponseScript = (
  seen: RecordedRequest,
  index: number,
) => ScriptedResponse | 'drop' | 'silence';

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly client: Client;
  readonly requests: readonly RecordedRequest[];
  /** How long the client would have waited before each further attempt, in ms. */
  readonly waits: readonly number[];
}

/** A real server that answers by script, and a client of it that does not really wait. */
export async function startScriptedServer(
  script: ResponseScript,
  options: ClientOptions = {},
): Promise<ScriptedServer> {
  const seen: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const bytes = Buffer.concat(chunks);
      const one = { method, url, headers, bytes, body: bytes.toString('utf8') };
      seen.push(one);
      const answer = script(one, seen.length - 1);
      if (answer === 'silence') return;
      if (answer === 'drop') return void request.socket.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      const isReady = typeof answer.body === 'string' || answer.body instanceof Uint8Array;
      response.end(isReady ? answer.body : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const waits: number[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({
    url,
    apiKey: 'mnk_test',
    random: () => 0.5,
    sleep: async (ms) => {
      waits.push(ms);
    },
    ...options,
  });
  return {
    url,
    client,
    requests: seen,
    waits,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
