import { type Client, operations } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceOverrides } from '../../../packages/server/src/context.ts';
import { systemClock } from '../../../packages/server/src/kernel/clock.ts';
import { eventually } from '../../support/eventually.ts';
import {
  allowSenders,
  getOrCreateAddress,
  postInboundMail,
  sendMail,
  spfDns,
  waitForProcessedMail,
} from '../../support/mail.ts';
import { type MailReceiver, startMailReceiver } from '../../support/mail-receiver.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const texts = {
  triggerType: 'memory_created',
  emailSubjectTemplate: '{{content}}',
  emailBodyTemplate: '{{content}}',
};
const never: Disposable = { [Symbol.dispose]: () => undefined };
/** Disables polling, so that only notifications trigger work. */
const withoutPolls = {
  ...systemClock,
  after: (ms: number, call: () => void) => (ms >= 1_000 ? never : systemClock.after(ms, call)),
};

describe.each(engines)('the mails that leave, as they are listed on %s,', (engine) => {
  let receiver: MailReceiver;
  let service: Service;
  beforeAll(async () => {
    receiver = await startMailReceiver();
    receiver.setRejection((recipient, at) => {
      if (at === 'rcpt') return recipient.startsWith('gone') ? 550 : null;
      return recipient.startsWith('busy') ? 451 : null;
    });
    service = await startService(engine, mailEnv(receiver));
  });
  afterAll(async () => {
    await service.stop();
    await receiver[Symbol.asyncDispose]();
  });

  const drain = async (): Promise<void> => {
    await service.running.context.worker.drain();
    await service.running.context.mailer.drain();
  };

  async function tell(client: Client, recipient: string): Promise<void> {
    const body = { ...texts, name: recipient, recipients: [recipient] };
    await client.email.createReaction({ body });
  }

  it('say what became of each, newest first', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    await allowSenders(client);
    for (const name of ['busy', 'gone', 'there']) await tell(client, `${name}@example.com`);
    await client.memories.create({ body: { content: 'Ana prefers tea.' } });
    await drain();
    const historyId = await ask(client, to);
    const { data, has_more } = await client.email.listOutbound();
    expect(has_more).toBe(false);
    expect(data[0]).toEqual({
      id: expect.any(String),
      kind: 'answer',
      historyId,
      recipient: 'ana@example.com',
      subject: 'Re: help',
      status: 'sent',
      attempts: 1,
      lastError: null,
      isRetryable: false,
      createdAt: expect.any(String),
      nextAttemptAt: null,
      sentAt: expect.any(String),
      history_id: historyId,
      attempt_count: 1,
      last_error: null,
      is_retryable: false,
      created_at: expect.any(String),
      next_attempt_at: null,
      sent_at: expect.any(String),
    });
    const rest = data.slice(1).toSorted((a, b) => (a.recipient < b.recipient ? -1 : 1));
    const expected = {
      kind: 'reaction',
      historyId: null,
      subject: 'Ana prefers tea.',
      attempts: 1,
    };
    const error = (code: number) => expect.stringContaining(String(code));
    const left = { sentAt: expect.any(String), nextAttemptAt: null, lastError: null };
    expect(rest).toMatchObject([
      { ...expected, status: 'queued', lastError: error(451), nextAttemptAt: expect.any(String) },
      { ...expected, status: 'bounced', lastError: error(550), nextAttemptAt: null, sentAt: null },
      { ...expected, status: 'sent', ...left },
    ]);
    const ids = data.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });

  it('are found by status and by recipient, in any case of letters', async () => {
    const { client } = await service.createAccount();
    for (const name of ['busy', 'there']) await tell(client, `${name}@example.com`);
    await client.memories.create({ body: { content: 'one' } });
    await client.memories.create({ body: { content: 'two' } });
    await drain();
    const { data: queued } = await client.email.listOutbound({ query: { status: 'queued' } });
    expect(queued.map(({ recipient }) => recipient)).toEqual(Array(2).fill('busy@example.com'));
    const recipient = 'There@Example.com';
    const { data: outbound } = await client.email.listOutbound({ query: { recipient } });
    expect(outbound.map(({ subject }) => subject).toSorted()).toEqual(['one', 'two']);
    const both = { recipient, status: 'failed' } as const;
    expect((await client.email.listOutbound({ query: both })).data).toEqual([]);
  });

  it('are paged by cursor, each once, and by no cursor of another filter', async () => {
    const { client } = await service.createAccount();
    await tell(client, 'there@example.com');
    const contents = Array.from({ length: 5 }, (_, i) => `memory ${i}`);
    for (const content of contents) await client.memories.create({ body: { content } });
    await drain();
    const subjects: (string | null)[] = [];
    const pages = client.paginate(operations.email.listOutbound, { query: { limit: 2 } });
    for await (const { subject } of pages) subjects.push(subject);
    expect(subjects).toEqual(contents.toReversed());
    const { next_cursor } = await client.email.listOutbound({ query: { limit: 2 } });
    const path = `/email/outbound?status=sent&cursor=${next_cursor}`;
    const refused = await client.request({ method: 'GET', path });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('are the own account’s, and tell a key of some spaces nothing of others', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    await allowSenders(client);
    const hidden = await client.spaces.create({ body: { name: 'hidden' } });
    await tell(client, 'there@example.com');
    await client.memories.create({ body: { content: 'secret', space_id: hidden.id } });
    await ask(client, to, 'store: secret @hidden');
    const shown = await ask(client, to);
    const limited = await client.keys.create({ body: { name: 'limited', space_ids: ['default'] } });
    const { data } = await service.client(limited.key).email.listOutbound();
    expect(data.filter(({ kind }) => kind === 'answer')).toMatchObject([{ historyId: shown }]);
    expect(data).toHaveLength(1);
    expect(JSON.stringify(data)).not.toContain('secret');
    await tell(service.client(limited.key), 'near@example.com');
    await client.memories.create({ body: { content: 'plain' } });
    await drain();
    const shownMails = (await service.client(limited.key).email.listOutbound()).data;
    expect(shownMails.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['reaction', 'plain'],
      ['answer', expect.any(String)],
    ]);
    const other = await service.createAccount();
    expect((await other.client.email.listOutbound()).data).toEqual([]);
  });

  let asked = 0;
  /** Sends a mail that causes a reply; returns its id in the history. */
  async function ask(client: Client, to: string, subject = 'help'): Promise<string> {
    asked += 1;
    const messageId = `<asked.${asked}@example.com>`;
    const lines = [`Message-ID: ${messageId}`, 'From: ana@example.com', `To: ${to}`];
    await postInboundMail(
      client,
      `${[...lines, `Subject: ${subject}`].join('\r\n')}\r\n\r\n`,
      '?verified=true',
    );
    await drain();
    const { id } = await waitForProcessedMail(client, messageId.slice(1, -1));
    await drain();
    return id;
  }
});

