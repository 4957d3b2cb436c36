import { bulksOf } from '../asks.ts';
import { Connections } from '../client.ts';
import type { RunningServer } from '../servers.ts';
import { makeTenants } from '../tenants.ts';
import type { Texts } from '../texts.ts';
import { Line } from './line.ts';
import type { Stock } from './mix.ts';

/** An account that will send. */
export interface Sender extends Disposable {
  readonly line: Line;
  readonly stock: Stock;
}

export interface SenderOptions {
  readonly plan: 'free' | 'enterprise';
  readonly count: number;
  readonly inFlightMax: number;
  /** Stored beforehand in each account. */
  readonly memories: number;
}

/** Accounts with memories, which another key than the sending one stored. */
export async function makeSenders(
  server: RunningServer,
  texts: Texts,
  { plan, count, inFlightMax, memories }: SenderOptions,
): Promise<Sender[]> {
  using operator = new Connections(server, 1);
  const senders: Sender[] = [];
  for (const { keys } of await makeTenants(operator, plan, { count, keysEach: 2 })) {
    const [sending = '', storing = ''] = keys;
    const stock = await stockOf(server.url, storing, texts, memories);
    const line = new Line(server.url, sending, inFlightMax);
    senders.push({ line, stock, [Symbol.dispose]: () => line[Symbol.dispose]() });
  }
  return senders;
}

async function stockOf(url: string, apiKey: string, texts: Texts, count: number): Promise<Stock> {
  using connection = new Connections({ url, apiKey }, 1);
  const contents = Array.from({ length: count }, () => texts.memory());
  const { answers } = await connection.run(bulksOf(contents));
  const stored = answers as { memories: { id: string }[] }[];
  return { ids: stored.flatMap(({ memories }) => memories.map(({ id }) => id)), texts: contents };
}
