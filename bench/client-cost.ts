import { ApiClient, type ApiRequest } from './api-client.ts';
import { createMemoryRequest, memoriesPerBulk } from './memory-requests.ts';
import { parallelConnections } from './rounds.ts';
import { startTrivialServer } from './servers.ts';
import type { TextGenerator } from './text-generator.ts';

/** What the client reaches, and what it costs, against a server that does nothing. */
export interface ClientCost {
  readonly singlePerSecond1: number;
  readonly singlePerSecond16: number;
  /** Memories, at 100 a call. */
  readonly bulkPerSecond: number;
  /** CPU time of the client for one call with 16 connections. */
  readonly cpuMicroseconds: number;
}

const warmUpCalls = 1_000;

export async function measureClientCost(texts: TextGenerator, calls: number): Promise<ClientCost> {
  await using open = new AsyncDisposableStack();
  const server = await startTrivialServer();
  open.defer(() => server.stop());
  const one = open.use(new ApiClient(server, 1));
  const many = open.use(new ApiClient(server, parallelConnections));
  const asks = Array.from({ length: calls }, () => createMemoryRequest(texts.memory()));
  const memories = asks.slice(0, memoriesPerBulk).map(({ body }) => body);
  const bulk: ApiRequest = { method: 'POST', path: '/memories/bulk', body: { memories } };
  await many.run(asks.slice(0, warmUpCalls));
  const rate = async (connections: ApiClient, each: readonly ApiRequest[]): Promise<number> =>
    each.length / (await connections.run(each)).seconds;
  const before = process.cpuUsage();
  const single16 = await rate(many, asks);
  const used = process.cpuUsage(before);
  return {
    singlePerSecond1: await rate(one, asks),
    singlePerSecond16: single16,
    bulkPerSecond:
      (await rate(
        one,
        Array.from({ length: calls / 10 }, () => bulk),
      )) * memoriesPerBulk,
    cpuMicroseconds: (used.user + used.system) / calls,
  };
}
