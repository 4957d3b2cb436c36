import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that must not receive requests; records those it receives. */
export interface ForbiddenServer extends Disposable {
  readonly url: string;
  readonly calls: string[];
}

export async function startForbiddenServer(): Promise<ForbiddenServer> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? '');
    response.end();
  });
  server.on('connection', () => calls.push('a connection'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.mp3`;
  return { url, calls, [Symbol.dispose]: () => server.close() };
}
