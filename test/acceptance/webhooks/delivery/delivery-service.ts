import type { Client } from '@mneme/sdk';
import { WebhookSender } from '../../../../packages/server/src/domains/webhooks/index.ts';
import { createFakeClock, type FakeClock } from '../../../support/fake-clock.ts';
import { type engines, type Service, startService } from '../../../support/service.ts';
import { createFakeEndpoints, type FakeEndpoints } from './fake-endpoints.ts';

export interface DeliveryService {
  readonly service: Service;
  readonly clock: FakeClock;
  readonly endpoints: FakeEndpoints;
  /** Sends everything that is due by the hand clock. */
  drain(): Promise<void>;
  /** An account of its own with a webhook, and the address that is told. */
  createSubscriber(settings?: Partial<Settings>): Promise<Subscriber>;
}

type Settings = Parameters<Client['webhooks']['create']>[0]['body'];
type Webhook = Awaited<ReturnType<Client['webhooks']['create']>>;

export interface Subscriber {
  readonly client: Client;
  readonly account: { id: string; key: string };
  readonly webhook: Webhook;
  readonly url: string;
}

/** A service by a hand clock, whose webhooks go to endpoints of the test. */
export async function startDeliveryService(
  engine: (typeof engines)[number],
): Promise<DeliveryService> {
  const clock = createFakeClock();
  const endpoints = createFakeEndpoints();
  const { fetchOutside } = endpoints;
  const service = await startService(engine, { overrides: { clock, fetchOutside } });
  // Its own would send whenever the clock is moved past a poll; this one does when it is told to.
  await service.running.context.webhookSender.stop();
  const sender = new WebhookSender(service.running.context.app);
  let urls = 0;
  return {
    service,
    clock,
    endpoints,
    drain: () => sender.drain(),
    async createSubscriber(settings = {}) {
      urls += 1;
      const url = `https://endpoint-${urls}.example.com/hook`;
      const { client, ...account } = await service.createAccount();
      const body = { url, events: ['memory.created'], ...settings };
      const webhook = await client.webhooks.create({ body });
      return { client, account, webhook, url };
    },
  };
}

/** Stores memories one after the other; their contents, in order. */
export async function storeMemories(
  client: Client,
  count: number,
  word = 'kettle',
): Promise<string[]> {
  const contents = Array.from({ length: count }, (_, i) => `The ${word} number ${i} boils.`);
  for (const content of contents) await client.memories.create({ body: { content } });
  return contents;
}

export const listDeliveries = async ({ client, webhook }: Pick<Subscriber, 'client' | 'webhook'>) =>
  (
    await client.webhooks.listDeliveries({
      params: { webhookId: webhook.id },
      query: { limit: 100 },
    })
  ).data;

export const getWebhook = ({
  client,
  webhook,
}: Pick<Subscriber, 'client' | 'webhook'>): Promise<Webhook> =>
  client.webhooks.get({ params: { webhookId: webhook.id } });
