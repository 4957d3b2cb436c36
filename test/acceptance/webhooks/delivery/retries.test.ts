import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../../support/service.ts';
import {
  type DeliveryService,
  getWebhook,
  listDeliveries,
  type Subscriber,
  startDeliveryService,
  storeMemories,
} from './delivery-service.ts';

const minute = 60_000;

describe.each(engines)('retries on %s', (engine) => {
  let scene: DeliveryService;
  beforeAll(async () => {
    scene = await startDeliveryService(engine);
  });
  afterAll(() => scene.service.stop());

  const failing = async (
    settings: Parameters<DeliveryService['createSubscriber']>[0] = {},
  ): Promise<Subscriber> => {
    const told = await scene.createSubscriber(settings);
    scene.endpoints.setReply(told.url, () => ({ status: 500, body: 'no' }));
    await storeMemories(told.client, 1);
    return told;
  };

  /** Goes to just before the next attempt may be due, and then past it; the delay in minutes. */
  const waitFor = async (told: Subscriber, minutes: number): Promise<void> => {
    const before = scene.endpoints.callsTo(told.url).length;
    scene.clock.advance(minutes * minute * 0.9 - 2_000);
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(before);
    scene.clock.advance(minutes * minute * 0.2 + 2_000);
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(before + 1);
  };

  it.each([
    ['standard', [1, 5, 30, 120, 1_440]],
    ['short', [1, 5, 30, 120, 480]],
  ] as const)(
    'of the %s schedule come after %j minutes, and the sixth failure disables',
    async (form, waits) => {
      const told = await failing({ retry_schedule: form, max_retries: 5 });
      await scene.drain();
      for (const [i, minutes] of waits.entries()) {
        expect(await listDeliveries(told)).toMatchObject([
          { status: 'retrying', attempt: i + 1, response_status: 500, response_body: 'no' },
        ]);
        expect(await getWebhook(told)).toMatchObject({ is_active: true, failure_count: i + 1 });
        await waitFor(told, minutes);
      }
      const calls = scene.endpoints.callsTo(told.url);
      expect(calls).toHaveLength(6);
      expect(new Set(calls.map(({ deliveryId }) => deliveryId)).size).toBe(1);
      expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
      const [delivery] = await listDeliveries(told);
      expect(delivery).toMatchObject({ status: 'failed', attempt: 6, next_retry_at: null });
      expect(await getWebhook(told)).toMatchObject({
        is_active: false,
        status: 'paused',
        disabled_reason: `Delivery ${delivery?.id} failed 6 times.`,
        failure_count: 6,
        failed_deliveries: 1,
        successful_deliveries: 0,
      });
    },
  );

  it('resume with what waited when a disabled webhook is switched on', async () => {
    const told = await failing({ max_retries: 5, retry_delay_seconds: 10 });
    for (let i = 0; i < 6; i += 1) {
      await scene.drain();
      scene.clock.advance(1_440 * minute);
    }
    expect(await getWebhook(told)).toMatchObject({ is_active: false });
    const [content] = await storeMemories(told.client, 1, 'samovar');
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(6);
    scene.endpoints.setReply(told.url, () => 204);
    const params = { webhookId: told.webhook.id };
    const webhook = await told.client.webhooks.update({ params, body: { enabled: true } });
    expect(webhook).toMatchObject({ is_active: true, disabled_reason: null, failure_count: 0 });
    await scene.drain();
    const calls = scene.endpoints.callsTo(told.url);
    expect(calls.slice(6).map(({ payload }) => payload.data.content)).toEqual([content]);
  });

  it('wait while the webhook is switched off', async () => {
    const told = await failing();
    await scene.drain();
    const params = { webhookId: told.webhook.id };
    await told.client.webhooks.update({ params, body: { is_active: false } });
    scene.clock.advance(10 * minute);
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(1);
    await told.client.webhooks.update({ params, body: { is_active: true } });
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(2);
  });

  it('end as failed after max_retries, and leave a webhook of fewer than six active', async () => {
    const told = await failing({ max_retries: 2 });
    await scene.drain();
    await waitFor(told, 1);
    await waitFor(told, 5);
    scene.clock.advance(3_000 * minute);
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(3);
    expect(await listDeliveries(told)).toMatchObject([{ status: 'failed', attempt: 3 }]);
    expect(await getWebhook(told)).toMatchObject({ is_active: true, failed_deliveries: 1 });
  });

  it('are none where max_retries is 0', async () => {
    const told = await failing({ max_retries: 0 });
    await scene.drain();
    expect(await listDeliveries(told)).toMatchObject([
      { status: 'failed', attempt: 1, error: 'The endpoint responded with status 500.' },
    ]);
  });

  it('come later where the endpoint asks for it', async () => {
    const told = await scene.createSubscriber();
    scene.endpoints.setReply(told.url, (_, before) =>
      before.length === 0 ? { status: 503, headers: { 'retry-after': '600' } } : 200,
    );
    await storeMemories(told.client, 1);
    await scene.drain();
    scene.clock.advance(9.9 * minute);
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(1);
    scene.clock.advance(0.2 * minute);
    await scene.drain();
    expect(await listDeliveries(told)).toMatchObject([{ status: 'success', attempt: 2 }]);
  });

  it('step out of the line: later events do not wait for them', async () => {
    const told = await scene.createSubscriber();
    scene.endpoints.setReply(told.url, (_, before) => (before.length === 0 ? 500 : 200));
    const contents = await storeMemories(told.client, 3);
    await scene.drain();
    scene.clock.advance(2 * minute);
    await scene.drain();
    const sent = scene.endpoints.callsTo(told.url).map(({ payload }) => payload.data.content);
    expect(sent).toEqual([...contents, contents[0]]);
    expect(await getWebhook(told)).toMatchObject({
      total_deliveries: 3,
      successful_deliveries: 3,
      failed_deliveries: 0,
      failure_count: 0,
    });
  });

  it('do not wait for a clock that was ahead and has gone back', async () => {
    const yearMs = 365 * 1_440 * minute;
    scene.clock.advance(yearMs);
    const told = await failing({ max_retries: 5 });
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(1);
    scene.clock.advance(-yearMs);
    const { db } = scene.service.running.context.app.engine;
    const lease_until = new Date(scene.clock.now().getTime() + yearMs);
    const held = { lease_until, leased_by: told.webhook.id };
    await db.updateTable('webhooks').set(held).where('id', '=', told.webhook.id).execute();
    await db
      .updateTable('webhook_deliveries')
      .set({ lease_until })
      .where('webhook_id', '=', told.webhook.id)
      .execute();
    scene.endpoints.setReply(told.url, () => 204);
    await storeMemories(told.client, 1, 'samovar');
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(3);
    expect(await getWebhook(told)).toMatchObject({ successful_deliveries: 2, failure_count: 0 });
  });

  it('send what was written at first, also when the memory is gone', async () => {
    const told = await failing();
    await scene.drain();
    const [before] = scene.endpoints.callsTo(told.url);
    const id = String(before?.payload.data.id);
    await told.client.memories.remove({ params: { id }, query: { soft: false } });
    scene.endpoints.setReply(told.url, () => 200);
    scene.clock.advance(2 * minute);
    await scene.drain();
    const again = scene.endpoints.callsTo(told.url).at(-1);
    expect(again).toMatchObject({ body: before?.body, deliveryId: before?.deliveryId });
    expect(Number(again?.headers['x-webhook-timestamp'])).toBeGreaterThan(
      Number(before?.headers['x-webhook-timestamp']),
    );
    expect(again?.headers['x-mneme-timestamp']).toBe(before?.headers['x-mneme-timestamp']);
  });
});
