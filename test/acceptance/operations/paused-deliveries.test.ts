import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebhookSender } from '../../../packages/server/src/domains/webhooks/index.ts';
import { eventually } from '../../support/eventually.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import {
  type OutboundMailService,
  startOutboundMailService,
} from '../../support/outbound-mail-service.ts';
import { engines, type Service } from '../../support/service.ts';
import {
  type DeliveryService,
  getWebhook,
  listDeliveries,
  startDeliveryService,
  storeMemories,
} from '../webhooks/delivery/delivery-service.ts';
import { createGate } from '../webhooks/delivery/fake-endpoints.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

describe.each(engines)('webhook calls while deliveries are paused on %s', (engine) => {
  let scene: DeliveryService;
  beforeAll(async () => {
    scene = await startDeliveryService(engine);
  });
  afterAll(() => scene.service.stop());
  const { pause, resume } = operatorOf(() => scene.service);
  beforeEach(() => resume());

  it('are sent by no process, and after it once and in order', async () => {
    const told = await scene.createSubscriber();
    const others = [1, 2].map(() => new WebhookSender(scene.service.running.context.app));
    const drainAll = () => Promise.all([scene.drain(), ...others.map((one) => one.drain())]);
    const first = await storeMemories(told.client, 1, 'cup');
    await scene.drain();
    await pause();
    const contents = await storeMemories(told.client, 12);
    await drainAll();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(1);
    expect(await getWebhook(told)).toMatchObject({ failure_count: 0, failed_deliveries: 0 });
    await resume();
    await drainAll();
    const sent = scene.endpoints.callsTo(told.url).map(({ payload }) => payload.data.content);
    expect(sent).toEqual([...first, ...contents]);
    expect(await getWebhook(told)).toMatchObject({
      total_deliveries: 13,
      successful_deliveries: 13,
    });
  });

  it('stop after the call that is under way, also where an endpoint takes long', async () => {
    const told = await scene.createSubscriber();
    const { opened, open } = createGate();
    scene.endpoints.setReply(told.url, async (_, before) => {
      if (before.length < 9) return 200;
      await opened;
      return 200;
    });
    const contents = await storeMemories(told.client, 12);
    const drained = scene.drain();
    await eventually(
      async () => scene.endpoints.callsTo(told.url).length,
      (count) => count === 10,
    );
    await pause();
    scene.clock.advance(1_000);
    open();
    await drained;
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(10);
    expect(await getWebhook(told)).toMatchObject({ successful_deliveries: 10, failure_count: 0 });
    await resume();
    await scene.drain();
    const sent = scene.endpoints.callsTo(told.url).map(({ payload }) => payload.data.content);
    expect(sent).toEqual(contents);
  });

  it('that are retries wait as well, and no attempt is counted', async () => {
    const told = await scene.createSubscriber();
    scene.endpoints.setReply(told.url, () => 500);
    await storeMemories(told.client, 1);
    await scene.drain();
    await pause();
    scene.clock.advance(10 * minuteMs);
    await scene.drain();
    expect(await listDeliveries(told)).toMatchObject([{ status: 'retrying', attempt: 1 }]);
    scene.endpoints.setReply(told.url, () => 200);
    await resume();
    await scene.drain();
    expect(await listDeliveries(told)).toMatchObject([{ status: 'success', attempt: 2 }]);
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(2);
  });

  it('that a request asks for are refused with 409: a retry and a test', async () => {
    const told = await scene.createSubscriber();
    scene.endpoints.setReply(told.url, () => 500);
    await storeMemories(told.client, 1);
    await scene.drain();
    const [delivery] = await listDeliveries(told);
    await pause();
    const path = `/webhooks/${told.webhook.id}`;
    for (const verb of [`/deliveries/${delivery?.id}/retry`, '/test']) {
      expect(await told.client.request({ method: 'POST', path: path + verb })).toMatchObject({
        status: 409,
        body: { error: 'conflict', message: expect.stringContaining('paused deliveries') },
      });
    }
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(1);
  });

  it('lose no event, however long the pause is', async () => {
    const told = await scene.createSubscriber();
    await pause();
    const contents = await storeMemories(told.client, 3);
    const { worker } = scene.service.running.context;
    scene.clock.advance(40 * dayMs);
    await worker.drain();
    await resume();
    scene.clock.advance(2 * 60 * minuteMs);
    await worker.drain();
    await scene.drain();
    const sent = scene.endpoints.callsTo(told.url).map(({ payload }) => payload.data.content);
    expect(sent).toEqual(contents);
    scene.clock.advance(2 * dayMs);
    await worker.drain();
    expect((await told.client.events.list()).data).toEqual([]);
  });
});

