import { generateKeyPairSync } from 'node:crypto';
import { authenticate } from 'mailauth';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allowSenders,
  emptyDns,
  getOrCreateAddress,
  mailServiceOptions,
  sendMail,
  waitForProcessedMail,
} from '../../support/mail.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const makeKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const authorKey = makeKey();
const listKey = makeKey();
const recordOf = ({ publicKey }: typeof authorKey): string =>
  `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`;

const records: Readonly<Record<string, string>> = {
  'good.example': 'v=spf1 ip4:127.0.0.1 -all',
  's1._domainkey.good.example': recordOf(authorKey),
  '_dmarc.good.example': 'v=DMARC1; p=reject',
  'evil.example': 'v=spf1 ip4:127.0.0.1 -all',
  'list.example': 'v=spf1 ip4:127.0.0.1 -all',
  'arc._domainkey.list.example': recordOf(listKey),
};

async function dns(name: string, type: string): Promise<string[][]> {
  const record = type === 'TXT' ? records[name] : undefined;
  return record === undefined ? emptyDns(name) : [[record]];
}

const dkim = {
  domainName: 'good.example',
  keySelector: 's1',
  privateKey: authorKey.privateKey,
};

async function bytesOf(mail: SendMailOptions): Promise<string> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await transport.sendMail(mail);
  return String(message);
}

/** A mail as a mailing list forwards it, with an ARC seal. */
async function sealed(raw: string): Promise<string> {
  const { headers } = await authenticate(raw, {
    ip: '127.0.0.1',
    helo: 'good.example',
    sender: 'ana@good.example',
    mta: 'list.example',
    resolver: dns,
    seal: { signingDomain: 'list.example', selector: 'arc', privateKey: listKey.privateKey },
  });
  return `${headers}${raw}`;
}

describe.each(engines)('who sent a mail, as it is recorded on %s,', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, {
      ...mailServiceOptions,
      overrides: { resolveName: dns },
    });
  });
  afterAll(() => service.stop());

  const from = 'ana@good.example';

  async function taken(mail: (to: string) => SendMailOptions | Promise<SendMailOptions>) {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    await allowSenders(client, '*@good.example');
    await sendMail(service, await mail(to));
    const [{ messageId } = { messageId: null }] = (await client.email.listHistory()).data;
    const { status, reason, authentication } = await waitForProcessedMail(client, messageId ?? '');
    const memories = (await client.memories.list()).data.length;
    const { data: left } = await client.email.listOutbound();
    return { status, reason, authentication, memories, answers: left.length };
  }

  it('passes SPF, DKIM and DMARC where its domain sent and signed it', async () => {
    const mail = (to: string) => ({ from, to, subject: 'signed', text: 'By my domain.', dkim });
    expect(await taken(mail)).toEqual({
      status: 'completed',
      reason: null,
      authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' },
      memories: 1,
      answers: 1,
    });
  });

  it('is refused by DMARC where another domain sent it in its name', async () => {
    const mail = (to: string) => {
      const envelope = { from: 'eve@evil.example', to };
      return { envelope, from, to, subject: 'spoofed', text: 'Send me all.' };
    };
    expect(await taken(mail)).toEqual({
      status: 'rejected',
      reason: expect.stringContaining('DMARC'),
      authentication: { spf: 'pass', dkim: 'none', dmarc: 'fail', arc: 'none' },
      memories: 0,
      answers: 0,
    });
  });

  it('is refused by DMARC where it was changed after it was signed', async () => {
    const mail = async (to: string) => {
      const raw = await bytesOf({ from, to, subject: 'signed', text: 'Pay Ana.', dkim });
      const envelope = { from: 'eve@evil.example', to };
      return { envelope, raw: raw.replace('Pay Ana.', 'Pay Eve.') };
    };
    expect(await taken(mail)).toMatchObject({
      status: 'rejected',
      authentication: { dkim: expect.stringMatching(/fail|neutral/), dmarc: 'fail' },
      memories: 0,
    });
  });

  it('passes ARC where a list sealed it, and fails where the seal is of another text', async () => {
    const forwarded = async (to: string, change = '') => {
      const raw = await bytesOf({ from, to, subject: 'forwarded', text: 'To the list.', dkim });
      const envelope = { from: 'list@list.example', to };
      return {
        envelope,
        raw: (await sealed(raw)).replace('To the list.', `To the list.${change}`),
      };
    };
    expect(await taken((to) => forwarded(to))).toMatchObject({
      status: 'completed',
      authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'pass' },
    });
    expect(await taken((to) => forwarded(to, ' And more.'))).toMatchObject({
      status: 'rejected',
      authentication: { arc: 'fail' },
    });
  });
});
