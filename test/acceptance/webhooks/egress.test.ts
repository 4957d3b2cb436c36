import net from 'node:net';
import { verifyWebhook } from '@mneme/sdk';
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutboundFetch } from '../../../packages/server/src/providers/fetch/index.ts';
import {
  startTestEndpoint,
  type TestEndpoint,
} from '../../../packages/server/src/providers/fetch/testing.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createWebhook } from './webhook-requests.ts';

interface Arrived {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** An endpoint of this machine that remembers what arrived. */
async function remembering(): Promise<TestEndpoint & { readonly arrived: readonly Arrived[] }> {
  const arrived: Arrived[] = [];
  const endpoint = await startTestEndpoint(async (request, response) => {
    const body = (await Array.fromAsync(request)).join('');
    arrived.push({ headers: request.headers as Record<string, string>, body });
    response.end('ok');
  });
  return { ...endpoint, arrived };
}

const deliveriesOf = async ({ client, id }: { client: Account['client']; id: string }) =>
  (await client.webhooks.listDeliveries({ params: { webhookId: id }, query: {} })).data;

type Account = Awaited<ReturnType<Service['createAccount']>>;

describe.each(engines)('webhooks to addresses that are not public (%s)', (engine) => {
  let service: Service;
  let endpoint: TestEndpoint & { readonly arrived: readonly Arrived[] };
  beforeAll(async () => {
    service = await startService(engine, { env: { MNEME_WEBHOOK_ALLOW_HTTP: 'true' } });
    endpoint = await remembering();
  });
  afterAll(async () => {
    await endpoint[Symbol.asyncDispose]();
    await service.stop();
  });

  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://hooks.localhost:PORT/',
    'http://0.0.0.0:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://169.254.169.254/latest/meta-data/',
  ])('get nothing, and say why: %s', async (pattern) => {
    const { client } = await service.createAccount();
    const url = pattern.replace('PORT', String(endpoint.port));
    const { id } = await createWebhook(client, { url });
    const tried = await client.webhooks.test({ params: { webhookId: id }, body: {} });
    expect(tried).toMatchObject({ success: false, response_status: null, response_body: null });
    expect(tried.error).toMatch(/^The URL must /);
    expect(endpoint.connections()).toBe(0);
  });

  it('get no event either: the attempt fails, and the next one is planned', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client, { url: `http://127.0.0.1:${endpoint.port}/` });
    await client.memories.create({ body: { content: 'Ana prefers tea over coffee.' } });
    const [delivery] = await eventually(
      () => deliveriesOf({ client, id }),
      (all) => all[0]?.status === 'retrying',
    );
    expect(delivery).toMatchObject({
      error_message: 'The URL must have a public address',
      response_status: null,
      attempt_count: 1,
    });
    expect(endpoint.connections()).toBe(0);
  });
});

describe.each(engines)('a name that leads elsewhere at the second attempt (%s)', (engine) => {
  it('is refused then: each attempt looks it up and checks it', async () => {
    await using endpoint = await startTestEndpoint((_, response) => response.writeHead(500).end());
    const clock = createFakeClock();
    const answers = ['93.184.215.14', '127.0.0.1'];
    const opened: (readonly string[])[] = [];
    const fetchOutside = createOutboundFetch({
      clock,
      allowHttp: true,
      allowPrivate: false,
      resolve: async () => [answers.shift() ?? ''],
      connect: ({ addresses }) => {
        opened.push(addresses);
        return net.connect(endpoint.port, '127.0.0.1');
      },
    });
    const env = { MNEME_WEBHOOK_ALLOW_HTTP: 'true' };
    const service = await startService(engine, { env, overrides: { clock, fetchOutside } });
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client, { url: 'http://rebinding.example.com/' });
    await client.memories.create({ body: { content: 'Ben rides a red bicycle.' } });
    const { webhookSender } = service.running.context;
    await webhookSender.drain();
    expect(await deliveriesOf({ client, id })).toMatchObject([
      { attempt_count: 1, response_status: 500 },
    ]);
    clock.advance(70_000);
    await webhookSender.drain();
    expect(await deliveriesOf({ client, id })).toMatchObject([
      {
        attempt_count: 2,
        response_status: null,
        error_message: 'The host rebinding.example.com has an address that is not public',
      },
    ]);
    expect(opened).toEqual([['93.184.215.14']]);
    await service.stop();
  });
});

describe.each(engines)('webhooks to this machine, where that is allowed (%s)', (engine) => {
  let service: Service;
  beforeAll(async () => {
    const env = { MNEME_WEBHOOK_ALLOW_HTTP: 'true', MNEME_WEBHOOK_ALLOW_PRIVATE: 'true' };
    service = await startService(engine, { env });
  });
  afterAll(() => service.stop());

  it('are believed by the SDK, by standardwebhooks and by svix', async () => {
    await using endpoint = await remembering();
    const { client } = await service.createAccount();
    const { secret } = await createWebhook(client, { url: `http://127.0.0.1:${endpoint.port}/` });
    const made = await client.memories.create({ body: { content: 'Grüße aus Köln 🎉' } });
    const [delivery] = await eventually(
      async () => endpoint.arrived,
      ({ length }) => length > 0,
    );
    const { headers = {}, body = '' } = delivery ?? {};
    const event = await verifyWebhook({ secret, headers, body });
    expect(event).toMatchObject({ type: 'memory.created', data: { id: made.id } });
    const key = `whsec_${Buffer.from(secret).toString('base64')}`;
    expect(() => new Standard(key).verify(body, headers)).not.toThrow();
    expect(() => new Svix(key).verify(body, headers)).not.toThrow();
  });

  it('follow no redirect', async () => {
    await using other = await remembering();
    await using endpoint = await startTestEndpoint((_, response) => {
      response.writeHead(307, { Location: `http://127.0.0.1:${other.port}/` }).end('moved');
    });
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client, { url: `http://127.0.0.1:${endpoint.port}/` });
    const tried = await client.webhooks.test({ params: { webhookId: id }, body: {} });
    expect(tried).toMatchObject({ success: false, response_status: 307, response_body: 'moved' });
    expect(other.connections()).toBe(0);
  });

  it('keep 64 KiB of an answer', async () => {
    await using endpoint = await startTestEndpoint((_, response) =>
      response.end('x'.repeat(100_000)),
    );
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client, { url: `http://127.0.0.1:${endpoint.port}/` });
    const tried = await client.webhooks.test({ params: { webhookId: id }, body: {} });
    expect(tried).toMatchObject({ success: true, response_body: 'x'.repeat(65_536) });
  });
});