describe.each(engines)('mail while deliveries are paused on %s', (engine) => {
  let mailing: OutboundMailService;
  let service: Service;
  let clock: FakeClock;
  beforeAll(async () => {
    mailing = await startOutboundMailService(engine, {});
    ({ service, clock } = mailing);
  });
  afterAll(() => mailing[Symbol.asyncDispose]());
  const { pause, resume } = operatorOf(() => service);
  beforeEach(() => resume());

  const recipient = (name: string) => `${name}.${engine.toLowerCase()}@example.com`;
  /** Does what is due, and returns the subjects of what went there so far. */
  async function sent(to: string): Promise<(string | undefined)[]> {
    await service.running.context.worker.drain();
    await service.running.context.mailer.drain();
    return mailing.receiver.receivedBy(to).map(({ mail }) => mail.subject);
  }

  it('of a reaction is queued, and leaves once after it', async () => {
    const { client } = await service.createAccount();
    const to = recipient('reader');
    const templates = { emailSubjectTemplate: '{{memory.content}}', emailBodyTemplate: 'x' };
    const body = { name: 'told', triggerType: 'memory_created', recipients: [to], ...templates };
    await client.email.createReaction({ body });
    await pause();
    const contents = await storeMemories(client, 3);
    expect(await sent(to)).toEqual([]);
    clock.advance(3 * minuteMs);
    expect(await sent(to)).toEqual([]);
    const { data } = await client.email.listOutbound({ query: {} });
    expect(data).toMatchObject([1, 2, 3].map(() => ({ status: 'queued', attempts: 0 })));
    await resume();
    expect((await sent(to)).toSorted()).toEqual(contents);
    expect(await sent(to)).toHaveLength(3);
  });

  it('of a digest is one for all periods that were missed', async () => {
    const { client } = await service.createAccount();
    const to = recipient('weekly');
    const body = { name: 'The day', scheduleType: 'daily' as const, recipients: [to] };
    await client.email.createDigest({ body });
    await pause();
    for (const [i] of [1, 2, 3].entries()) {
      await client.memories.create({ body: { content: `on day ${i}` } });
      clock.advance(dayMs);
      expect(await sent(to)).toEqual([]);
    }
    await resume();
    clock.advance(2 * minuteMs);
    expect(await sent(to)).toEqual(['The day: 3 new']);
    clock.advance(dayMs);
    expect(await sent(to)).toEqual(['The day: 3 new', 'The day: nothing new']);
  });
});

describe.each(engines)('pausing deliveries on %s', (engine) => {
  let scene: DeliveryService;
  beforeAll(async () => {
    scene = await startDeliveryService(engine);
  });
  afterAll(() => scene.service.stop());
  const { pause, resume } = operatorOf(() => scene.service);

  const checkOf = async () => {
    const { operations, admin } = scene.service.operator();
    const [health, diagnosis] = [await operations.health(), await admin.getDiagnosis()];
    expect(health.status).toBe('ok');
    expect(diagnosis.checks.deliveries).toEqual(health.checks.deliveries);
    return health.checks.deliveries;
  };

  it('is shown by health and diagnosis with how to resume, and changes nothing twice', async () => {
    expect(await checkOf()).toEqual({ ok: true });
    const paused = await pause();
    scene.clock.advance(minuteMs);
    expect(await pause()).toEqual(paused);
    expect(await checkOf()).toEqual({
      ok: true,
      detail: expect.stringMatching(`${paused.paused_at}.*mneme resume-deliveries`),
    });
    for (const _ of [1, 2]) expect(await resume()).toEqual({ paused: false, paused_at: null });
    expect(await checkOf()).toEqual({ ok: true });
    const { data } = await scene.service.operator().account.audit({ query: { limit: 2 } });
    expect(data.map(({ action, details }) => [action, details])).toEqual([
      ['deliveries.resumed', {}],
      ['deliveries.paused', { paused_at: paused.paused_at }],
    ]);
  });

  it('is the operator’s', async () => {
    const { client } = await scene.service.createAccount();
    for (const verb of ['pause', 'resume']) {
      const path = `/admin/deliveries/${verb}`;
      expect(await client.request({ method: 'POST', path })).toMatchObject({ status: 403 });
    }
    expect(await checkOf()).toEqual({ ok: true });
  });
});

function operatorOf(service: () => Service) {
  return {
    pause: () => service().operator().admin.pauseDeliveries(),
    resume: () => service().operator().admin.resumeDeliveries(),
  };
}
