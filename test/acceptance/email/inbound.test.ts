import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  getOrCreateAddress,
  mailServiceOptions,
  postInboundMail,
  SmtpConversation,
  sendMail,
  smtpPortOf,
  waitForProcessedMail,
} from '../../support/mail.ts';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('mail that comes in on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, mailServiceOptions);
  });
  afterAll(() => service.stop());

  it('becomes a memory with the space, tags and priority of its subject', async () => {
    const { client } = await service.createAccount();
    const space = await client.spaces.create({ body: { name: 'research' } });
    const to = await getOrCreateAddress(client);
    const id = await sendMail(service, {
      from: 'ana@example.com',
      to,
      subject: 'store: Ana prefers tea. @research #preference #drinks p7',
      text: 'Mostly green.',
    });
    const mail = await waitForProcessedMail(client, id);
    expect(mail).toMatchObject({
      sender: 'ana@example.com',
      recipient: to,
      status: 'completed',
      bodyPlain: 'Mostly green.',
      parsedIntent: {
        command: 'store',
        content: 'Ana prefers tea.\n\nMostly green.',
        metadata: { space: 'research', tags: ['preference', 'drinks'], priority: 7 },
        method: 'subject',
      },
    });
    const memory = await client.memories.get({ params: { id: mail.responseMemoryId ?? '' } });
    expect(memory).toMatchObject({
      content: 'Ana prefers tea.\n\nMostly green.',
      space_id: space.id,
      tags: ['preference', 'drinks'],
      priority: 7,
    });
  });

  it('is kept whole where its subject has no command', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    const id = await sendMail(service, {
      from: 'ana@example.com',
      to,
      subject: 'Meeting: notes of Monday',
      text: 'We agreed on the budget.',
    });
    const { parsedIntent } = await waitForProcessedMail(client, id);
    expect(parsedIntent).toMatchObject({
      command: 'store',
      content: 'Meeting: notes of Monday\n\nWe agreed on the budget.',
      method: 'default',
    });
  });

  it('is one mail with one effect, however often it is handed in', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    const mail = { from: 'ana@example.com', to, subject: 'once', messageId: '<once@example.com>' };
    for (let i = 0; i < 3; i += 1) await sendMail(service, { ...mail, text: 'only once' });
    await waitForProcessedMail(client, 'once@example.com');
    const { pagination } = await client.email.listHistory();
    expect(pagination.total).toBe(1);
    expect((await client.memories.list()).data).toHaveLength(1);
  });

  it('is refused at RCPT for an address that nobody has', async () => {
    await using conversation = new SmtpConversation(smtpPortOf(service));
    await conversation.readReply();
    await conversation.sendLine('EHLO client.test');
    await conversation.sendLine('MAIL FROM:<ana@example.com>');
    expect(await conversation.sendLine('RCPT TO:<nobody@mail.test>')).toMatch(/^550 5\.1\.1 /);
  });

  it('is taken in whole up to nearly 25 MB, with what is attached', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    // In base64 with line breaks, 26.1 of the allowed 26.2 million bytes.
    const content = Buffer.alloc(19_100_000, 'a large attachment ');
    const attachments = [{ filename: 'large.bin', content }];
    const mail = { from: 'ana@example.com', to, subject: 'large', attachments };
    const id = await sendMail(service, mail);
    const { status, id: mailId } = await waitForProcessedMail(client, id);
    expect(status).toBe('completed');
    const { data } = await client.email.listAttachments({ params: { id: mailId } });
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(data).toMatchObject([{ filename: 'large.bin', size: content.length, sha256 }]);
  });

  it('of a suspended account is told to come again, and is taken when it is over', async () => {
    const { id, client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    const suspend = (suspended: boolean) =>
      service.operator().admin.updateAccount({ params: { id }, body: { suspended } });
    await suspend(true);
    const mail = { from: 'ana@example.com', to, subject: 'patience' };
    await expect(sendMail(service, mail)).rejects.toMatchObject({
      responseCode: 450,
      response: expect.stringMatching(/^450 4\.2\.1 The account is suspended\. .*retry later/),
    });
    const raw = `From: ana@example.com\r\nTo: ${to}\r\nSubject: x\r\n\r\nx\r\n`;
    expect(await postInboundMail(service.client(), raw)).toMatchObject({ status: 503 });
    await suspend(false);
    expect((await waitForProcessedMail(client, await sendMail(service, mail))).status).toBe(
      'completed',
    );
    expect((await client.email.listHistory()).pagination.total).toBe(1);
  });

  it('is refused with 552 beyond 25 MB, and leaves the connection in order', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    await using conversation = new SmtpConversation(smtpPortOf(service));
    await conversation.startData('ana@example.com', to);
    const line = Buffer.from(`${'x'.repeat(998)}\r\n`);
    const block = Buffer.concat(Array.from({ length: 1_000 }, () => line));
    conversation.write('Subject: large\r\n\r\n');
    for (let i = 0; i < 27; i += 1) {
      conversation.write(block);
      await conversation.waitForDrain();
    }
    expect(await conversation.sendLine('.')).toMatch(/^552 5\.3\.4 /);
    expect(await conversation.sendLine('NOOP')).toMatch(/^250/);
    expect((await client.email.listHistory()).pagination.total).toBe(0);
  });

  it('tells its declared size to be too large before anything is sent', async () => {
    await using conversation = new SmtpConversation(smtpPortOf(service));
    await conversation.readReply();
    expect(await conversation.sendLine('EHLO client.test')).toContain('SIZE 26214400');
    const reply = await conversation.sendLine('MAIL FROM:<ana@example.com> SIZE=26214401');
    expect(reply).toMatch(/^552/);
  });

  it('is nothing when the connection breaks before its end', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    const broken = new SmtpConversation(smtpPortOf(service));
    await broken.startData('ana@example.com', to);
    broken.write('Subject: half\r\nMessage-ID: <half@example.com>\r\n\r\nfirst half');
    broken.destroy();
    const id = await sendMail(service, { from: 'ana@example.com', to, subject: 'whole' });
    await waitForProcessedMail(client, id);
    expect((await client.email.listHistory()).pagination.total).toBe(1);
  });

  it('comes by POST /email/inbound too, and an unknown recipient is 404', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    const head = `From: Ana <ana@example.com>\r\nTo: ${to}\r\nMessage-ID: <p1@example.com>\r\n`;
    const raw = `${head}Subject: posted\r\n\r\nBy HTTP.\r\n`;
    const answer = await postInboundMail(client, raw);
    expect(answer).toMatchObject({ status: 202, body: { status: 'received' } });
    expect(await waitForProcessedMail(client, 'p1@example.com')).toMatchObject({
      status: 'completed',
      parsedIntent: { content: 'posted\n\nBy HTTP.' },
    });
    const elsewhere = raw.replace(to, 'nobody@mail.test');
    expect(await postInboundMail(client, elsewhere)).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
    const other = await service.createAccount();
    expect(await postInboundMail(other.client, raw)).toMatchObject({ status: 404 });
  });

  it('takes nothing but message/rfc822 by HTTP', async () => {
    const { client } = await service.createAccount();
    const json = await client.request({
      method: 'POST',
      path: '/email/inbound',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(json).toMatchObject({ status: 415, body: { error: 'unsupported_media_type' } });
    const elsewhere = await client.request({
      method: 'POST',
      path: '/memories',
      headers: { 'content-type': 'message/rfc822' },
      body: 'Subject: x\r\n\r\n',
    });
    expect(elsewhere.status).toBe(415);
  });
});
