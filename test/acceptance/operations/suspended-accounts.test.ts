import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebhookSender } from '../../../packages/server/src/domains/webhooks/index.ts';
import { eventually } from '../../support/eventually.ts';
import { allowSenders, getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import {
  type OutboundMailService,
  startOutboundMailService,
} from '../../support/outbound-mail-service.ts';
import { engines, type Service } from '../../support/service.ts';
import {
  type DeliveryService,
  getWebhook,
  listDeliveries,
  type Subscriber,
  startDeliveryService,
  storeMemories,
} from '../webhooks/delivery/delivery-service.ts';
import { createGate } from '../webhooks/delivery/fake-endpoints.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const stale = 'not sent: more than a day old when the suspension of the account ended';

const suspending = (service: () => Service) => {
  const set = (suspended: boolean) => (id: string) =>
    service().operator().admin.updateAccount({ params: { id }, body: { suspended } });
  return { suspend: set(true), resume: set(false) };
};

describe.each(engines)('webhook calls of a suspended account on %s', (engine) => {
  let scene: DeliveryService;
  beforeAll(async () => {
    scene = await startDeliveryService(engine);
  });
  afterAll(() => scene.service.stop());
  const { suspend, resume } = suspending(() => scene.service);
  const sentTo = ({ url }: Subscriber) =>
    scene.endpoints.callsTo(url).map(({ payload }) => payload.data.content);

  it('are not sent, and after it in order; other accounts are not affected', async () => {
    const [told, other] = [await scene.createSubscriber(), await scene.createSubscriber()];
    const contents = await storeMemories(told.client, 3);
    await suspend(told.account.id);
    const others = await storeMemories(other.client, 2, 'cup');
    scene.clock.advance(2 * hourMs);
    await scene.drain();
    expect(sentTo(told)).toEqual([]);
    expect(sentTo(other)).toEqual(others);
    await resume(told.account.id);
    await scene.drain();
    expect(sentTo(told)).toEqual(contents);
    expect(await getWebhook(told)).toMatchObject({ successful_deliveries: 3, failure_count: 0 });
  });

  it('stop after the call that is under way', async () => {
    const told = await scene.createSubscriber();
    const { opened, open } = createGate();
    scene.endpoints.setReply(told.url, async (_, before) => {
      if (before.length >= 2) await opened;
      return 200;
    });
    const contents = await storeMemories(told.client, 5);
    const drained = scene.drain();
    await eventually(
      async () => scene.endpoints.callsTo(told.url).length,
      (count) => count === 3,
    );
    await suspend(told.account.id);
    scene.clock.advance(1_000);
    open();
    await drained;
    expect(sentTo(told)).toEqual(contents.slice(0, 3));
    await resume(told.account.id);
    await scene.drain();
    expect(sentTo(told)).toEqual(contents);
  });

  it('that are retries wait, and count no attempt', async () => {
    const told = await scene.createSubscriber();
    scene.endpoints.setReply(told.url, () => 500);
    await storeMemories(told.client, 1);
    await scene.drain();
    await suspend(told.account.id);
    scene.endpoints.setReply(told.url, () => 200);
    scene.clock.advance(2 * hourMs);
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(1);
    await resume(told.account.id);
    await scene.drain();
    expect(await listDeliveries(told)).toMatchObject([{ status: 'success', attempt: 2 }]);
  });

  it('of what is then older than a day fail, and can be retried by hand', async () => {
    const told = await scene.createSubscriber();
    scene.endpoints.setReply(told.url, () => 500);
    const [retried = ''] = await storeMemories(told.client, 1, 'pan');
    await scene.drain();
    scene.endpoints.setReply(told.url, () => 200);
    await storeMemories(told.client, 2, 'pot');
    scene.clock.advance(6 * hourMs);
    const young = await storeMemories(told.client, 2, 'cup');
    await suspend(told.account.id);
    scene.clock.advance(dayMs - hourMs);
    await resume(told.account.id);
    await scene.drain();
    expect(sentTo(told)).toEqual([retried, ...young]);
    const deliveries = await listDeliveries(told);
    expect(deliveries.map(({ status, error }) => [status, error])).toEqual([
      ['success', null],
      ['success', null],
      ['failed', stale],
      ['failed', stale],
      ['failed', stale],
    ]);
    const counts = { total_deliveries: 5, successful_deliveries: 2, failed_deliveries: 3 };
    expect(await getWebhook(told)).toMatchObject({ ...counts, failure_count: 0, status: 'active' });
    const params = { webhookId: told.webhook.id, deliveryId: deliveries[2]?.id ?? '' };
    expect(await told.client.webhooks.retryDelivery({ params })).toMatchObject({ success: true });
    expect(sentTo(told)).toHaveLength(4);
  });

  it('are sent by no process, and after a month of it only what is young', async () => {
    const told = await scene.createSubscriber();
    const others = [1, 2].map(() => new WebhookSender(scene.service.running.context.app));
    const drainAll = () => Promise.all([scene.drain(), ...others.map((one) => one.drain())]);
    await storeMemories(told.client, 130, 'pot');
    scene.clock.advance(2 * dayMs);
    const young = await storeMemories(told.client, 12, 'cup');
    await suspend(told.account.id);
    await drainAll();
    expect(sentTo(told)).toEqual([]);
    await resume(told.account.id);
    await drainAll();
    expect(sentTo(told)).toEqual(young);
    await storeMemories(told.client, 3, 'pan');
    await suspend(told.account.id);
    scene.clock.advance(40 * dayMs);
    await scene.service.running.context.worker.drain();
    await drainAll();
    await resume(told.account.id);
    const last = await storeMemories(told.client, 1, 'jug');
    await drainAll();
    expect(sentTo(told)).toEqual([...young, ...last]);
    expect(await getWebhook(told)).toMatchObject({ status: 'active', disabled_reason: null });
  });

  it('that a replay asks for are refused, and requested again after it', async () => {
    const told = await scene.createSubscriber();
    const contents = await storeMemories(told.client, 2);
    await scene.drain();
    scene.clock.advance(3 * dayMs);
    const { worker } = scene.service.running.context;
    const replay = async () => {
      const params = { webhookId: told.webhook.id };
      const body = { since: new Date(scene.clock.now().getTime() - 7 * dayMs).toISOString() };
      return (await told.client.webhooks.replay({ params, body })).job_id;
    };
    const job = (id: string) => told.client.jobs.get({ params: { id } });
    const during = await replay();
    await suspend(told.account.id);
    await worker.drain();
    await resume(told.account.id);
    expect(await job(during)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('is suspended'),
    });
    const across = await replay();
    await suspend(told.account.id);
    await resume(told.account.id);
    await worker.drain();
    await scene.drain();
    expect(await job(across)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('request the replay again'),
    });
    expect(sentTo(told)).toEqual(contents);
    expect(await job(await replay())).toMatchObject({ status: 'queued' });
    await worker.drain();
    await scene.drain();
    expect(sentTo(told)).toEqual([...contents, ...contents]);
  });

  it('end with the account: after its deletion none is sent', async () => {
    const told = await scene.createSubscriber();
    await storeMemories(told.client, 2);
    const params = { id: told.account.id };
    await scene.service.operator().admin.deleteAccount({ params, query: { confirm: true } });
    await scene.drain();
    expect(sentTo(told)).toEqual([]);
  });
});

