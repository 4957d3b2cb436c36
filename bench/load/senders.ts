import { ApiClient } from '../api-client.ts';
import { bulkCreateRequests } from '../memory-requests.ts';
import type { RunningServer } from '../servers.ts';
import { createTenants } from '../tenants.ts';
import type { TextGenerator } from '../text-generator.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import type { Corpus } from './request-mix.ts';

/** An account that will send. */
export interface Sender extends Disposable {
  readonly client: KeepAliveClient;
  readonly corpus: Corpus;
}

export interface SenderOptions {
  readonly plan: 'free' | 'enterprise';
  readonly count: number;
  readonly inFlightMax: number;
  /** Stored beforehand in each account. */
  readonly memories: number;
}

/** Accounts with memories, which another key than the sending one stored. */
export async function createSenders(
  server: RunningServer,
  texts: TextGenerator,
  { plan, count, inFlightMax, memories }: SenderOptions,
): Promise<Sender[]> {
  using operator = new ApiClient(server, 1);
  const senders: Sender[] = [];
  for (const { keys } of await createTenants(operator, plan, { count, keysEach: 2 })) {
    const [sending = '', storing = ''] = keys;
    const stock = await createCorpus(server.url, storing, texts, memories);
    const line = new KeepAliveClient(server.url, sending, inFlightMax);
    senders.push({ client: line, corpus: stock, [Symbol.dispose]: () => line[Symbol.dispose]() });
  }
  return senders;
}

async function createCorpus(
  url: string,
  apiKey: string,
  texts: TextGenerator,
  count: number,
): Promise<Corpus> {
  using connection = new ApiClient({ url, apiKey }, 1);
  const contents = Array.from({ length: count }, () => texts.memory());
  const { responses } = await connection.run(bulkCreateRequests(contents));
  const stored = responses as { memories: { id: string }[] }[];
  return { ids: stored.flatMap(({ memories }) => memories.map(({ id }) => id)), texts: contents };
}
