import { connect, type Socket } from 'node:net';
import type { Client } from '@mneme/sdk';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { eventually } from './eventually.ts';
import type { Service } from './service.ts';

/** A DNS that knows nothing: what tests say of senders they say themselves. */
export const emptyDns = async (name: string): Promise<string[][]> => {
  throw Object.assign(new Error(`${name} is not known`), { code: 'ENOTFOUND' });
};

/** A DNS by which mail of example.com comes from this machine, and which knows nothing else. */
export const senderDns = async (name: string, type: string): Promise<string[][]> =>
  name === 'example.com' && type === 'TXT' ? [['v=spf1 ip4:127.0.0.1 -all']] : emptyDns(name);

/** For startService: mail is taken in on a free port, and no name server is asked. */
export const mailOptions = {
  env: { MNEME_SMTP_PORT: '0', MNEME_EMAIL_DOMAIN: 'mail.test' },
  overrides: { resolveName: senderDns },
};

/** Lets senders command: those of example.com, unless another pattern is given. */
export const allowSenders = (client: Client, emailPattern = '*@example.com') =>
  client.email.addSender({ body: { emailPattern, ruleType: 'allow' } });

export const smtpPortOf = ({ running }: Pick<Service, 'running'>): number => {
  if (running.smtpPort === null) throw new Error('no mail is taken in');
  return running.smtpPort;
};

/** By a real client over a real socket; rejects with the server's code as `responseCode`. */
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

/** The account's address, made on first use. */
export async function getOrCreateAddress(client: Client): Promise<string> {
  const known = await client.email.listAddresses({ query: { limit: 1 } });
  const [first] = known.data;
  if (first?.isActive) return first.email;
  return (await client.email.createAddress({ body: {} })).email;
}

type History = Awaited<ReturnType<Client['email']['getHistory']>>;

/** The mail with that Message-ID, once it has come to its end. */
export async function waitForProcessedMail(client: Client, messageId: string): Promise<History> {
  const found = await eventually(
    async () => {
      const { data } = await client.email.listHistory({ query: { limit: 100 } });
      return data.find((mail) => mail.messageId === messageId);
    },
    (mail) => mail !== undefined && !['received', 'processing'].includes(mail.status),
    20_000,
  );
  if (!found) throw new Error('there is no such mail');
  return found;
}

/** Hands in raw bytes by POST /email/inbound. */
export const postInboundMail = (client: Client, raw: string | Uint8Array, query = '') =>
  client.request({
    method: 'POST',
    path: `/email/inbound${query}`,
    headers: { 'content-type': 'message/rfc822' },
    body: raw,
  });

/** A conversation word by word, for what no decent client says. */
export class SmtpConversation implements AsyncDisposable {
  readonly #socket: Socket;
  #received = '';
  #wake: () => void = () => undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1' });
    this.#socket.on('data', (piece) => {
      this.#received += piece.toString('latin1');
      this.#wake();
    });
    this.#socket.on('error', () => this.#wake());
    this.#socket.on('close', () => this.#wake());
  }

  /** The next whole reply: its code and its words. */
  async readReply(): Promise<string> {
    for (;;) {
      const whole = /^(?:\d{3}-[^\n]*\n)*\d{3} [^\n]*\n/.exec(this.#received);
      if (whole) {
        this.#received = this.#received.slice(whole[0].length);
        return whole[0].trim();
      }
      if (this.#socket.destroyed) throw new Error(`the server hung up: ${this.#received}`);
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

  /** Everything up to the 354 that lets the mail come. */
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
