import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  acceptMail,
  resolveMailbox,
  storeRawMail,
} from '../../../packages/server/src/domains/email/index.ts';
import {
  allowSenders,
  emptyDns,
  getOrCreateAddress,
  postInboundMail,
  sendMail,
} from '../../support/mail.ts';
import { type MailReceiver, startMailReceiver } from '../../support/mail-receiver.ts';
import { type Service, startService } from '../../support/service.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const dkimRecord = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`;

const records: Readonly<Record<string, string>> = {
  // SPF allows this machine; without DMARC.
  'good.example': 'v=spf1 ip4:127.0.0.1 -all',
  // Only DKIM.
  's1._domainkey.signed.example': dkimRecord,
  's1._domainkey.mail.signed.example': dkimRecord,
  // Only signatures of exactly this domain.
  '_dmarc.strict.example': 'v=DMARC1; p=none; adkim=s',
  '_dmarc.spaced.example': 'v=DMARC1; p=none; adkim = S ;',
  's1._domainkey.spaced.example': dkimRecord,
  's1._domainkey.mail.spaced.example': dkimRecord,
  's1._domainkey.strict.example': dkimRecord,
  's1._domainkey.mail.strict.example': dkimRecord,
  // An attacker whose own mail is authentic.
  'evil.example': 'v=spf1 ip4:127.0.0.1 -all',
  's1._domainkey.evil.example': dkimRecord,
  's1._domainkey.signed.example.evil.example': dkimRecord,
};

async function dns(name: string, type: string): Promise<string[][]> {
  const record = type === 'TXT' ? records[name] : undefined;
  return record === undefined ? emptyDns(name) : [[record]];
}

const secret = 'The code of the safe is 4411.';
const ana = 'ana@good.example';
/** Some parsers read it as a folded line, others as a field. */
const cr = '\r\nX: y\r\n\rSubject: stop\r\n\r\n';
const eve = 'eve@evil.example';