describe.each(engines)('a mail that leaves on %s', (engine) => {
  it('leaves as soon as it is queued, and not when it is looked for', async () => {
    await using receiver = await startMailReceiver();
    await using service = disposable(await startService(engine, mailEnv(receiver, withoutPolls)));
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    await allowSenders(client);
    await sendMail(service, { from: 'ana@example.com', to, subject: 'help' });
    await service.running.context.worker.drain();
    await eventually(
      async () => receiver.receivedBy('ana@example.com').length,
      (count) => count === 1,
    );
  });

  it('waits for no other that a server is slow with', async () => {
    await using receiver = await startMailReceiver();
    const slow = Promise.withResolvers<string>();
    const left: string[] = [];
    const sendMail: ServiceOverrides['sendMail'] = async ({ subject }) => {
      left.push(subject);
      return subject === 'slow' ? slow.promise : '250 taken';
    };
    await using service = disposable(
      await startService(engine, mailEnv(receiver, withoutPolls, { sendMail })),
    );
    const { client } = await service.createAccount();
    await client.email.createReaction({
      body: { ...texts, name: 'told', recipients: ['ana@example.com'] },
    });
    // From now on it is known that there is a reaction.
    await service.running.context.mailer.drain();
    for (const content of ['slow', 'one', 'two']) {
      await client.memories.create({ body: { content } });
      await eventually(
        async () => left,
        (subjects) => subjects.includes(content),
      );
    }
    slow.resolve('250 taken');
  });
});

const mailEnv = (receiver: MailReceiver, clock = systemClock, more: ServiceOverrides = {}) => ({
  env: {
    MNEME_SMTP_URL: receiver.url,
    MNEME_SMTP_PORT: '0',
    MNEME_EMAIL_DOMAIN: 'mail.test',
  },
  overrides: { resolveName: spfDns, clock, ...more },
});

const disposable = (service: Service): Service & AsyncDisposable => ({
  ...service,
  [Symbol.asyncDispose]: () => service.stop(),
});
