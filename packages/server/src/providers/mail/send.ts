import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { writePrivateFile } from '../../kernel/private-file.ts';

/** A mail that is to leave, to one recipient. */
export interface OutgoingMail {
  readonly id: string;
  readonly sender: string;
  readonly recipient: string;
  /** Where it comes back to if it cannot be delivered; null: to nobody (RFC 3834). */
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
 * Resolves with what was said of it once it is taken over. Throws MailNotTaken; once aborted, too,
 * though it may have been taken by then.
 */
export type MailSender = (mail: OutgoingMail, signal: AbortSignal) => Promise<string>;

/** Why a mail was not taken over. */
export class MailSendFailed extends Error {
  override readonly name = 'MailNotTaken';
  /** Trying again would be told the same. */
  readonly isPermanent: boolean;
  /** It is the recipient's address that is refused for good. */
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
  /** smtp: or smtps:, with user and password where there are any; null: .eml files in `folder`. */
  readonly url: string | null;
  readonly folder: string;
  readonly dkim: { readonly key: string; readonly selector: string } | null;
}

const connectionMs = 30_000;
const silenceMs = 60_000;
const answerCharactersMax = 500;

/** The way out for mail. */
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
    socketTimeout: silenceMs,
  });
  return async (mail, signal) => {
    try {
      const { response } = await transport.sendMail({ ...messageOf(mail, settings), signal });
      return response.slice(0, answerCharactersMax);
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
    if (!Buffer.isBuffer(message)) throw new Error('a mail was made that is no bytes');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${mail.id}.eml`);
    await writePrivateFile(file, message);
    return `kept as ${file}`;
  };
}

/** What texts name is never opened: no file and no address is read for a mail. */
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

/** Only what is said of the recipient or of the mail itself is final: the rest can be mended. */
function toMailSendFailed(error: unknown): MailSendFailed {
  const { code, command, responseCode = 0, response, message } = error as SmtpError;
  const isRefused = responseCode >= 500 && responseCode < 600 && responseCode !== 503;
  const isOfRecipient = command === 'RCPT TO';
  const isOfMail = command === 'DATA';
  const isImpossible = code === 'EENVELOPE' && command === 'API';
  return new MailSendFailed((response ?? message).slice(0, answerCharactersMax), {
    isPermanent: isImpossible || (isRefused && (isOfRecipient || isOfMail)),
    isRecipientRejected: isRefused && isOfRecipient,
    cause: error,
  });
}
