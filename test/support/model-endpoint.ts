import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A local server that replaces a model provider; the URL ends with `/v1`. */
export interface ModelEndpoint extends AsyncDisposable {
  readonly url: string;
}

/** @param body the parsed JSON of the request */
export type ModelRequestHandler = (
  body: unknown,
  response: ServerResponse,
  request: IncomingMessage,
) => void;

export async function startModelEndpoint(answer: ModelRequestHandler): Promise<ModelEndpoint> {
  const server = createServer(async (request, response) => {
    answer(JSON.parse(await text(request)), response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
