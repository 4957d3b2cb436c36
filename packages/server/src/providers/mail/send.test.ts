import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailReceiver, startMailReceiver } from '../../../../../test/support/mail-receiver.ts';
import { authenticateMail } from './authenticate.ts';
import { createMailSender, MailSendFailed, type OutgoingMail } from './send.ts';

const never = new AbortController().signal;
const mail: OutgoingMail = {
  id: '019b8d1c-3a60-7a11-8b22-1c2d3e4f5a6b',
  sender: 'memory@mail.test',
  recipient: 'ana@example.com',
  returnPath: 'memory@mail.test',
  messageId: '019b8d1c@mail.test',
  at: new Date('2026-01-05T09:30:00Z'),
  subject: 'Grüße, 世界',
  text: 'Ana prefers tea.\n.\n.. dots\n',
  html: '<p>Ana prefers tea.</p>',
  headers: { 'Auto-Submitted': 'auto-generated' },
};

describe('an outgoing mail', () => {
  let receiver: MailReceiver;
  let folder: string;
  beforeAll(async () => {
    receiver = await startMailReceiver();
    folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-mail-'));
  });
  afterAll(async () => {
    await receiver[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const byServer = (url = receiver.url) => createMailSender({ url, folder, dkim: null });
  const refused = async (one: OutgoingMail, url?: string): Promise<MailSendFailed> => {
    try {
      await byServer(url)(one, never);
    } catch (error) {
      if (error instanceof MailSendFailed) return error;
      throw error;
    }
    throw new Error('it was taken');
  };

  it('arrives unchanged, and the response of the server is returned', async () => {
    const recipient = 'as.written@example.com';
    expect(await byServer()({ ...mail, recipient }, never)).toMatch(/^250 /);
    const [got] = receiver.receivedBy(recipient);
    expect(got?.from).toBe('memory@mail.test');
    expect(got?.mail).toMatchObject({
      subject: mail.subject,
      html: mail.html,
      messageId: '<019b8d1c@mail.test>',
      date: mail.at,
    });
    expect(got?.mail.text?.trim()).toBe(mail.text.trim());
    expect(got?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(got?.raw).not.toMatch(/x-mailer/i);
  });

  it('has no return path if it is a reply', async () => {
    const recipient = 'answered@example.com';
    await byServer()({ ...mail, recipient, returnPath: null }, never);
    expect(receiver.receivedBy(recipient)[0]?.from).toBe('');
  });

  it('has one recipient and no header injected by a field', async () => {
    const recipient = 'alone@example.com';
    const odd = {
      ...mail,
      recipient,
      subject: 'one\r\nBcc: eve@example.com\r\n\r\nbody',
      headers: { 'X-Odd': 'a\r\nBcc: eve@example.com' },
    };
    await byServer()(odd, never);
    const [got] = receiver.receivedBy(recipient);
    expect(got?.to).toEqual([recipient]);
    expect(got?.mail.headers.has('bcc')).toBe(false);
    expect(got?.mail.text).toContain('Ana prefers tea.');
  });

  it.each([
    ['an address is refused for good', 550, 'rcpt', true, true],
    ['an address is refused for now', 450, 'rcpt', false, false],
    ['a mail is refused for good', 554, 'data', true, false],
    ['a mail is refused for now', 451, 'data', false, false],
    ['the server is about to stop', 421, 'data', false, false],
  ] as const)('%s', async (_, code, place, isPermanent, isRecipientRejected) => {
    receiver.setRejection((_recipient, at) => (at === place ? code : null));
    const error = await refused({ ...mail, recipient: `${code}@example.com` });
    receiver.setRejection(() => null);
    expect(error).toMatchObject({ isPermanent, isRecipientRejected });
    expect(error.message).toContain(String(code));
  });

  it('an unreachable server is not an error of the mail', async () => {
    const free = await listening(() => undefined);
    const { port } = free.address() as { port: number };
    await new Promise((resolve) => free.close(resolve));
    const error = await refused(mail, `smtp://127.0.0.1:${port}`);
    expect(error).toMatchObject({ isPermanent: false, isRecipientRejected: false });
  });

  it('an aborted attempt ends', async () => {
    const sockets: Socket[] = [];
    const silent = await listening((socket) => void sockets.push(socket));
    const { port } = silent.address() as { port: number };
    const breaking = new AbortController();
    const sending = byServer(`smtp://127.0.0.1:${port}`)(mail, breaking.signal);
    breaking.abort();
    await expect(sending).rejects.toBeInstanceOf(MailSendFailed);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('is signed so that its recipients can verify it', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const told = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const send = createMailSender({ url: receiver.url, folder, dkim: { key, selector: 'mneme' } });
    const recipient = 'checks@example.com';
    await send({ ...mail, recipient }, never);
    const raw = receiver.receivedBy(recipient)[0]?.raw ?? '';
    const records: Record<string, string[][]> = {
      'mneme._domainkey.mail.test': [[`v=DKIM1; k=rsa; p=${told}`]],
      '_dmarc.mail.test': [['v=DMARC1; p=reject; adkim=s']],
    };
    const resolve = async (name: string): Promise<string[][]> => {
      const found = records[name];
      if (found) return found;
      throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    };
    const checked = async (text: string) =>
      (
        await authenticateMail(
          (async function* () {
            yield Buffer.from(text, 'latin1');
          })(),
          { sender: 'memory@mail.test', ip: null, helo: null, recipient: 'x@y.example' },
          { resolve, mta: 'example.com' },
        )
      ).results;
    expect(await checked(raw)).toMatchObject({ dkim: 'pass', dmarc: 'pass' });
    expect(await checked(raw.replace('Ana', 'Eve'))).toMatchObject({ dmarc: 'fail' });
  });

  it('without a server becomes a file that only its owner can read, once', async () => {
    const send = createMailSender({ url: null, folder: path.join(folder, 'out'), dkim: null });
    await send(mail, never);
    await send(mail, never);
    const [name, ...others] = await readdir(path.join(folder, 'out'));
    expect([name, others]).toEqual([`${mail.id}.eml`, []]);
    const file = path.join(folder, 'out', name ?? '');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const raw = await readFile(file);
    expect(raw.toString('latin1')).not.toMatch(/[^\r]\n/);
    expect(await simpleParser(raw)).toMatchObject({ subject: mail.subject, html: mail.html });
  });
});

function listening(onSocket: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onSocket);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
