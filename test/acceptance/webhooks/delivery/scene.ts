import type { Client } from '@mneme/sdk';
import { Sender } from '../../../../packages/server/src/domains/webhooks/index.ts';
import { createHandClock, type HandClock } from '../../../support/hand-clock.ts';
import { type engines, type Service, startService } from '../../../support/service.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';

export interface Scene {
  readonly service: Service;
  readonly clock: HandClock;
  readonly endpoints: Endpoints;
  /** Sends everything that is due by the hand clock. */
  drain(): Promise<void>;
  /** An account of its own with a webhook, and the address that is told. */
  told(settings?: Partial<Settings>): Promise<Told>;
}

type Settings = Parameters<Client['webhooks']['create']>[0]['body'];
type Webhook = Awaited<ReturnType<Client['webhooks']['create']>>;

export interface Told {
  readonly client: Client;
  readonly account: { id: string; key: string };
  readonly webhook: Webhook;
  readonly url: string;
}

/** A service by a hand clock, whose webhooks go to endpoints of the test. */
export async function startScene(engine: (typeof engines)[number]): Promise<Scene> {
  const clock = createHandClock();
  const endpoints = createEndpoints();
  const { fetchOutside } = endpoints;
  const service = await startService(engine, { overrides: { clock, fetchOutside } });
  // Its own would send whenever the clock is moved past a poll; this one does when it is told to.
  await service.running.context.sender.stop();
  const sender = new Sender(service.running.context.app);
  let urls = 0;
  return {
    service,
    clock,
    endpoints,
    drain: () => sender.drain(),
    async told(settings = {}) {
      urls += 1;
      const url = `https://endpoint-${urls}.example.com/hook`;
      const { client, ...account } = await service.account();
      const body = { url, events: ['memory.created'], ...settings };
      const webhook = await client.webhooks.create({ body });
      return { client, account, webhook, url };
    },
  };
}

/** Stores memories one after the other; their contents, in order. */
export async function store(client: Client, count: number, word = 'kettle'): Promise<string[]> {
  const contents = Array.from({ length: count }, (_, i) => `The ${word} number ${i} boils.`);
  for (const content of contents) await client.memories.create({ body: { content } });
  return contents;
}

export const deliveriesOf = async ({ client, webhook }: Pick<Told, 'client' | 'webhook'>) =>
  (
    await client.webhooks.listDeliveries({
      params: { webhookId: webhook.id },
      query: { limit: 100 },
    })
  ).data;

export const read = ({ client, webhook }: Pick<Told, 'client' | 'webhook'>): Promise<Webhook> =>
  client.webhooks.get({ params: { webhookId: webhook.id } });
