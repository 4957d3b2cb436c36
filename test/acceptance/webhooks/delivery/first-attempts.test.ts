import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EgressDenied } from '../../../../packages/server/src/providers/fetch/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { engines } from '../../../support/service.ts';
import {
  type DeliveryService,
  getWebhook,
  listDeliveries,
  startDeliveryService,
  storeMemories,
} from './delivery-service.ts';
import { createGate } from './fake-endpoints.ts';

describe.each(engines)('first attempts on %s', (engine) => {
  let scene: DeliveryService;
  beforeAll(async () => {
    scene = await startDeliveryService(engine);
  });
  afterAll(() => scene.service.stop());

  it('are made of each event once, in order of commit, with what was published', async () => {
    const told = await scene.createSubscriber();
    const contents = await storeMemories(told.client, 3);
    await scene.drain();
    await scene.drain();
    const calls = scene.endpoints.callsTo(told.url);
    expect(calls.map(({ payload }) => payload.data.content)).toEqual(contents);
    expect(JSON.parse(calls[0]?.body ?? '')).toMatchObject({
      type: 'memory.created',
      webhook_id: told.webhook.id,
      space_id: null,
      previous_data: null,
      changes: null,
    });
    expect(await listDeliveries(told)).toMatchObject([
      { status: 'success', attempt: 1, response_status: 200, response_time_ms: 7, error: null },
      { status: 'success' },
      { status: 'success', payload: calls[0]?.payload, id: calls[0]?.deliveryId },
    ]);
    expect(await getWebhook(told)).toMatchObject({
      total_deliveries: 3,
      successful_deliveries: 3,
      failed_deliveries: 0,
      failure_count: 0,
    });
  });

  it('are signed with the secret, and after its rotation with both for 24 hours', async () => {
    const told = await scene.createSubscriber({
      headers: { 'X-Team': 'blue', 'X-Webhook-Id': 'mine' },
    });
    const { client, webhook, url } = told;
    const digest = (secret: string, text: string) =>
      createHmac('sha256', secret).update(text).digest('hex');
    const signatures = async (): Promise<[string, (secret: string) => string]> => {
      await storeMemories(client, 1, `pan ${scene.endpoints.calls.length}`);
      await scene.drain();
      const call = scene.endpoints.callsTo(url).at(-1);
      const headers: Record<string, string> = call?.headers ?? {};
      const time = headers['x-webhook-timestamp'] ?? '';
      expect(headers).toMatchObject({ 'x-team': 'blue', 'x-webhook-id': webhook.id });
      return [
        headers['x-webhook-signature'] ?? '',
        (secret) => digest(secret, `${time}.${call?.body}`),
      ];
    };
    const [first, by] = await signatures();
    expect(first).toMatch(new RegExp(`^t=\\d+,v1=${by(webhook.secret)}$`));
    const params = { webhookId: webhook.id };
    const { secret } = await client.webhooks.update({ params, body: { rotate_secret: true } });
    const [second, bySecond] = await signatures();
    expect(second.split(',').slice(1)).toEqual([
      `v1=${bySecond(secret)}`,
      `v1=${bySecond(webhook.secret)}`,
    ]);
    scene.clock.advance(24 * 3_600_000 + 1_000);
    const [third, byThird] = await signatures();
    expect(third.split(',').slice(1)).toEqual([`v1=${byThird(secret)}`]);
  });

  it('tell what is subscribed to, and pass over the rest', async () => {
    const told = await scene.createSubscriber({ events: ['space.*'], payload_form: 'wrapped' });
    await storeMemories(told.client, 1);
    const space = await told.client.spaces.create({ body: { name: 'kitchen' } });
    await scene.drain();
    const calls = scene.endpoints.callsTo(told.url);
    expect(calls.map(({ payload }) => payload.type)).toEqual(['space.created']);
    expect(calls[0]?.payload.data).toMatchObject({ space: { id: space.id } });
  });

  it('pass over thousands of events that match nothing, in one turn', async () => {
    const told = await scene.createSubscriber({ filters: { tags: ['rare'] } });
    const bodies = Array.from({ length: 250 }, (_, i) => ({ content: `Plain text ${i}.` }));
    for (let at = 0; at < bodies.length; at += 100) {
      await told.client.memories.bulkCreate({ body: { memories: bodies.slice(at, at + 100) } });
    }
    await told.client.memories.create({ body: { content: 'A rare one.', tags: ['rare'] } });
    await scene.drain();
    const calls = scene.endpoints.callsTo(told.url);
    expect(calls.map(({ payload }) => payload.data.content)).toEqual(['A rare one.']);
  });

  it('of more than a batch stay in order', async () => {
    const told = await scene.createSubscriber();
    const memories = Array.from({ length: 250 }, (_, i) => ({ content: `One of many: ${i}.` }));
    for (let at = 0; at < memories.length; at += 100) {
      await told.client.memories.bulkCreate({ body: { memories: memories.slice(at, at + 100) } });
    }
    await scene.drain();
    const sent = scene.endpoints.callsTo(told.url).map(({ payload }) => payload.data.content);
    expect(sent).toEqual(memories.map(({ content }) => content));
  });

  it('keep at most 64 KB of the answer, and any text that it may be', async () => {
    const told = await scene.createSubscriber();
    const body = `\u0000\ud800${'ü'.repeat(40_000)}`;
    scene.endpoints.setReply(told.url, () => ({ status: 200, body }));
    await storeMemories(told.client, 1);
    await scene.drain();
    const [delivery] = await listDeliveries(told);
    expect(delivery?.status).toBe('success');
    expect(Buffer.byteLength(delivery?.response_body ?? '')).toBeLessThanOrEqual(65_536);
    expect(delivery?.response_body).toMatch(/^\ufffd\ufffdü+$/);
  });

  it('that reach no address say so, and are tried again', async () => {
    const told = await scene.createSubscriber();
    scene.endpoints.setReply(told.url, () => {
      throw new EgressDenied('The host has an address that is not public');
    });
    await storeMemories(told.client, 1);
    await scene.drain();
    expect(await listDeliveries(told)).toMatchObject([
      {
        status: 'retrying',
        attempt_count: 1,
        response_status: null,
        error: 'The host has an address that is not public',
        error_message: 'The host has an address that is not public',
        delivered_at: null,
      },
    ]);
  });

  it('wait while a webhook is switched off, and come when it is switched on', async () => {
    const told = await scene.createSubscriber();
    const params = { webhookId: told.webhook.id };
    await told.client.webhooks.update({ params, body: { is_active: false } });
    const contents = await storeMemories(told.client, 2);
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toEqual([]);
    await told.client.webhooks.update({ params, body: { enabled: true } });
    await scene.drain();
    const sent = scene.endpoints.callsTo(told.url).map(({ payload }) => payload.data.content);
    expect(sent).toEqual(contents);
  });

  it('end at once where the webhook is switched off or removed in the middle', async () => {
    for (const end of ['off', 'gone'] as const) {
      const told = await scene.createSubscriber();
      const params = { webhookId: told.webhook.id };
      scene.endpoints.setReply(told.url, async (_, before) => {
        if (before.length === 1 && end === 'gone') await told.client.webhooks.remove({ params });
        else if (before.length === 1) {
          await told.client.webhooks.update({ params, body: { status: 'paused' } });
        }
        return 200;
      });
      await storeMemories(told.client, 5);
      await scene.drain();
      expect(scene.endpoints.callsTo(told.url)).toHaveLength(2);
    }
  });

  it('go to the new address as soon as it is changed', async () => {
    const told = await scene.createSubscriber();
    const params = { webhookId: told.webhook.id };
    const url = 'https://moved.example.com/hook';
    scene.endpoints.setReply(told.url, async (_, before) => {
      if (before.length === 1) await told.client.webhooks.update({ params, body: { url } });
      return 200;
    });
    await storeMemories(told.client, 4);
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(2);
    expect(scene.endpoints.callsTo(url)).toHaveLength(2);
  });

  it('of other webhooks do not wait for one that never answers', async () => {
    const dead = await scene.createSubscriber();
    const alive = await scene.createSubscriber();
    const { opened, open } = createGate();
    scene.endpoints.setReply(dead.url, async () => {
      await opened;
      return 500;
    });
    await storeMemories(dead.client, 1);
    const contents = await storeMemories(alive.client, 3);
    const drained = scene.drain();
    await eventually(
      async () => scene.endpoints.callsTo(alive.url).length,
      (count) => count === contents.length,
    );
    expect((await listDeliveries(dead)).map(({ status }) => status)).toEqual(['pending']);
    open();
    await drained;
    expect((await listDeliveries(dead)).map(({ status }) => status)).toEqual(['retrying']);
  });
});
