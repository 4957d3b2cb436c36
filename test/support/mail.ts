import { connect, type Socket } from 'node:net';
import type { Client } from '@mneme/sdk';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { eventually } from './eventually.ts';
import type { Service } from './service.ts';

/** A DNS resolver without records. */
export const emptyDns = async (name: string): Promise<string[][]> => {
  throw Object.assign(new Error(`${name} is not known`), { code: 'ENOTFOUND' });
};

/** A DNS resolver with only an SPF record of example.com, which allows this machine. */
export const spfDns = async (name: string, type: string): Promise<string[][]> =>
  name === 'example.com' && type === 'TXT' ? [['v=spf1 ip4:127.0.0.1 -all']] : emptyDns(name);

/** Options for startService: accepts mail on a free port, and sends no DNS queries. */
export const mailServiceOptions = {
  env: { MNEME_SMTP_PORT: '0', MNEME_EMAIL_DOMAIN: 'mail.test' },
  overrides: { resolveName: spfDns },
};

/** Allows commands from senders that match the pattern. */
export const allowSenders = (client: Client, emailPattern = '*@example.com') =>
  client.email.addSender({ body: { emailPattern, ruleType: 'allow' } });

export const smtpPortOf = ({ running }: Pick<Service, 'running'>): number => {
  if (running.smtpPort === null) throw new Error('the service accepts no mail');
  return running.smtpPort;
};

/** Sends with a real SMTP client; rejects with the server's code as `responseCode`. */
export async function sendMail(service: Service, mail: SendMailOptions): Promise<string> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtpPortOf(service),
    secure: false,
    tls: { rejectUnauthorized: false },
  });
  try {
    const { messageId } = await transport.sendMail(mail);
    return messageId.replace(/^<|>$/g, '');
  } finally {
    transport.close();
  }
}

export async function getOrCreateAddress(client: Client): Promise<string> {
  const addresses = await client.email.listAddresses({ query: { limit: 1 } });
  const [first] = addresses.data;
  if (first?.isActive) return first.email;
  return (await client.email.createAddress({ body: {} })).email;
}

type History = Awaited<ReturnType<Client['email']['getHistory']>>;

/** Waits until the mail with that Message-ID is processed. */
export async function waitForProcessedMail(client: Client, messageId: string): Promise<History> {
  const mail = await eventually(
    async () => {
      const { data } = await client.email.listHistory({ query: { limit: 100 } });
      return data.find((mail) => mail.messageId === messageId);
    },
    (mail) => mail !== undefined && !['received', 'processing'].includes(mail.status),
    20_000,
  );
  if (!mail) throw new Error(`no mail has the Message-ID ${messageId}`);
  return mail;
}

/** Submits a raw mail to POST /email/inbound. */
export const postInboundMail = (client: Client, raw: string | Uint8Array, query = '') =>
  client.request({
    method: 'POST',
    path: `/email/inbound${query}`,
    headers: { 'content-type': 'message/rfc822' },
    body: raw,
  });

/** A raw SMTP connection, for commands that clients do not send. */
export class SmtpConversation implements AsyncDisposable {
  readonly #socket: Socket;
  #received = '';
  #wake: () => void = () => undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1' });
    this.#socket.on('data', (chunk) => {
      this.#received += chunk.toString('latin1');
      this.#wake();
    });
    this.#socket.on('error', () => this.#wake());
    this.#socket.on('close', () => this.#wake());
  }

  /** The next complete reply: code and text. */
  async readReply(): Promise<string> {
    for (;;) {
      const reply = /^(?:\d{3}-[^\n]*\n)*\d{3} [^\n]*\n/.exec(this.#received);
      if (reply) {
        this.#received = this.#received.slice(reply[0].length);
        return reply[0].trim();
      }
      if (this.#socket.destroyed)
        throw new Error(`the server closed the connection: ${this.#received}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async sendLine(line: string): Promise<string> {
    this.#socket.write(`${line}\r\n`);
    return this.readReply();
  }

  write(bytes: string | Uint8Array): boolean {
    return this.#socket.write(bytes);
  }

  async waitForDrain(): Promise<void> {
    if (!this.#socket.writableNeedDrain) return;
    await new Promise<void>((resolve) => void this.#socket.once('drain', () => resolve()));
  }

  /** Sends all commands up to DATA and reads the replies. */
  async startData(sender: string, recipient: string): Promise<void> {
    await this.readReply();
    await this.sendLine('EHLO client.test');
    await this.sendLine(`MAIL FROM:<${sender}>`);
    await this.sendLine(`RCPT TO:<${recipient}>`);
    await this.sendLine('DATA');
  }

  destroy(): void {
    this.#socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
  }
}