describe.each(engines)('mail of a suspended account on %s', (engine) => {
  let mailing: OutboundMailService;
  beforeAll(async () => {
    mailing = await startOutboundMailService(engine, {});
  });
  afterAll(() => mailing[Symbol.asyncDispose]());
  const { suspend, resume } = suspending(() => mailing.service);

  const recipient = (name: string) => `${name}.suspended.${engine.toLowerCase()}@example.com`;
  async function sent(to: string): Promise<(string | undefined)[]> {
    const { worker, mailer } = mailing.service.running.context;
    await worker.drain();
    await mailer.drain();
    return mailing.receiver.receivedBy(to).map(({ mail }) => mail.subject);
  }

  it('of a reaction leaves after it, but for what is older than a day', async () => {
    const { id, client } = await mailing.service.createAccount();
    const to = recipient('reader');
    const templates = { emailSubjectTemplate: '{{memory.content}}', emailBodyTemplate: 'x' };
    const body = { name: 'told', triggerType: 'memory_created', recipients: [to], ...templates };
    await client.email.createReaction({ body });
    const old = await storeMemories(client, 2, 'pot');
    await suspend(id);
    expect(await sent(to)).toEqual([]);
    await resume(id);
    expect((await sent(to)).toSorted()).toEqual(old);
    await storeMemories(client, 1, 'pan');
    await suspend(id);
    mailing.clock.advance(dayMs + hourMs);
    await resume(id);
    const young = await storeMemories(client, 1, 'cup');
    expect((await sent(to)).toSorted()).toEqual([...old, ...young].toSorted());
    const { data } = await client.email.listOutbound({ query: { status: 'failed' } });
    expect(data).toMatchObject([{ subject: 'The pan number 0 boils.', lastError: stale }]);
    const [reaction] = (await client.email.listReactions()).data;
    expect(reaction).toMatchObject({ sentToday: 1 });
  });

  it('that answers a mail waits for the end of the suspension', async () => {
    const { id, client } = await mailing.service.createAccount();
    const address = await getOrCreateAddress(client);
    await allowSenders(client);
    const from = recipient('asks');
    const raw = `From: ${from}\r\nTo: ${address}\r\nSubject: help\r\n\r\n`;
    await postInboundMail(client, raw, `?verified=true&recipient=${address}`);
    await suspend(id);
    expect(await sent(from)).toEqual([]);
    await resume(id);
    expect(await sent(from)).toEqual(['Re: help']);
  });

  it('that was queued and is older than a day is listed as failed, with the reason', async () => {
    const { id, client } = await mailing.service.createAccount();
    const address = await getOrCreateAddress(client);
    await allowSenders(client);
    const from = recipient('late');
    const raw = `From: ${from}\r\nTo: ${address}\r\nSubject: help\r\n\r\n`;
    await postInboundMail(client, raw, `?verified=true&recipient=${address}`);
    await suspend(id);
    // The worker writes the answer, and nobody takes it.
    expect(await sent(from)).toEqual([]);
    mailing.clock.advance(dayMs + hourMs);
    await resume(id);
    expect(await sent(from)).toEqual([]);
    const { data } = await client.email.listOutbound({ query: {} });
    expect(data).toMatchObject([{ status: 'failed', lastError: stale, attempts: 0 }]);
    expect(data).toMatchObject([{ kind: 'answer', nextAttemptAt: null }]);
  });

  it('of a digest is one for all periods that were missed', async () => {
    const { id, client } = await mailing.service.createAccount();
    const to = recipient('daily');
    const body = { name: 'The day', scheduleType: 'daily' as const, recipients: [to] };
    await client.email.createDigest({ body });
    await storeMemories(client, 2);
    await suspend(id);
    for (const _ of [1, 2, 3]) {
      mailing.clock.advance(dayMs);
      expect(await sent(to)).toEqual([]);
    }
    await resume(id);
    mailing.clock.advance(2 * 60_000);
    expect(await sent(to)).toEqual(['The day: 2 new']);
    mailing.clock.advance(dayMs);
    expect(await sent(to)).toEqual(['The day: 2 new', 'The day: nothing new']);
  });

  it('of a digest that was requested before is refused; the next one has its content', async () => {
    const { id, client } = await mailing.service.createAccount();
    const to = recipient('now');
    const body = { name: 'The day', scheduleType: 'daily' as const, recipients: [to] };
    const digest = await client.email.createDigest({ body });
    await storeMemories(client, 2);
    const { job_id: jobId } = await client.email.sendDigest({ params: { id: digest.id } });
    await suspend(id);
    expect(await sent(to)).toEqual([]);
    await resume(id);
    expect(await client.jobs.get({ params: { id: jobId } })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('is suspended'),
    });
    mailing.clock.advance(dayMs);
    expect(await sent(to)).toEqual(['The day: 2 new']);
  });
});
