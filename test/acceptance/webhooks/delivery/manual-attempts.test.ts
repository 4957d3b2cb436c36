import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { engines, startService } from '../../../support/service.ts';
import {
  type DeliveryService,
  getWebhook,
  listDeliveries,
  type Subscriber,
  startDeliveryService,
  storeMemories,
} from './delivery-service.ts';
import { createFakeEndpoints, createGate } from './fake-endpoints.ts';

const minute = 60_000;

describe.each(engines)('deliveries by hand on %s', (engine) => {
  let scene: DeliveryService;
  beforeAll(async () => {
    scene = await startDeliveryService(engine);
  });
  afterAll(() => scene.service.stop());

  const retry = async (told: Subscriber, deliveryId: string) => {
    const path = `/webhooks/${told.webhook.id}/deliveries/${deliveryId}/retry`;
    return told.client.request({ method: 'POST', path });
  };

  describe('retry', () => {
    it('attempts a retrying one now, and leaves the next to the schedule', async () => {
      const told = await scene.createSubscriber();
      scene.endpoints.setReply(told.url, () => 500);
      await storeMemories(told.client, 1);
      await scene.drain();
      const [first] = await listDeliveries(told);
      expect(await retry(told, first?.id ?? '')).toMatchObject({
        status: 200,
        body: {
          success: false,
          response_status: 500,
          error: 'The endpoint responded with status 500.',
        },
      });
      expect(await listDeliveries(told)).toMatchObject([{ status: 'retrying', attempt: 2 }]);
      scene.endpoints.setReply(told.url, () => 200);
      expect(await retry(told, first?.id ?? '')).toMatchObject({
        body: { success: true, response_status: 200, error: null },
      });
      expect(await listDeliveries(told)).toMatchObject([
        { status: 'success', attempt: 3, next_retry_at: null },
      ]);
      expect(new Set(scene.endpoints.callsTo(told.url).map(({ body }) => body)).size).toBe(1);
    });

    it('of a failed one counts it once, whatever comes of it', async () => {
      const told = await scene.createSubscriber({ max_retries: 0 });
      scene.endpoints.setReply(told.url, () => 500);
      await storeMemories(told.client, 1);
      await scene.drain();
      const [failed] = await listDeliveries(told);
      await retry(told, failed?.id ?? '');
      expect(await listDeliveries(told)).toMatchObject([{ status: 'failed', attempt: 2 }]);
      expect(await getWebhook(told)).toMatchObject({
        failed_deliveries: 1,
        successful_deliveries: 0,
      });
      scene.endpoints.setReply(told.url, () => 200);
      await retry(told, failed?.id ?? '');
      expect(await getWebhook(told)).toMatchObject({
        failed_deliveries: 0,
        successful_deliveries: 1,
      });
    });

    it('is refused for one that succeeded, waits or is under way; else 404', async () => {
      const told = await scene.createSubscriber();
      await storeMemories(told.client, 1);
      await scene.drain();
      const [done] = await listDeliveries(told);
      expect(await retry(told, done?.id ?? '')).toMatchObject({
        status: 409,
        body: { error: 'conflict', message: expect.stringContaining('succeeded') },
      });
      expect(await retry(told, told.webhook.id)).toMatchObject({ status: 404 });
      const { opened, open } = createGate();
      scene.endpoints.setReply(told.url, async () => {
        await opened;
        return 500;
      });
      await storeMemories(told.client, 1, 'pan');
      const drained = scene.drain();
      const [waiting] = await eventually(
        () => listDeliveries(told),
        (all) => all.length === 2,
      );
      expect(await retry(told, waiting?.id ?? '')).toMatchObject({ status: 409 });
      open();
      await drained;
      const second = createGate();
      scene.endpoints.setReply(told.url, async () => {
        await second.opened;
        return 200;
      });
      scene.clock.advance(2 * minute);
      const calls = scene.endpoints.callsTo(told.url).length;
      const retried = scene.drain();
      await eventually(
        async () => scene.endpoints.callsTo(told.url).length,
        (count) => count > calls,
      );
      expect(await retry(told, waiting?.id ?? '')).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('in progress') },
      });
      second.open();
      await retried;
    });
  });

  describe('test', () => {
    it('sends a test event at once, and tells what was sent and answered', async () => {
      const told = await scene.createSubscriber({
        headers: { authorization: 'Bearer of the tenant' },
      });
      scene.endpoints.setReply(told.url, () => ({ status: 202, body: 'well' }));
      const params = { webhookId: told.webhook.id };
      const answer = await told.client.webhooks.test({ params, body: { event: 'space.created' } });
      expect(answer).toMatchObject({
        success: true,
        response_status: 202,
        response_body: 'well',
        response_time_ms: 7,
        error: null,
        payload: {
          event: 'webhook.test',
          data: { webhook_id: told.webhook.id, test: true, event_type: 'space.created' },
        },
        headers_sent: { 'x-webhook-event': 'webhook.test', authorization: '***' },
      });
      const [call] = scene.endpoints.callsTo(told.url);
      expect(call?.payload).toEqual(answer.payload);
      expect(call?.headers.authorization).toBe('Bearer of the tenant');
      expect(await listDeliveries(told)).toEqual([]);
      expect(await getWebhook(told)).toMatchObject({ total_deliveries: 0, failure_count: 0 });
    });

    it('tells the very headers that were sent, however time goes on', async () => {
      const { fetchOutside, callsTo } = createFakeEndpoints();
      // Each look at the clock is a second later than the one before; no timer fires.
      let looks = 0;
      const clock = createFakeClock(() => {
        looks += 1;
        return looks * 1_000;
      });
      const service = await startService(engine, { overrides: { clock, fetchOutside } });
      await using _ending = { [Symbol.asyncDispose]: () => service.stop() };
      const { client } = await service.createAccount();
      const url = 'https://endpoint.example.com/hook';
      const { id: webhookId } = await client.webhooks.create({ body: { url, events: ['*'] } });
      const { headers_sent } = await client.webhooks.test({ params: { webhookId } });
      expect(callsTo(url).map(({ headers }) => headers)).toEqual([headers_sent]);
    });

    it('tells of a secret that another key sealed as a delivery would', async () => {
      const { client, webhook } = await scene.createSubscriber();
      const { db } = scene.service.running.context.app.engine;
      await sql`update webhooks set secret = headers where id = ${webhook.id}::uuid`.execute(db);
      const params = { webhookId: webhook.id };
      expect(await client.webhooks.test({ params })).toMatchObject({
        success: false,
        error: 'The attempt failed with an internal error.',
        headers_sent: {},
      });
    });

    it('tells of a failure with 200, and refuses an event type that is none', async () => {
      const told = await scene.createSubscriber({ is_active: false });
      scene.endpoints.setReply(told.url, () => 404);
      const path = `/webhooks/${told.webhook.id}/test`;
      expect(await told.client.request({ method: 'POST', path })).toMatchObject({
        status: 200,
        body: {
          success: false,
          response_status: 404,
          error: 'The endpoint responded with status 404.',
        },
      });
      const body = { event_type: 'memory.exploded' };
      expect(await told.client.request({ method: 'POST', path, body })).toMatchObject({
        status: 400,
        body: { error: 'invalid_events' },
      });
    });
  });

  describe('replay', () => {
    const replay = async (told: Subscriber, body: Record<string, unknown>): Promise<unknown[]> => {
      const before = scene.endpoints.callsTo(told.url).length;
      const path = `/webhooks/${told.webhook.id}/replay`;
      const answer = await told.client.request({ method: 'POST', path, body });
      expect(answer).toMatchObject({ status: 202, body: { job_id: expect.any(String) } });
      await scene.service.running.context.worker.drain();
      await scene.drain();
      const calls = scene.endpoints.callsTo(told.url).slice(before);
      return calls.map(({ payload }) => payload.data.content ?? payload.data.name);
    };

    it('sends past events again in their order, as new deliveries of the same events', async () => {
      const told = await scene.createSubscriber({ events: ['memory.created', 'space.created'] });
      const since = scene.clock.now().toISOString();
      const contents = await storeMemories(told.client, 3);
      await told.client.spaces.create({ body: { name: 'cellar' } });
      await scene.drain();
      const first = scene.endpoints.callsTo(told.url);
      expect(await replay(told, { since })).toEqual([...contents, 'cellar']);
      const again = scene.endpoints.callsTo(told.url).slice(4);
      expect(again.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
      const ids = [...first, ...again].map(({ deliveryId }) => deliveryId);
      expect(new Set(ids).size).toBe(8);
      expect(await replay(told, { since, event_types: ['space.*'] })).toEqual(['cellar']);
      expect(await getWebhook(told)).toMatchObject({
        total_deliveries: 9,
        successful_deliveries: 9,
      });
    });

    it('keeps to its times, and to what the webhook is told of', async () => {
      const told = await scene.createSubscriber();
      const [before] = await storeMemories(told.client, 1, 'early');
      scene.clock.advance(10 * minute);
      const since = scene.clock.now().toISOString();
      const [within] = await storeMemories(told.client, 1, 'timely');
      scene.clock.advance(minute);
      const until = scene.clock.now().toISOString();
      scene.clock.advance(10 * minute);
      const [after] = await storeMemories(told.client, 1, 'late');
      await told.client.spaces.create({ body: { name: 'attic' } });
      await scene.drain();
      expect(await replay(told, { since, until })).toEqual([within]);
      expect(await replay(told, { since })).toEqual([within, after]);
      const long = { since: '2020-01-01T00:00:00Z', event_types: ['*'] };
      expect(await replay(told, long)).toEqual([before, within, after]);
    });

    it('of many events makes each of them one delivery, in its order', async () => {
      const told = await scene.createSubscriber({ is_active: false });
      const memories = Array.from({ length: 230 }, (_, i) => ({ content: `Replayed: ${i}.` }));
      for (let at = 0; at < memories.length; at += 100) {
        await told.client.memories.bulkCreate({ body: { memories: memories.slice(at, at + 100) } });
      }
      const params = { webhookId: told.webhook.id };
      const since = new Date(0);
      await told.client.webhooks.replay({ params, body: { since: since.toISOString() } });
      await scene.service.running.context.worker.drain();
      await told.client.webhooks.update({ params, body: { is_active: true } });
      await scene.drain();
      const sent = scene.endpoints.callsTo(told.url).map(({ payload }) => payload.data.content);
      const once = memories.map(({ content }) => content);
      // What was replayed stands in front of what waited in the outbox.
      expect(isDeepStrictEqual(sent, [...once, ...once])).toBe(true);
    });
  });

  describe('list', () => {
    it('filters by status, event type and time, newest first, in pages', async () => {
      const told = await scene.createSubscriber({ events: ['*'], max_retries: 0 });
      scene.endpoints.setReply(told.url, ({ payload }) =>
        payload.type === 'space.created' ? 500 : 200,
      );
      await storeMemories(told.client, 2);
      await told.client.spaces.create({ body: { name: 'porch' } });
      await scene.drain();
      const params = { webhookId: told.webhook.id };
      const list = (query: Record<string, string>) =>
        told.client.request({
          method: 'GET',
          path: `/webhooks/${params.webhookId}/deliveries?${new URLSearchParams(query)}`,
        });
      const types = async (query: Record<string, string>): Promise<unknown> => {
        const { body } = await list(query);
        return (body as { data: { event_type: string }[] }).data.map((one) => one.event_type);
      };
      const created = ['memory.created', 'memory.created'];
      expect(await types({})).toEqual(['space.created', ...created]);
      expect(await types({ status: 'failed' })).toEqual(['space.created']);
      expect(await types({ status: 'pending' })).toEqual([]);
      expect(await types({ event_type: 'memory.created' })).toEqual(created);
      const later = new Date(scene.clock.now().getTime() + 1_000).toISOString();
      expect(await types({ since: later })).toEqual([]);
      expect(await types({ until: later })).toHaveLength(3);
      expect(await list({ limit: '1', offset: '1' })).toMatchObject({
        body: { pagination: { total: 3, limit: 1, offset: 1, has_more: true } },
      });
      const [newest] = await listDeliveries(told);
      const one = { ...params, deliveryId: newest?.id ?? '' };
      expect(await told.client.webhooks.getDelivery({ params: one })).toEqual(newest);
    });

    it('forgets what ended 30 days ago, and keeps what is still to be sent', async () => {
      const ended = await scene.createSubscriber();
      const retrying = await scene.createSubscriber({
        retry_delay_seconds: 3_600,
        max_retries: 10,
      });
      scene.endpoints.setReply(retrying.url, () => 500);
      await storeMemories(ended.client, 2);
      await storeMemories(retrying.client, 1);
      await scene.drain();
      const { worker } = scene.service.running.context;
      scene.clock.advance(29 * 24 * 60 * minute);
      await worker.drain();
      expect(await listDeliveries(ended)).toHaveLength(2);
      scene.clock.advance(2 * 24 * 60 * minute);
      await worker.drain();
      // The job may be under way already, begun by the clock.
      await eventually(
        () => listDeliveries(ended),
        (left) => left.length === 0,
      );
      expect(await listDeliveries(retrying)).toMatchObject([{ status: 'retrying' }]);
    });
  });
});
