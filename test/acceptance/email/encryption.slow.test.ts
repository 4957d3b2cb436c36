import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Certificate, makeCertificate } from '../../support/certificate.ts';
import {
  getOrCreateAddress,
  mailServiceOptions,
  SmtpConversation,
  smtpPortOf,
  waitForProcessedMail,
} from '../../support/mail.ts';
import { type MailReceiver, startMailReceiver } from '../../support/mail-receiver.ts';
import { isAvailable } from '../../support/requirements.ts';
import { type Service, startService } from '../../support/service.ts';

let certificate: Certificate;
beforeAll(async () => {
  if (isAvailable('openssl')) certificate = await makeCertificate();
});
afterAll(() => certificate?.[Symbol.asyncDispose]());

describe.runIf(isAvailable('openssl'))('STARTTLS of mail that comes in', () => {
  let service: Service;
  beforeAll(async () => {
    const { certFile, keyFile } = certificate;
    const tls = { MNEME_SMTP_TLS_CERT: certFile, MNEME_SMTP_TLS_KEY: keyFile };
    service = await startService('embedded', {
      ...mailServiceOptions,
      env: { ...mailServiceOptions.env, ...tls },
    });
  });
  afterAll(() => service.stop());

  it('is offered where a certificate is set, and the mail comes encrypted', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    const transport = createTransport({
      host: '127.0.0.1',
      port: smtpPortOf(service),
      requireTLS: true,
      tls: { ca: certificate.cert },
    });
    const mail = { from: 'ana@example.com', to, subject: 'secret', messageId: '<tls@example.com>' };
    await transport.sendMail(mail);
    transport.close();
    expect((await waitForProcessedMail(client, 'tls@example.com')).status).toBe('completed');
  });
});

it('STARTTLS is not offered without a certificate', async () => {
  const service = await startService('embedded', mailServiceOptions);
  try {
    await using conversation = new SmtpConversation(smtpPortOf(service));
    await conversation.readReply();
    expect(await conversation.sendLine('EHLO client.test')).not.toContain('STARTTLS');
  } finally {
    await service.stop();
  }
});

describe.runIf(isAvailable('openssl'))('a server with STARTTLS that mail leaves by', () => {
  let receiver: MailReceiver;
  beforeAll(async () => {
    receiver = await startMailReceiver(certificate);
  });
  afterAll(() => receiver[Symbol.asyncDispose]());

  async function tell(url: string, recipient: string) {
    const env = { MNEME_EMAIL_DOMAIN: 'mail.test', MNEME_SMTP_URL: url };
    const service = await startService('embedded', { env });
    try {
      const { client } = await service.createAccount();
      const texts = { emailSubjectTemplate: '{{content}}', emailBodyTemplate: '{{content}}' };
      const body = { name: 'told', triggerType: 'memory_created', ...texts };
      await client.email.createReaction({ body: { ...body, recipients: [recipient] } });
      await client.memories.create({ body: { content: 'secret' } });
      await service.running.context.mailer.drain();
      return (await client.email.listOutbound()).data;
    } finally {
      await service.stop();
    }
  }

  it('gets it encrypted where its certificate is trusted', async () => {
    const url = `${receiver.url}?tls.ca=${encodeURIComponent(certificate.cert)}`;
    expect(await tell(url, 'trusted@example.com')).toMatchObject([{ status: 'sent' }]);
    expect(receiver.receivedBy('trusted@example.com')).toMatchObject([{ isEncrypted: true }]);
  });

  it('gets nothing where it is not trusted, not even in the clear', async () => {
    expect(await tell(receiver.url, 'untrusted@example.com')).toMatchObject([
      { status: 'queued', attempts: 1, lastError: expect.stringMatching(/self-signed/) },
    ]);
    expect(receiver.receivedBy('untrusted@example.com')).toEqual([]);
  });
});
