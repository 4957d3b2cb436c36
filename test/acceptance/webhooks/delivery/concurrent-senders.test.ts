import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebhookSender } from '../../../../packages/server/src/domains/webhooks/index.ts';
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

const minute = 60_000;
/** As configured when nothing is. */
const slots = 16;

describe.each(engines)('several senders on %s', (engine) => {
  let scene: DeliveryService;
  beforeAll(async () => {
    scene = await startDeliveryService(engine);
  });
  afterAll(() => scene.service.stop());

  /** As another process on the same database has one. */
  const another = (): WebhookSender => new WebhookSender(scene.service.running.context.app);

  it('never make the same first attempt twice', async () => {
    const senders = [another(), another(), another()];
    const all = await Promise.all(Array.from({ length: 4 }, () => scene.createSubscriber()));
    for (const told of all) {
      scene.endpoints.setReply(told.url, (_, before) => (before.length % 3 === 0 ? 500 : 200));
    }
    const drainAll = () => Promise.all(senders.map((sender) => sender.drain()));
    const contents = await Promise.all(all.map((told) => storeMemories(told.client, 6)));
    await Promise.all([
      drainAll(),
      drainAll(),
      ...all.map((told) => storeMemories(told.client, 6, 'pan')),
    ]);
    await drainAll();
    for (const [i, told] of all.entries()) {
      const sent = scene.endpoints.callsTo(told.url).map(({ payload }) => payload.data.content);
      expect(sent).toHaveLength(12);
      expect(sent.slice(0, 6)).toEqual(contents[i]);
      expect(new Set(sent).size).toBe(12);
    }
  });

  it('never make the same retry twice', async () => {
    const told = await scene.createSubscriber();
    scene.endpoints.setReply(told.url, () => 500);
    await storeMemories(told.client, 8);
    await scene.drain();
    scene.clock.advance(2 * minute);
    await Promise.all([another(), another(), another()].map((sender) => sender.drain()));
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(16);
    const attempts = (await listDeliveries(told)).map(({ attempt }) => attempt);
    expect(attempts).toEqual(Array.from({ length: 8 }, () => 2));
  });

  it('take over in 60 seconds from one that stopped in the middle of an attempt', async () => {
    const told = await scene.createSubscriber();
    const never = createGate();
    scene.endpoints.setReply(told.url, async (_, before) => {
      if (before.length === 1) await never.opened;
      return 200;
    });
    const contents = await storeMemories(told.client, 3);
    const dead = another();
    const stuck = dead.drain();
    await eventually(
      async () => scene.endpoints.callsTo(told.url).length,
      (count) => count === 2,
    );
    scene.clock.advance(0.9 * minute);
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(2);
    scene.clock.advance(0.15 * minute);
    await scene.drain();
    const calls = scene.endpoints.callsTo(told.url);
    const sent = calls.map(({ payload }) => payload.data.content);
    expect(sent).toEqual([contents[0], contents[1], contents[1], contents[2]]);
    expect(calls[1]?.deliveryId).toBe(calls[2]?.deliveryId);
    never.open();
    await stuck;
    // The late answer counts no second time.
    expect(await getWebhook(told)).toMatchObject({ successful_deliveries: 3, total_deliveries: 3 });
  });

  it('renew the lease while a webhook takes its time for each of many', async () => {
    const told = await scene.createSubscriber();
    const other = another();
    let isAsked = false;
    scene.endpoints.setReply(told.url, async () => {
      if (isAsked) return 200;
      scene.clock.advance(25_000);
      isAsked = true;
      await other.drain();
      isAsked = false;
      return 200;
    });
    await storeMemories(told.client, 6);
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(6);
  });

  it('leave half of the slots to others when endpoints fail', async () => {
    const sender = another();
    const { opened, open } = createGate();
    const dead = await Promise.all(Array.from({ length: slots }, () => scene.createSubscriber()));
    for (const { url, client } of dead) {
      scene.endpoints.setReply(url, () => 500);
      await storeMemories(client, 1);
    }
    await sender.drain();
    for (const { url, client } of dead) {
      scene.endpoints.setReply(url, async () => {
        await opened;
        return 500;
      });
      await storeMemories(client, 1, 'pan');
    }
    const held = (): number =>
      dead.filter(({ url }) => scene.endpoints.callsTo(url).length === 2).length;
    const drained = sender.drain();
    await eventually(
      async () => held(),
      (count) => count === slots / 2,
    );
    const alive = await scene.createSubscriber();
    await storeMemories(alive.client, 3);
    const more = sender.drain();
    await eventually(
      async () => scene.endpoints.callsTo(alive.url).length,
      (count) => count === 3,
    );
    expect(held()).toBe(slots / 2);
    open();
    await Promise.all([drained, more]);
    await sender.drain();
    expect(held()).toBe(slots);
  });

  it('give up at a stop what hangs, and leave it as it was to the next', async () => {
    const told = await scene.createSubscriber();
    const never = createGate();
    scene.endpoints.setReply(told.url, async (_, before) => {
      if (before.length === 0) await never.opened;
      return 200;
    });
    const contents = await storeMemories(told.client, 2);
    const sender = another();
    void sender.drain();
    await eventually(
      async () => scene.endpoints.callsTo(told.url).length,
      (count) => count === 1,
    );
    const stopped = sender.stop();
    scene.clock.advance(1_000);
    await stopped;
    expect((await listDeliveries(told)).map(({ status, attempt }) => [status, attempt])).toEqual([
      ['pending', 0],
      ['pending', 0],
    ]);
    await scene.drain();
    const sent = scene.endpoints.callsTo(told.url).map(({ payload }) => payload.data.content);
    expect(sent).toEqual([contents[0], ...contents]);
  });

  it('send nothing while the database takes no record of it', async () => {
    const told = await scene.createSubscriber();
    await storeMemories(told.client, 1);
    const { app } = scene.service.running.context;
    const engine = Object.create(app.engine, { canWrite: { value: false } });
    await new WebhookSender({ ...app, engine }).drain();
    expect(scene.endpoints.callsTo(told.url)).toEqual([]);
    await scene.drain();
    expect(scene.endpoints.callsTo(told.url)).toHaveLength(1);
  });

  it('begin at once after a commit of their process, and by their poll after another', async () => {
    const told = await scene.createSubscriber();
    const sender = another();
    sender.start();
    scene.clock.advance(1_000);
    await sender.drain();
    await storeMemories(told.client, 1);
    scene.clock.advance(20);
    await eventually(
      async () => scene.endpoints.callsTo(told.url).length,
      (count) => count === 1,
    );
    await sender.stop();
    const polling = another();
    await storeMemories(told.client, 1, 'pan');
    polling.start();
    scene.clock.advance(1_000);
    await eventually(
      async () => scene.endpoints.callsTo(told.url).length,
      (count) => count === 2,
    );
    await polling.stop();
  });
});
