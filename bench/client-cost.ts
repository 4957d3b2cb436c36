import { addOne, bulkItems } from './asks.ts';
import { type Ask, Connections } from './client.ts';
import { parallelConnections } from './rounds.ts';
import { startTrivial } from './servers.ts';
import type { Texts } from './texts.ts';

/** What the client reaches, and what it costs, against a server that does nothing. */
export interface ClientCost {
  readonly single1: number;
  readonly single16: number;
  /** Memories, at 100 a call. */
  readonly bulk: number;
  /** CPU time of the client for one call with 16 connections. */
  readonly cpuMicroseconds: number;
}

const warmUpCalls = 1_000;

export async function measureClient(texts: Texts, calls: number): Promise<ClientCost> {
  await using open = new AsyncDisposableStack();
  const server = await startTrivial();
  open.defer(() => server.stop());
  const one = open.use(new Connections(server, 1));
  const many = open.use(new Connections(server, parallelConnections));
  const asks = Array.from({ length: calls }, () => addOne(texts.memory()));
  const memories = asks.slice(0, bulkItems).map(({ body }) => body);
  const bulk: Ask = { method: 'POST', path: '/memories/bulk', body: { memories } };
  await many.run(asks.slice(0, warmUpCalls));
  const rate = async (connections: Connections, each: readonly Ask[]): Promise<number> =>
    each.length / (await connections.run(each)).seconds;
  const before = process.cpuUsage();
  const single16 = await rate(many, asks);
  const used = process.cpuUsage(before);
  return {
    single1: await rate(one, asks),
    single16,
    bulk:
      (await rate(
        one,
        Array.from({ length: calls / 10 }, () => bulk),
      )) * bulkItems,
    cpuMicroseconds: (used.user + used.system) / calls,
  };
}