describe('what a mail may do', () => {
  let service: Service;
  let receiver: MailReceiver;
  beforeAll(async () => {
    receiver = await startMailReceiver();
    service = await startService('embedded', {
      env: {
        MNEME_SMTP_PORT: '0',
        MNEME_EMAIL_DOMAIN: 'mail.test',
        MNEME_SMTP_URL: receiver.url,
      },
      overrides: { resolveName: dns },
    });
  });
  afterAll(async () => {
    await service.stop();
    await receiver[Symbol.asyncDispose]();
  });

  const drain = async (): Promise<void> => {
    await service.running.context.worker.drain();
    await service.running.context.mailer.drain();
  };

  /** Creates an account with memories and returns the effects of a mail to it. */
  async function knowing() {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    const { id } = await client.memories.create({ body: { content: secret } });
    const last = async () => {
      await drain();
      const { data } = await client.email.listHistory({ query: { limit: 1 } });
      const { data: left } = await client.email.listOutbound();
      const memories = (await client.memories.list()).data;
      return { mail: data[0], answers: left.map(({ recipient }) => recipient), memories };
    };
    const write = async (mail: SendMailOptions) => {
      const { code } = await sendMail(service, { to, ...mail }).then(
        () => ({ code: 250 }),
        ({ responseCode }: { responseCode: number }) => ({ code: responseCode }),
      );
      return { code, ...(await last()) };
    };
    return { client, to, id, write, last };
  }

  async function bytesOf(mail: SendMailOptions): Promise<string> {
    const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    return String((await transport.sendMail(mail)).message);
  }

  /** Signed by a domain and forwarded by another sender. */
  async function signed(
    mail: SendMailOptions,
    options: {
      domain?: string;
      headerList?: string;
      maxBodyLength?: number;
      algorithm?: string;
    } = {},
  ) {
    const raw = await bytesOf(mail);
    const { domain = 'signed.example', headerList, maxBodyLength } = options;
    const { signatures } = await dkimSign(raw, {
      canonicalization: 'relaxed/relaxed',
      algorithm: options.algorithm ?? 'rsa-sha256',
      headerList,
      signatureData: [{ signingDomain: domain, selector: 's1', privateKey, maxBodyLength }],
    } as unknown as Parameters<typeof dkimSign>[1]);
    return `${signatures}${raw}`;
  }

  it.each(['search: code', 'recall: what is the code?', 'help', 'stop', 'forget: code'])(
    'a stranger is neither answered nor obeyed, proven or not: %s',
    async (subject) => {
      const { client, id, write } = await knowing();
      for (const from of [ana, 'nobody@unknown.example']) {
        const { mail, answers, memories } = await write({ from, subject, text: subject });
        expect(mail).toMatchObject({ status: 'rejected', verified: false, sender: from });
        expect(answers).toEqual([]);
        expect(memories).toMatchObject([{ id, content: secret }]);
      }
      expect((await client.email.listSuppressions()).data).toEqual([]);
    },
  );

  it('mail of a stranger is stored as unverified, of an allowed sender as verified', async () => {
    const { client, write } = await knowing();
    const stored = await write({ from: ana, subject: 'store: tea' });
    expect(stored).toMatchObject({ mail: { status: 'completed', verified: false }, answers: [] });
    expect(stored.memories.map(({ metadata }) => metadata)).toContainEqual(
      expect.objectContaining({ source: 'email', sender: ana, email_verified: false }),
    );
    await allowSenders(client, ana);
    const known = await write({ from: ana, subject: 'store: coffee' });
    expect(known).toMatchObject({ mail: { status: 'completed', verified: true }, answers: [ana] });
    expect(known.memories.map(({ metadata }) => metadata)).toContainEqual(
      expect.objectContaining({ source: 'email', sender: ana, email_verified: true }),
    );
  });

  it.each([
    ['plainly', [`From: ${ana}`]],
    ['in other letters', ['From: ANA@Good.Example']],
    ['as the name of another address', [`From: ${ana} <${eve}>`]],
    ['as the quoted name of another address', [`From: "${ana}" <${eve}>`]],
    ['as the encoded name of another address', [`From: =?utf-8?q?ana=40good.example?= <${eve}>`]],
    ['as a quoted local part', [`From: "${ana} x"@evil.example`]],
    ['as a quoted local part in brackets', [`From: <"${ana}"@evil.example>`]],
    ['before another address', [`From: ${ana}, ${eve}`]],
    ['after another address', [`From: ${eve}, ${ana}`]],
    ['as a group', [`From: team: ${ana};`]],
    ['as a group with another address', [`From: team: ${eve}, ${ana};`]],
    ['as a comment', [`From: ${eve} (${ana})`]],
    ['as a route', [`From: <@evil.example:${ana}>`]],
    ['in a second From field', [`From: ${eve}`, `From: ${ana}`]],
    ['in a first From field', [`From: ${ana}`, `From: ${eve}`]],
    ['as Sender and Reply-To', [`From: ${eve}`, `Sender: ${ana}`, `Reply-To: ${ana}`]],
    ['with another Sender', [`From: ${ana}`, `Sender: ${eve}`]],
    ['with letters that look alike', ['From: аna@good.example']],
    ['with a domain below', ['From: ana@good.example.evil.example']],
    ['with no From field', [`Reply-To: ${ana}`]],
  ])('a rule is not passed by who names an allowed sender %s', async (_, lines) => {
    const { client, id, to, write } = await knowing();
    await allowSenders(client, ana);
    for (const command of ['search: code', 'store: planted', `forget: ${id}`]) {
      const head = [
        ...lines,
        `To: ${to}`,
        `Subject: ${command}`,
        `Message-ID: <${command.length}>`,
      ];
      const signature = await dkimSign(`${head.join('\r\n')}\r\n\r\nx\r\n`, {
        canonicalization: 'relaxed/relaxed',
        algorithm: 'rsa-sha256',
        signatureData: [{ signingDomain: 'evil.example', selector: 's1', privateKey }],
      } as unknown as Parameters<typeof dkimSign>[1]);
      const raw = `${signature.signatures}${head.join('\r\n')}\r\n\r\nx\r\n`;
      const sent = await write({ envelope: { from: eve, to }, raw });
      expect(sent.mail?.status).toBe('rejected');
      expect(sent.mail?.verified).not.toBe(true);
      expect(sent.answers).toEqual([]);
      expect(sent.memories).toMatchObject([{ id }]);
    }
  });

  it('a signature of the domain, or of one above or below it, proves an author', async () => {
    for (const [author, domain] of [
      ['ana@signed.example', 'signed.example'],
      ['ana@signed.example', 'mail.signed.example'],
      ['ana@mail.signed.example', 'signed.example'],
    ] as const) {
      const { client, to, write } = await knowing();
      await allowSenders(client, author);
      const raw = await signed({ from: author, to, subject: 'search: code' }, { domain });
      const sent = await write({ envelope: { from: 'list@evil.example', to }, raw });
      expect(sent).toMatchObject({
        mail: { status: 'completed', verified: true },
        answers: [author],
      });
    }
  });

  it.each(['strict.example', 'spaced.example'])(
    'where DMARC asks for exact alignment, a domain below proves no author: %s',
    async (own) => {
      const { client, to, write } = await knowing();
      const from = `ana@${own}`;
      await allowSenders(client, from);
      const envelope = { from: eve, to };
      const mail = { from, to, subject: 'search: code' };
      const below = await write({
        envelope,
        raw: await signed(mail, { domain: `mail.${own}` }),
      });
      expect(below).toMatchObject({ mail: { status: 'rejected', verified: false }, answers: [] });
      const exact = await write({ envelope, raw: await signed(mail, { domain: own }) });
      expect(exact).toMatchObject({ mail: { verified: true }, answers: [from] });
    },
  );

  it.each([
    ['of another domain', { domain: 'evil.example' }, ''],
    ['of a domain whose name begins alike', { domain: 'signed.example.evil.example' }, ''],
    ['without the Subject', { headerList: 'From:To:Date:Message-ID' }, ''],
    ['without the From field', { headerList: 'Subject:To:Date:Message-ID' }, ''],
    ['without the Message-ID', { headerList: 'From:Subject:To:Date' }, ''],
    ['without a recipient', { headerList: 'From:Subject:Date:Message-ID' }, ''],
    ['by SHA-1', { algorithm: 'rsa-sha1' }, ''],
    ['of a part of the body', { maxBodyLength: 4 }, 'and more'],
    ['of another body', {}, 'and more'],
  ])('a signature %s proves no author', async (_, options, more) => {
    const { client, to, write, id } = await knowing();
    await allowSenders(client, 'ana@signed.example');
    const mail = { from: 'ana@signed.example', to, subject: 'search: code', text: 'text' };
    const raw = `${await signed(mail, options)}${more}`;
    const sent = await write({ envelope: { from: eve, to }, raw });
    expect(sent).toMatchObject({
      mail: { status: 'rejected', verified: false },
      answers: [],
      memories: [{ id }],
    });
  });

  it.each([
    ['to somebody else', () => eve],
    ['to somebody with its address as name', (to: string) => `"${to}" <${eve}>`],
  ])('a signed mail %s proves nothing here', async (_, recipient) => {
    const { client, to, write, id } = await knowing();
    const from = 'ana@signed.example';
    await allowSenders(client, from);
    const raw = await signed({ from, to: recipient(to), subject: 'Re: store: planted' });
    const sent = await write({ envelope: { from: eve, to }, raw });
    expect(sent).toMatchObject({ mail: { verified: false }, answers: [], memories: [{ id }] });
  });

  it.each([
    ['before the header', (raw: string) => `\r\nstop: all\r\n${raw}`],
    ['in a line that begins with a CR', (raw: string) => raw.replace('\r\n\r\n', cr)],
  ])('a command that somebody adds to a signed mail %s is not obeyed', async (_, change) => {
    const { client, to, last, id } = await knowing();
    const from = 'ana@signed.example';
    await allowSenders(client, from);
    const raw = change(await signed({ from, to, subject: 'search: code' }));
    await postInboundMail(client, raw, `?recipient=${to}&sender=${from}`);
    const sent = await last();
    expect(sent).toMatchObject({ mail: { verified: false }, answers: [], memories: [{ id }] });
    expect((await client.email.listSuppressions()).data).toEqual([]);
  });

  it('a mail in the name of another leaves that author the Message-ID', async () => {
    const { client, to, write, last } = await knowing();
    await allowSenders(client, ana);
    const messageId = '<once@good.example>';
    const forged = `From: ${ana}\r\nSubject: store: x\r\nMessage-ID: ${messageId}\r\n\r\nx\r\n`;
    await postInboundMail(client, forged, `?recipient=${to}`);
    expect(await last()).toMatchObject({ mail: { status: 'rejected' } });
    const own = { from: ana, to, subject: 'store: mine', messageId };
    expect(await write(own)).toMatchObject({ mail: { verified: true }, answers: [ana] });
    const { memories } = await write({ ...own, subject: 'store: again' });
    expect(memories.map(({ content }) => content).toSorted()).toEqual([secret, 'mine']);
  });

  it('what a relay vouched for in a mail over a limit holds for no other mail', async () => {
    const { client, to, last } = await knowing();
    await allowSenders(client, ana);
    const { app } = service.running.context;
    const mailbox = await resolveMailbox(app, to, null);
    const take = async (content: string, isRelayAuthenticated: boolean) => {
      const head = `From: ${ana}\r\nSubject: store: ${content}\r\nMessage-ID: <limit@x>`;
      const raw = await storeRawMail(app, Readable.from([Buffer.from(`${head}\r\n\r\nx\r\n`)]));
      const envelope = { sender: eve, ip: null, helo: null, isRelayAuthenticated };
      return acceptMail(app, mailbox, { raw, envelope, isOverLimit: isRelayAuthenticated });
    };
    expect(await take('mine', true)).toMatchObject({ status: 'rate_limited' });
    expect(await take('planted', false)).toMatchObject({ status: 'received', isNew: true });
    expect(await last()).toMatchObject({ mail: { status: 'rejected', verified: false } });
  });

  it('an answer goes to the author alone, wherever Reply-To and the envelope lead', async () => {
    const { client, to, write } = await knowing();
    await allowSenders(client, '*');
    const sent = await write({
      envelope: { from: 'bounces@good.example', to },
      from: ana,
      replyTo: eve,
      sender: eve,
      cc: eve,
      subject: 'search: code',
    });
    expect(sent).toMatchObject({ mail: { verified: true }, answers: [ana] });
  });

  it('a block rule holds for whoever is proven, and for both forms of a domain', async () => {
    const { client, to, write, id } = await knowing();
    await allowSenders(client, '*');
    await client.email.addSender({ body: { emailPattern: ana, ruleType: 'block' } });
    const blocked = await write({ from: ana, subject: 'search: code' });
    expect(blocked).toMatchObject({ code: 550, answers: [], memories: [{ id }] });
    await client.email.addSender({
      body: { emailPattern: '*@xn--mnchen-3ya.example', ruleType: 'block' },
    });
    const raw = `From: a@münchen.example\r\nTo: ${to}\r\nSubject: store: x\r\n\r\nx\r\n`;
    expect(await postInboundMail(client, raw)).toMatchObject({ body: { status: 'rejected' } });
  });

  it('by HTTP, DKIM, SPF as the relay tells it, or verified=true proves the author', async () => {
    const { client, to, last } = await knowing();
    await allowSenders(client, '*');
    const rawOf = (from: string, n: number, subject = 'search: code') =>
      `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${n}@x>\r\n\r\nx\r\n`;
    await postInboundMail(client, rawOf('ana@signed.example', 1));
    expect(await last()).toMatchObject({ mail: { status: 'rejected' }, answers: [] });
    await postInboundMail(client, rawOf(ana, 2), `?sender=${eve}&ip=127.0.0.1`);
    expect(await last()).toMatchObject({ mail: { status: 'rejected' }, answers: [] });
    await postInboundMail(client, rawOf(`${ana}, ${eve}`, 3), '?verified=true');
    expect(await last()).toMatchObject({ mail: { status: 'rejected' }, answers: [] });
    await postInboundMail(client, rawOf(ana, 4), `?sender=${ana}&ip=127.0.0.1`);
    expect(await last()).toMatchObject({ mail: { verified: true }, answers: [ana] });
    const mail = { from: 'ana@signed.example', to, subject: 'search: code' };
    await postInboundMail(client, await signed(mail));
    expect((await last()).answers).toHaveLength(2);
    await postInboundMail(client, rawOf('bo@unknown.example', 5), '?verified=true');
    expect(await last()).toMatchObject({
      mail: { status: 'completed', verified: true },
      answers: ['bo@unknown.example', 'ana@signed.example', ana],
    });
  });

  it('verified=true makes no sender allowed whom no rule allows', async () => {
    const { client, to, last } = await knowing();
    const raw = `From: ${ana}\r\nTo: ${to}\r\nSubject: search: code\r\n\r\nx\r\n`;
    await postInboundMail(client, raw, '?verified=true');
    expect(await last()).toMatchObject({
      mail: { status: 'rejected', verified: false },
      answers: [],
    });
  });

  it('unverified mail changes no fact, link or memory until somebody confirms it', async () => {
    const { client, write } = await knowing();
    const content = 'Ana Ruiz works at Acme Corp.';
    const { id } = await client.memories.create({ body: { content } });
    const person = async (): Promise<string> => {
      const { entities } = await client.knowledge.entities({ query: { q: 'Ana Ruiz' } });
      return entities[0]?.id ?? '';
    };
    const employer = async () => {
      await service.running.context.extractionWorker.drain();
      const params = { id: await person() };
      const { facts } = await client.knowledge.facts({ params });
      return facts
        .filter(({ predicate, valid_to }) => predicate === 'works_at' && valid_to === null)
        .map(({ object_value }) => object_value);
    };
    expect(await employer()).toEqual(['Acme Corp.']);
    const before = await client.memories.get({ params: { id } });
    const text = 'Ana Ruiz works at Evil Corp. Ana likes tea.';
    const { mail } = await write({ from: ana, text });
    expect(await employer()).toEqual(['Acme Corp.']);
    expect((await client.knowledge.get({ params: { id: await person() } })).aliases).toEqual([]);
    // The mail has known content, and an attachment that would be linked to it.
    const attachments = [{ filename: 'planted.txt', content: 'planted by a stranger' }];
    const again = await write({ from: ana, text: content, attachments });
    expect(again.mail?.responseMemoryId).toBe(id);
    const { total } = await client.relationships.list({ params: { memoryId: id } });
    expect(total).toBe(0);
    const { salience: _read, ...unchanged } = before;
    expect(await client.memories.get({ params: { id } })).toMatchObject(unchanged);
    const params = { id: mail?.responseMemoryId ?? '' };
    await client.memories.update({ params, body: { metadata: { email_verified: true } } });
    expect(await employer()).toEqual(['Evil Corp.']);
  });
});
