import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeClock } from '../../support/fake-clock.ts';
import {
  allowSenders,
  getOrCreateAddress,
  SmtpConversation,
  sendMail,
  smtpPortOf,
  waitForProcessedMail,
} from '../../support/mail.ts';
import type { MailReceiver } from '../../support/mail-receiver.ts';
import {
  type OutboundMailService,
  startOutboundMailService,
} from '../../support/outbound-mail-service.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const reaction = {
  name: 'told',
  triggerType: 'memory_created',
  emailSubjectTemplate: '{{content}}',
  emailBodyTemplate: '{{content}}',
};

describe.each(oneEngine)('mail that leaves on %s', (engine) => {
  /** Part of addresses, which are stored in lower case. */
  const on = engine.toLowerCase();
  let service: Service;
  let receiver: MailReceiver;
  let clock: FakeClock;
  let mailing: OutboundMailService;
  beforeAll(async () => {
    mailing = await startOutboundMailService(engine, {
      MNEME_SMTP_PORT: '0',
      MNEME_EMAIL_DOMAIN: 'mail.test',
    });
    ({ service, receiver, clock } = mailing);
  });
  afterAll(() => mailing[Symbol.asyncDispose]());

  const drain = async (): Promise<void> => {
    await service.running.context.worker.drain();
    await service.running.context.mailer.drain();
  };
  const subjectsTo = (recipient: string) =>
    receiver.receivedBy(recipient).map(({ mail }) => mail.subject);

  /** A new account with a reaction that sends its memories to one recipient. */
  async function telling(recipient: string): Promise<Client> {
    const { client } = await service.createAccount();
    await client.email.createReaction({ body: { ...reaction, recipients: [recipient] } });
    return client;
  }

  it('an answer goes into the thread of what it answers, and comes back to nobody', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    await allowSenders(client);
    const from = `ana.${on}@example.com`;
    const mail = {
      from,
      to,
      subject: 'help',
      text: '',
      messageId: `<help.${on}@example.com>`,
      references: ['<first@example.com>'],
    };
    const id = await sendMail(service, mail);
    await drain();
    expect(await waitForProcessedMail(client, id)).toMatchObject({ status: 'completed' });
    await drain();
    const [answer, ...others] = receiver.receivedBy(from);
    expect(others).toEqual([]);
    expect(answer?.from).toBe('');
    expect(answer?.mail).toMatchObject({
      subject: 'Re: help',
      inReplyTo: `<help.${on}@example.com>`,
      references: ['<first@example.com>', `<help.${on}@example.com>`],
    });
    expect(answer?.mail.from?.value[0]?.address).toBe('no-reply@mail.test');
    expect(answer?.mail.replyTo?.value[0]?.address).toBe(to);
    expect(answer?.raw).toMatch(/^Auto-Submitted: auto-replied\r$/m);
    expect(answer?.mail.messageId).toMatch(/^<[0-9a-f-]{36}@mail\.test>$/);
  });

  it('what is refused for now is tried again, later each time', async () => {
    const recipient = `greylisted.${on}@example.com`;
    const client = await telling(recipient);
    const seen: string[] = [];
    receiver.setRejection((one, at) => {
      if (one !== recipient || at !== 'data') return null;
      seen.push(one);
      return seen.length < 3 ? 451 : null;
    });
    await client.memories.create({ body: { content: 'third time' } });
    await drain();
    expect(seen).toHaveLength(1);
    await drain();
    expect(seen).toHaveLength(1);
    clock.advance(1.2 * 60_000);
    await drain();
    expect(seen).toHaveLength(2);
    clock.advance(2 * 60_000);
    await drain();
    expect(seen).toHaveLength(2);
    clock.advance(4 * 60_000);
    await drain();
    expect(subjectsTo(recipient)).toEqual(['third time']);
    clock.advance(48 * hourMs);
    await drain();
    expect(subjectsTo(recipient)).toEqual(['third time']);
    expect((await client.email.listSuppressions()).data).toEqual([]);
  });

  it('what no attempt takes over is given up after two days', async () => {
    const recipient = `silent.${on}@example.com`;
    const client = await telling(recipient);
    let attempts = 0;
    receiver.setRejection((one, at) => {
      if (one !== recipient || at !== 'rcpt') return null;
      attempts += 1;
      return 450;
    });
    await client.memories.create({ body: { content: 'never' } });
    for (let i = 0; i < 12; i += 1) {
      await drain();
      clock.advance(27 * hourMs);
    }
    expect(attempts).toBe(8);
    expect((await client.email.listSuppressions()).data).toEqual([]);
  });

  it('an address that is refused for good gets no more, and others do', async () => {
    const recipient = `gone.${on}@example.com`;
    const client = await telling(recipient);
    const other = `there.${on}@example.com`;
    await client.email.createReaction({
      body: { ...reaction, name: 'other', recipients: [other] },
    });
    let attempts = 0;
    receiver.setRejection((one, at) => {
      if (one !== recipient || at !== 'rcpt') return null;
      attempts += 1;
      return 550;
    });
    await client.memories.create({ body: { content: 'one' } });
    await drain();
    const { data } = await client.email.listSuppressions();
    expect(data).toEqual([
      {
        email: recipient,
        reason: 'bounce',
        detail: expect.stringContaining('550'),
        createdAt: expect.any(String),
        created_at: expect.any(String),
      },
    ]);
    await client.memories.create({ body: { content: 'two' } });
    clock.advance(48 * hourMs);
    await drain();
    expect(attempts).toBe(1);
    expect(subjectsTo(other)).toEqual(['one', 'two']);
  });

  it('a mail that is refused for what it says is no fault of the address', async () => {
    const recipient = `picky.${on}@example.com`;
    const client = await telling(recipient);
    receiver.setRejection((one, at) => (one === recipient && at === 'data' ? 554 : null));
    await client.memories.create({ body: { content: 'one' } });
    await drain();
    receiver.setRejection(() => null);
    clock.advance(48 * hourMs);
    await client.memories.create({ body: { content: 'two' } });
    await drain();
    expect(subjectsTo(recipient)).toEqual(['two']);
    expect((await client.email.listSuppressions()).data).toEqual([]);
  });

  /** Sends a failure report to a return path; returns the replies to RCPT and to the mail. */
  async function bounce(to: string, recipient: string, sender = ''): Promise<string> {
    await using talk = new SmtpConversation(smtpPortOf(service));
    await talk.readReply();
    await talk.sendLine('EHLO relay.example');
    await talk.sendLine(`MAIL FROM:<${sender}>`);
    const reply = await talk.sendLine(`RCPT TO:<${to}>`);
    if (!reply.startsWith('250')) return reply;
    await talk.sendLine('DATA');
    return await talk.sendLine(`${bounceOf({ to, recipient, n: receiver.received.length })}\r\n.`);
  }

  it('a mail that comes back to its return path ends further ones', async () => {
    const recipient = `bouncing.${on}@example.com`;
    const client = await telling(recipient);
    const to = await getOrCreateAddress(client);
    await client.memories.create({ body: { content: 'one' } });
    await drain();
    const [left] = receiver.receivedBy(recipient);
    expect(left?.raw).not.toContain(to);
    const path = left?.from ?? '';
    // An unsigned address is unknown, and a report to the account's own address has no effect.
    expect(
      await bounce(path.replace(/.@/, 'a@').replace('bounce-', 'bounce-a'), recipient),
    ).toMatch(/^550 /);
    expect(await bounce(to, recipient)).toMatch(/^250 /);
    await drain();
    expect((await client.email.listSuppressions()).data).toEqual([]);
    expect(await bounce(path.toUpperCase(), recipient)).toMatch(/^250 /);
    await drain();
    const { data } = await client.email.listSuppressions();
    expect(data).toMatchObject([{ email: recipient, reason: 'bounce' }]);
    await client.memories.create({ body: { content: 'two' } });
    await drain();
    expect(subjectsTo(recipient)).toEqual(['one']);
    expect(await bounce(path, recipient)).toMatch(/^550 /);
  });

  it('a return path takes bounces alone, for two weeks, and stores or runs nothing', async () => {
    const recipient = `path.${on}@example.com`;
    const client = await telling(recipient);
    await allowSenders(client);
    await client.memories.create({ body: { content: 'The safe opens with 4411.' } });
    await drain();
    const path = receiver.receivedBy(recipient)[0]?.from ?? '';
    expect(await bounce(path, recipient, 'ana@example.com')).toMatch(/^550 .*no sender/);
    const mail = { envelope: { from: '', to: path }, from: 'ana@example.com', to: path };
    for (const subject of ['search: safe', 'stop', 'store: planted', 'forget: safe']) {
      await sendMail(service, { ...mail, subject, text: subject });
    }
    await drain();
    expect((await client.memories.list()).data).toHaveLength(1);
    expect(receiver.receivedBy('ana@example.com')).toEqual([]);
    expect((await client.email.listSuppressions()).data).toEqual([]);
    const { data } = await client.email.listHistory();
    expect(data.map(({ parsedIntent }) => parsedIntent)).toEqual(Array(4).fill(null));
    const large = { ...mail, subject: 'large', text: 'x '.repeat(600_000) };
    await expect(sendMail(service, large)).rejects.toMatchObject({ responseCode: 552 });
    clock.advance(16 * 24 * hourMs);
    expect(await bounce(path, recipient)).toMatch(/^550 /);
  });

  it('an unsubscribe address works from anywhere, and for its recipient alone', async () => {
    const recipient = `leaving.${on}@example.com`;
    const client = await telling(recipient);
    const other = `staying.${on}@example.com`;
    const body = { ...reaction, name: 'other', recipients: [other] };
    await client.email.createReaction({ body });
    await allowSenders(client, 'nobody@else.example');
    await client.account.update({ body: { settings: { email: { accept_unknown: 'reject' } } } });
    await client.memories.create({ body: { content: 'one' } });
    await drain();
    const header = receiver.receivedBy(recipient)[0]?.raw.replaceAll(/\r\n[ \t]+/g, ' ') ?? '';
    const [, to = ''] = /^List-Unsubscribe: .*<mailto:([^>?]+)\?/m.exec(header) ?? [];
    expect(to).toMatch(/^unsub-[a-z2-7]{55}@mail\.test$/);
    const mail = { from: 'another@program.example', subject: 'search: one', text: 'search: one' };
    const forged = to.replace(/^unsub-./, (start) => (start === 'unsub-a' ? 'unsub-b' : 'unsub-a'));
    await expect(sendMail(service, { ...mail, to: forged })).rejects.toMatchObject({
      responseCode: 550,
    });
    const codes = new Set<number>();
    // All within one minute of the rate limit.
    clock.advance(minuteMs - (clock.now().getTime() % minuteMs));
    for (let i = 0; i < 12; i += 1) {
      await sendMail(service, { ...mail, to }).then(
        () => codes.add(250),
        ({ responseCode }: { responseCode: number }) => codes.add(responseCode),
      );
    }
    // Also on a plan without mail limits.
    expect([...codes]).toEqual([250, 450]);
    await drain();
    const { data } = await client.email.listSuppressions();
    expect(data).toMatchObject([{ email: recipient, reason: 'unsubscribe' }]);
    await client.memories.create({ body: { content: 'two' } });
    await drain();
    expect(subjectsTo(recipient)).toEqual(['one']);
    expect(subjectsTo(other)).toEqual(['one', 'two']);
    expect(receiver.receivedBy('another@program.example')).toEqual([]);
    expect((await client.memories.list()).data).toHaveLength(2);
  });

  it('is forgotten after 30 days, once it waits for nothing', async () => {
    const recipient = `forgotten.${on}@example.com`;
    const client = await telling(recipient);
    await client.memories.create({ body: { content: 'old' } });
    await drain();
    expect(subjectsTo(recipient)).toEqual(['old']);
    const kept = async (): Promise<number> => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from outbound_mails where recipient = ${recipient}`.execute(
        service.running.context.app.engine.db,
      );
      return Number(rows[0]?.count);
    };
    clock.advance(29 * 24 * hourMs);
    await drain();
    expect(await kept()).toBe(1);
    clock.advance(2 * 24 * hourMs);
    await drain();
    expect(await kept()).toBe(0);
  });

  it('is not begun where the key that is to sign it cannot be read', async () => {
    const env = { MNEME_DKIM_KEY: '/nowhere/dkim.pem' };
    await expect(startService(engine, { env })).rejects.toThrow(/MNEME_DKIM_KEY cannot be read/);
  });

  it('with no server to send by it is kept as a file, whole', async () => {
    const other = await startService(engine, { env: { MNEME_EMAIL_DOMAIN: 'mail.test' } });
    try {
      const { client } = await other.createAccount();
      const body = { ...reaction, recipients: ['ana@example.com'] };
      await client.email.createReaction({ body });
      await client.memories.create({ body: { content: 'Grüße, 世界' } });
      await other.running.context.mailer.drain();
      const folder = path.join(other.config.dataDir, 'mail');
      const files = await readdir(folder);
      expect(files).toEqual([expect.stringMatching(/^[0-9a-f-]{36}\.eml$/)]);
      const mail = await simpleParser(await readFile(path.join(folder, files[0] ?? '')));
      expect(mail).toMatchObject({ subject: 'Grüße, 世界', text: 'Grüße, 世界' });
      expect(mail.date).toBeInstanceOf(Date);
    } finally {
      await other.stop();
    }
  });
});

/** A delivery status notification (RFC 3464) with the header of the mail. */
function bounceOf({ to, recipient, n }: { to: string; recipient: string; n: number }): string {
  return [
    'From: MAILER-DAEMON@relay.example',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    `Message-ID: <bounce.${n}.${to}>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'It could not be delivered.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.example',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 no such user',
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    'Subject: one',
    '',
    '--b--',
    '',
  ].join('\r\n');
}
