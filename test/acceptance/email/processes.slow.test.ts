import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { type MailReceiver, startMailReceiver } from '../../support/mail-receiver.ts';
import { engines, type Service, serverEngine, startService } from '../../support/service.ts';

/** A test file must have a test: without a PostgreSQL server, these are skipped. */
const onServer = engines.includes(serverEngine);
const minuteMs = 60_000;

/** The embedded database belongs to one process. */
describe.runIf(onServer)('mail of two processes on PostgreSQL', () => {
  // A shared clock, since the clocks of two machines differ only slightly.
  const clock = createFakeClock();
  let receiver: MailReceiver;
  let first: Service;
  let second: Service;
  beforeAll(async () => {
    receiver = await startMailReceiver();
    const env = { MNEME_SMTP_URL: receiver.url, MNEME_EMAIL_DOMAIN: 'mail.test' };
    first = await startService(serverEngine, { env, overrides: { clock } });
    second = await startService(serverEngine, { env: shared(env), overrides: { clock } });
  });
  afterAll(async () => {
    await second.stop();
    await first.stop();
    await receiver[Symbol.asyncDispose]();
  });

  const shared = (env: Record<string, string>): Record<string, string> => ({
    ...env,
    MNEME_DATABASE_URL: first.config.databaseUrl ?? '',
    MNEME_SECRET_KEY: first.running.context.app.secretKey,
  });

  /** Both processes send all due mail concurrently. */
  async function drainBoth(): Promise<void> {
    const contexts = [first, second].map(({ running }) => running.context);
    await Promise.all(contexts.map(({ worker }) => worker.drain()));
    await Promise.all(contexts.map(({ mailer }) => mailer.drain()));
  }

  const reaction = (recipient: string) => ({
    name: 'told',
    triggerType: 'memory_created',
    emailSubjectTemplate: '{{content}}',
    emailBodyTemplate: '{{content}}',
    recipients: [recipient],
  });

  it('a digest is sent once for each of its periods', async () => {
    const { client } = await first.createAccount();
    const recipients = ['digest@example.com'];
    for (let i = 0; i < 5; i += 1) {
      const body = { name: `digest ${i}`, scheduleType: 'daily' as const, recipients };
      await client.email.createDigest({ body });
    }
    const days = 4;
    for (let day = 1; day <= days; day += 1) {
      clock.advance(24 * 60 * minuteMs);
      await drainBoth();
      await drainBoth();
      expect(receiver.receivedBy('digest@example.com')).toHaveLength(5 * day);
    }
  });

  it('the most of a day and the cooldown of a reaction hold for both together', async () => {
    const { client } = await first.createAccount();
    const capped = { ...reaction('capped@example.com'), maxPerDay: 3 };
    const cooling = { ...reaction('cooling@example.com'), name: 'cooling', cooldownMinutes: 60 };
    await client.email.createReaction({ body: capped });
    await client.email.createReaction({ body: cooling });
    for (let i = 0; i < 8; i += 1) {
      await client.memories.create({ body: { content: `memory ${i}` } });
      await drainBoth();
    }
    expect(receiver.receivedBy('capped@example.com')).toHaveLength(3);
    expect(receiver.receivedBy('cooling@example.com')).toHaveLength(1);
  });

  it('each event is told once', async () => {
    const { client } = await first.createAccount();
    await client.email.createReaction({ body: reaction('each@example.com') });
    const contents = Array.from({ length: 40 }, (_, i) => `memory ${i}`);
    await Promise.all(
      contents.map(async (content) => {
        await client.memories.create({ body: { content } });
        await drainBoth();
      }),
    );
    await drainBoth();
    const subjects = receiver.receivedBy('each@example.com').map(({ mail }) => mail.subject ?? '');
    expect(subjects.toSorted()).toEqual(contents.toSorted());
  });

  it('a mail whose process never came back with it is sent by another', async () => {
    const hanging = Promise.withResolvers<string>();
    let hung = 0;
    const third = await startService(serverEngine, {
      env: shared({}),
      overrides: {
        // Without timers: the process that never finishes must not send other mail.
        clock: { ...clock, after: () => ({ [Symbol.dispose]: () => {} }) },
        sendMail: () => {
          hung += 1;
          return hanging.promise;
        },
      },
    });
    try {
      const { client } = await first.createAccount();
      await client.email.createReaction({ body: reaction('hanging@example.com') });
      await client.memories.create({ body: { content: 'held' } });
      const held = third.running.context.mailer.drain();
      await eventually(
        async () => hung,
        (count) => count === 1,
      );
      await drainBoth();
      expect(receiver.receivedBy('hanging@example.com')).toEqual([]);
      clock.advance(6 * minuteMs);
      await drainBoth();
      expect(receiver.receivedBy('hanging@example.com')).toHaveLength(1);
      hanging.reject(new Error('too late'));
      await held;
      clock.advance(60 * minuteMs);
      await drainBoth();
      expect(receiver.receivedBy('hanging@example.com')).toHaveLength(1);
    } finally {
      hanging.reject(new Error('over'));
      await third.stop();
    }
  });
});
