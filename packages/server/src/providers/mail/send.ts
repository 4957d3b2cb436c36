import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { writePrivateFile } from '../../kernel/private-file.ts';

/** An outgoing mail to one recipient. */
export interface OutgoingMail {
  readonly id: string;
  readonly sender: string;
  readonly recipient: string;
  /** Envelope sender for bounces; null: none (RFC 3834). */
  readonly returnPath: string | null;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly at: Date;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Resolves with the server's response once it has accepted the mail. Throws MailSendFailed, also
 * after an abort, although the server may already have accepted the mail.
 */
export type MailSender = (mail: OutgoingMail, signal: AbortSignal) => Promise<string>;

/** The mail was not accepted; the message contains the reason. */
export class MailSendFailed extends Error {
  override readonly name = 'MailSendFailed';
  /** A retry would fail in the same way. */
  readonly isPermanent: boolean;
  /** The server permanently rejects the recipient's address. */
  readonly isRecipientRejected: boolean;

  constructor(
    message: string,
    kind: { isPermanent: boolean; isRecipientRejected: boolean; cause?: unknown },
  ) {
    super(message, { cause: kind.cause });
    this.isPermanent = kind.isPermanent;
    this.isRecipientRejected = kind.isRecipientRejected;
  }
}

interface SendSettings {
  /**
   * smtp: or smtps: URL, with user and password if required; null: write .eml files to `folder`.
   */
  readonly url: string | null;
  readonly folder: string;
  readonly dkim: { readonly key: string; readonly selector: string } | null;
}

const connectionMs = 30_000;
const socketTimeoutMs = 60_000;
const responseCharactersMax = 500;

/** Creates the sender for outgoing mail. */
export function createMailSender(settings: SendSettings): MailSender {
  return settings.url === null
    ? createFolderSender(settings)
    : createSmtpSender(settings, settings.url);
}

function createSmtpSender(settings: SendSettings, url: string): MailSender {
  const transport = createTransport({
    url,
    connectionTimeout: connectionMs,
    greetingTimeout: connectionMs,
    dnsTimeout: connectionMs,
    socketTimeout: socketTimeoutMs,
  });
  return async (mail, signal) => {
    try {
      const { response } = await transport.sendMail({ ...messageOf(mail, settings), signal });
      return response.slice(0, responseCharactersMax);
    } catch (error) {
      throw toMailSendFailed(error);
    }
  };
}

function createFolderSender(settings: SendSettings): MailSender {
  const { folder } = settings;
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return async (mail) => {
    const { message } = await transport.sendMail(messageOf(mail, settings));
    if (!Buffer.isBuffer(message)) throw new Error('the mail was not built as a buffer');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${mail.id}.eml`);
    await writePrivateFile(file, message);
    return `saved as ${file}`;
  };
}

/** Files and addresses referenced in texts are never opened. */
function messageOf(mail: OutgoingMail, { dkim }: SendSettings): SendMailOptions {
  const domain = mail.sender.slice(mail.sender.lastIndexOf('@') + 1);
  return {
    from: { name: 'Mneme', address: mail.sender },
    to: { name: '', address: mail.recipient },
    envelope: { from: mail.returnPath ?? '', to: [mail.recipient] },
    messageId: `<${mail.messageId}>`,
    date: mail.at,
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    headers: { ...mail.headers },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim === null
      ? {}
      : { dkim: { domainName: domain, keySelector: dkim.selector, privateKey: dkim.key } }),
  };
}

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly message: string;
}

/** Only errors about the recipient or the mail itself are permanent: others can be fixed. */
function toMailSendFailed(error: unknown): MailSendFailed {
  const { code, command, responseCode = 0, response, message } = error as SmtpError;
  const isRejected = responseCode >= 500 && responseCode < 600 && responseCode !== 503;
  const isOfRecipient = command === 'RCPT TO';
  const isOfMail = command === 'DATA';
  const isImpossible = code === 'EENVELOPE' && command === 'API';
  return new MailSendFailed((response ?? message).slice(0, responseCharactersMax), {
    isPermanent: isImpossible || (isRejected && (isOfRecipient || isOfMail)),
    isRecipientRejected: isRejected && isOfRecipient,
    cause: error,
  });
}
