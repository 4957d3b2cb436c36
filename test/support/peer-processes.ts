import http, { type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  indexCache,
  searchAffinity,
} from '../../packages/server/src/domains/search-index/index.ts';
import { metrics } from '../../packages/server/src/kernel/metrics/metrics.ts';
import { eventually } from './eventually.ts';
import type { FakeClock } from './fake-clock.ts';
import type { Service } from './service.ts';

/** Several services of one database that forward searches to each other. */

export interface CapturedRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface PeerEndpoint extends AsyncDisposable {
  readonly url: string;
  /** What arrived so far. */
  readonly requests: readonly CapturedRequest[];
}

/** A server that another process takes for a peer. */
export async function startPeerEndpoint(
  respond: (captured: CapturedRequest, ...http: Parameters<RequestListener>) => unknown,
): Promise<PeerEndpoint> {
  const requests: CapturedRequest[] = [];
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const captured = { url: request.url ?? '', headers: request.headers, body };
    requests.push(captured);
    await respond(captured, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const heartbeatsMax = 20;
const heartbeatWaitMs = 500;

/** A service, or a worker that runs in this process. */
type Running = { readonly running: Pick<Service['running'], 'context'> };

const appOf = ({ running }: Running) => running.context.app;

/** A counter or gauge of a service; 0 without a value. */
export async function readMetric(
  service: Running,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const all = await metrics.of(appOf(service)).read();
  const values = all.find((one) => one.name === name)?.values ?? [];
  const matches = Object.entries(labels);
  return (
    values.find((one) => matches.every(([label, value]) => one.labels[label] === value))?.value ?? 0
  );
}

/** Whether the index of the account is in the memory of the service. */
export const hasLoaded = (service: Running, accountId: string): boolean =>
  indexCache.of(appOf(service)).loaded.get(accountId) !== undefined;

/**
 * Advances to the next heartbeats until each service knows of `count` live processes. Heartbeats
 * must end before the next ones: the time of the database is that of the last one.
 */
export async function waitForPeers(
  clock: FakeClock,
  services: readonly Running[],
  count: number,
): Promise<void> {
  const counts = () => services.map((one) => searchAffinity.of(appOf(one)).liveProcesses);
  const isComplete = () => counts().every((known) => known === count);
  for (let beats = 0; !isComplete(); beats += 1) {
    if (beats === heartbeatsMax) throw new Error(`live processes: ${counts()}, not ${count}`);
    clock.advance(5_000);
    await eventually(
      async () => isComplete(),
      (holds) => holds,
      heartbeatWaitMs,
    ).catch(() => undefined);
  }
}
