import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobSchedules } from '../../../packages/server/src/modules.ts';
import { type ProxiedNode, proxyNode } from '../../support/cluster-node.ts';
import { spfDns } from '../../support/mail.ts';
import { type MailReceiver, startMailReceiver } from '../../support/mail-receiver.ts';
import { isAvailable } from '../../support/requirements.ts';
import { type Service, startService } from '../../support/service.ts';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '../webhooks/delivery/webhook-receiver.ts';

const errorLevel = 50;
/** All scheduled jobs run, each with several statements, while others use the machine. */
const patient = { timeout: 60_000 };

describe.runIf(isAvailable('citus'))('while a node of the database does not respond', () => {
  const ending = new AsyncDisposableStack();
  let service: Service;
  let webhooks: WebhookReceiver;
  let mails: MailReceiver;
  let node: ProxiedNode;

  beforeAll(async () => {
    webhooks = ending.use(await startWebhookReceiver(() => 'takes'));
    mails = ending.use(await startMailReceiver());
    service = await startService('Citus', {
      extractsInBackground: true,
      env: {
        MNEME_WEBHOOK_ALLOW_HTTP: 'true',
        MNEME_WEBHOOK_ALLOW_PRIVATE: 'true',
        MNEME_SMTP_URL: mails.url,
        MNEME_EMAIL_DOMAIN: 'mail.test',
      },
      // Each of them runs while the node is lost.
      overrides: {
        schedules: jobSchedules.map(({ kind }) => ({ kind, everySeconds: 5 })),
        resolveName: spfDns,
      },
    });
    ending.defer(() => service.stop());
    node = ending.use(await proxyNode(service.config.databaseUrl ?? ''));
  });
  afterAll(() => ending.disposeAsync());

  /** An account with a webhook, and a mail for each memory that expires. */
  async function createAccount(isOnNode: boolean) {
    for (;;) {
      const { id, client } = await service.createAccount();
      if ((await node.has(id)) !== isOnNode) continue;
      const recipient = `${id}@example.com`;
      await client.webhooks.create({
        body: { url: `${webhooks.url}/${id}`, events: ['memory.created', 'memory.expired'] },
      });
      await client.email.createReaction({
        body: {
          name: 'expired',
          triggerType: 'memory.expired',
          emailSubjectTemplate: 'Expired',
          emailBodyTemplate: 'Expired',
          recipients: [recipient],
        },
      });
      return { id, client, recipient };
    }
  }
  type Account = Awaited<ReturnType<typeof createAccount>>;

  /** A text with facts, and a memory that expires soon. */
  async function store({ client }: Account, expiresInMs: number): Promise<void> {
    await client.memories.create({ body: { content: 'Clara Marsh works for Acme.' } });
    const expires_at = new Date(Date.now() + expiresInMs).toISOString();
    await client.memories.create({ body: { content: 'The code is 4711', expires_at } });
  }
  const received = ({ id }: Account): string[] => [
    ...new Set(
      webhooks.received
        .filter(({ path }) => path === `/${id}`)
        .map(({ body }) => (JSON.parse(body) as { type: string }).type),
    ),
  ];
  const names = async (client: Client): Promise<string[]> =>
    (await client.knowledge.entities()).entities.map(({ name }) => name);
  /** Everything that the background does for the account. */
  const done = async (account: Account) => ({
    webhooks: received(account),
    mails: mails.receivedBy(account.recipient).length,
    isRead: (await names(account.client)).includes('Clara Marsh'),
  });
  const everything = { webhooks: ['memory.created', 'memory.expired'], mails: 1, isRead: true };

  it('webhooks, mail, expiry and facts of other accounts go on, and its own follow', async () => {
    const lost = await createAccount(true);
    const other = await createAccount(false);
    service.running.context.extractionWorker.pause();
    await store(lost, 10_000);
    // What is in the middle of a delivery would wait for the end of its lease.
    await service.running.context.webhookSender.drain();
    expect(received(lost)).toEqual(['memory.created']);
    const firstLine = service.logLines.length;
    node.proxy.setMode('cut');
    service.running.context.extractionWorker.start();

    await expect(lost.client.memories.list()).rejects.toMatchObject({
      status: 503,
      code: 'service_unavailable',
      retryAfterSeconds: 5,
    });
    await store(other, 1_000);
    await expect.poll(() => done(other), patient).toEqual(everything);
    const lines = service.logLines
      .slice(firstLine)
      .map((line) => JSON.parse(line) as { level: number; msg: string });
    expect(lines.filter(({ level }) => level >= errorLevel)).toEqual([]);
    expect(lines.filter(({ msg }) => msg === 'database node unavailable')).toHaveLength(1);
    expect(received(lost)).toEqual(['memory.created']);
    expect(mails.receivedBy(lost.recipient)).toEqual([]);

    node.proxy.setMode('open');
    await expect.poll(() => done(lost).catch(() => null), patient).toEqual(everything);
  }, 180_000);
});
