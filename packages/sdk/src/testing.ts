import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClientOptions } from './caller.ts';
import { type Client, createClient } from './client.ts';

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
  /** Sent as JSON; a string and bytes are sent unchanged. */
  readonly body?: unknown;
}

/** The response to a request; `drop` closes the connection, `silence` never responds. */
export type ResponseScript = (
  seen: RecordedRequest,
  index: number,
) => ScriptedResponse | 'drop' | 'silence';

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly client: Client;
  readonly requests: readonly RecordedRequest[];
  /** Delays of the client before its retries, in ms. */
  readonly waits: readonly number[];
}

/** A real HTTP server with scripted responses, and a client whose delays are skipped. */
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
      const recorded = { method, url, headers, bytes, body: bytes.toString('utf8') };
      seen.push(recorded);
      const reply = script(recorded, seen.length - 1);
      if (reply === 'silence') return;
      if (reply === 'drop') return void request.socket.destroy();
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      const isEncoded = typeof reply.body === 'string' || reply.body instanceof Uint8Array;
      response.end(isEncoded ? reply.body : JSON.stringify(reply.body));
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
