import { readFileSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';

const fixture = (name: string): string =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

/** Self-signed certificate of hooks.example.com, trusted only by these tests. */
export const endpointCertificate = fixture('endpoint-cert.pem');

export interface TestEndpoint extends AsyncDisposable {
  readonly port: number;
  /** Number of connections opened so far. */
  readonly connections: () => number;
}

/** A local server that a call may, or must not, reach. */
export async function startTestEndpoint(
  listener: RequestListener,
  { secure = false } = {},
): Promise<TestEndpoint> {
  const server = secure
    ? https.createServer({ cert: endpointCertificate, key: fixture('endpoint-key.pem') }, listener)
    : http.createServer(listener);
  const endpoint = await startListening(server);
  return {
    ...endpoint,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return endpoint[Symbol.asyncDispose]();
    },
  };
}

export async function startListening(server: Server): Promise<TestEndpoint> {
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
