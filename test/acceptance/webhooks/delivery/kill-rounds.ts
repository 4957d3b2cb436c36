import { type Client, paginate } from '@mneme/sdk';
import { eventually } from '../../../support/eventually.ts';
import {
  createDataLocation,
  type ServerProcess,
  startServerProcess,
} from '../../../support/server-process.ts';
import type { engines } from '../../../support/service.ts';
import { createSeededRandom, type SeededRandom } from '../../durability/seeded-random.ts';
import {
  type ReceivedDelivery,
  type ReplyMode,
  startWebhookReceiver,
  type WebhookReceiver,
} from './webhook-receiver.ts';

/** Kills a server that tells webhooks again and again, and compares what they were told. */

const writers = 4;
const paths = ['/steady', '/moody', '/broken'];
const killAfterAnswers = { min: 15, max: 80 };
/** From the chosen answer to the signal: some kills fall into deliveries alone. */
const killDelayMsMax = 300;
/** A lease of a killed process on a server's database runs out first, and then there are more. */
const timeoutMs = 180_000;
const env = {
  MNEME_WEBHOOK_ALLOW_HTTP: 'true',
  MNEME_WEBHOOK_ALLOW_PRIVATE: 'true',
  // Vectors are not the subject.
  MNEME_EMBEDDING_PROVIDER: 'static',
};

export interface KillReport {
  readonly stored: number;
  readonly received: number;
  readonly duplicates: number;
  readonly violations: readonly string[];
}

/** Every finding of `wrong` is a broken promise. */
export async function killRounds(
  engine: (typeof engines)[number],
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<KillReport> {
  const chance = createSeededRandom(seed);
  const place = await createDataLocation(engine);
  let isCalm = false;
  await using receiver = await startWebhookReceiver((path) =>
    isCalm ? 'takes' : pickReplyMode(path, chance),
  );
  const stored: string[] = [];
  let server = await startServerProcess(place, { env });
  try {
    const webhooks = await subscribe(server.client(), receiver);
    for (let round = 1; round <= rounds; round += 1) {
      await storeUntilKilled(server, chance, stored);
      isCalm = round === rounds;
      server = await startServerProcess(place, { env });
    }
    await waitUntilAllDelivered(server.client(), webhooks, receiver, stored);
    const order = await eventOrder(server.client());
    const wrong = paths.flatMap((path) => findViolations(path, receiver, order));
    const { received } = receiver;
    const repeated = received.length - new Set(received.map((one) => one.deliveryId)).size;
    return {
      stored: stored.length,
      received: received.length,
      duplicates: repeated,
      violations: wrong,
    };
  } finally {
    await server[Symbol.asyncDispose]();
    await place.remove();
  }
}

function pickReplyMode(path: string, chance: SeededRandom): ReplyMode {
  const dice = chance.fraction();
  if (path === '/steady' || dice < 0.5) return 'takes';
  if (path === '/moody') return dice < 0.8 ? 'refuses' : 'resets';
  return dice < 0.65 ? 'refuses' : dice < 0.8 ? 'resets' : 'hangs';
}

/** Ids of the webhooks. */
async function subscribe(client: Client, receiver: WebhookReceiver): Promise<string[]> {
  const ids: string[] = [];
  for (const path of paths) {
    const { id } = await client.webhooks.create({
      body: {
        url: `${receiver.url}${path}`,
        name: path,
        events: ['memory.created'],
        max_retries: 10,
        retry_delay_seconds: 10,
      },
    });
    ids.push(id);
  }
  return ids;
}

async function storeUntilKilled(
  server: ServerProcess,
  chance: SeededRandom,
  stored: string[],
): Promise<void> {
  const due = stored.length + chance.integer(killAfterAnswers.min, killAfterAnswers.max);
  const delayMs = chance.fraction() * killDelayMsMax;
  const write = async (): Promise<void> => {
    const client = server.client();
    for (;;) {
      const content = `Stored under fire, ${chance.fraction()} ${chance.fraction()}.`;
      try {
        const { id } = await client.memories.create({ body: { content } });
        stored.push(id);
        if (stored.length === due) setTimeout(() => void server.kill('SIGKILL', 'group'), delayMs);
      } catch (error) {
        // Only the loss of the connection is expected here; a refusal is a finding.
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const exit = await server.ended;
  if (exit.signal !== 'SIGKILL') throw new Error(`the server ended by itself: ${server.output()}`);
}

/** What is to be tried again is asked for at once: the schedule is another test's. */
async function waitUntilAllDelivered(
  client: Client,
  webhooks: readonly string[],
  receiver: WebhookReceiver,
  stored: readonly string[],
): Promise<void> {
  const lacking = async (): Promise<number> => {
    for (const webhookId of webhooks) await retryAll(client, webhookId);
    return paths.reduce((sum, path) => {
      const taken = acceptedIds(path, receiver);
      return sum + stored.filter((id) => !taken.has(id)).length;
    }, 0);
  };
  await eventually(lacking, (count) => count === 0, timeoutMs);
}

async function retryAll(client: Client, webhookId: string): Promise<void> {
  const params = { webhookId };
  for (const status of ['retrying', 'failed'] as const) {
    const { data } = await client.webhooks.listDeliveries({
      params,
      query: { status, limit: 100 },
    });
    for (const { id } of data) {
      const path = `/webhooks/${webhookId}/deliveries/${id}/retry`;
      const answer = await client.request({ method: 'POST', path });
      // 409: an attempt is under way, or another has just succeeded.
      if (![200, 409].includes(answer.status)) throw new Error(`retry: ${answer.status}`);
    }
  }
}

const eventIn = ({ body }: ReceivedDelivery): { id: string; data: { id: string } } =>
  JSON.parse(body);

/** Ids of memories whose event the endpoint answered with 200. */
const acceptedIds = (path: string, { received }: WebhookReceiver): Set<string> =>
  new Set(
    received
      .filter((one) => one.path === path && one.replyMode === 'takes')
      .map((one) => eventIn(one).data.id),
  );

/** The place of each event in the order of commit. */
async function eventOrder(client: Client): Promise<Map<string, number>> {
  const order = new Map<string, number>();
  const pages = paginate((place) =>
    client.events.list({ query: { type: 'memory.created', limit: 100, ...place } }),
  );
  for await (const event of pages) order.set(event.id, order.size);
  return order;
}

function findViolations(
  path: string,
  { received }: WebhookReceiver,
  order: ReadonlyMap<string, number>,
): string[] {
  const wrong: string[] = [];
  const first = new Map<string, ReceivedDelivery>();
  let last = -1;
  for (const one of received) {
    if (one.path !== path) continue;
    const { id } = eventIn(one);
    const before = first.get(id);
    if (before) {
      if (before.deliveryId !== one.deliveryId) wrong.push(`${path}: ${id} has two delivery ids`);
      if (before.body !== one.body) wrong.push(`${path}: ${id} was sent in two forms`);
      continue;
    }
    first.set(id, one);
    const at = order.get(id);
    if (at === undefined) wrong.push(`${path}: ${id} never happened`);
    else if (at <= last) wrong.push(`${path}: ${id} came after a later one`);
    else last = at;
  }
  return wrong;
}
