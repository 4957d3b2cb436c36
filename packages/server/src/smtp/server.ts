import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { limits } from '@mneme/contract';
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from 'smtp-server';
import type { App } from '../domains/ctx.ts';
import { enforceMailboxRateLimits, type Mailbox, resolveMailbox } from '../domains/email/index.ts';
import { deliverMail, type MailDelivery } from './deliver.ts';
import { ConnectionLimiter, enforceTransferLimits } from './limits.ts';
import { SmtpReplyError, toSmtpReplyError } from './reply-error.ts';

/** A listening SMTP server and its actual port. */
export interface MailServer {
  readonly port: number;
  /** Accepts no more connections and waits for running deliveries. */
  close(): Promise<void>;
}

const clientsMax = 200;
const clientsPerNetworkMax = 50;
const idleMs = 60_000;
/** The timeout of a stop: senders repeat mails that are incomplete by then. */
const closeMs = 5_000;

/** The accepted recipients of a connection's current mail, by address. */
type PendingRecipients = Map<string, Mailbox>;

/**
 * Receives mail by SMTP for the email domain. It resolves and counts each recipient at RCPT TO, so
 * that a mail to an unknown address is rejected before its content is sent.
 */
export async function createMailServer(
  app: App,
  smtp: NonNullable<App['config']['email']['smtp']>,
): Promise<MailServer> {
  const pending = new WeakMap<SMTPServerSession, PendingRecipients>();
  const pendingOf = (session: SMTPServerSession): PendingRecipients => {
    const recipients = pending.get(session) ?? new Map();
    pending.set(session, recipients);
    return recipients;
  };
  const connectionLimiter = new ConnectionLimiter(clientsPerNetworkMax);
  const server = new SMTPServer({
    name: app.config.email.domain,
    banner: 'Mneme',
    size: limits.mailBytesMax,
    disabledCommands: ['AUTH'],
    authOptional: true,
    maxClients: clientsMax,
    socketTimeout: idleMs,
    closeTimeout: closeMs,
    disableReverseLookup: true,
    logger: false,
    ...(smtp.tls === null
      ? { hideSTARTTLS: true }
      : { key: readFileSync(smtp.tls.key), cert: readFileSync(smtp.tls.cert) }),
    onConnect(session, respond) {
      respondWith(app, connectionLimiter.admit(session), respond);
    },
    onClose(session) {
      connectionLimiter.release(session);
    },
    onMailFrom(_address, session, respond) {
      pending.delete(session);
      respond();
    },
    onRcptTo(address, session, respond) {
      respondWith(app, admitRecipient(app, address, session, pendingOf(session)), respond);
    },
    onData(stream, session, respond) {
      const recipients = [...pendingOf(session).values()];
      pending.delete(session);
      const delivery = { recipients, envelope: toEnvelope(session) };
      const limit = enforceTransferLimits(app.clock, stream, socketOf(server, session));
      const received = receiveMail(app, stream, delivery).finally(() => limit[Symbol.dispose]());
      respondWith(app, received, respond);
    },
  });
  server.on('error', (error: Error) => app.log.debug({ err: error }, 'SMTP connection closed'));
  await startListening(server, smtp);
  const { port } = server.server.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => void server.close(() => resolve())) };
}

function socketOf(server: SMTPServer, session: SMTPServerSession): Socket {
  const connection = [...server.connections].find((candidate) => candidate.session === session);
  if (!connection) throw new Error('the SMTP session has no connection');
  return connection._socket;
}

async function startListening(
  server: SMTPServer,
  at: { host: string; port: number },
): Promise<void> {
  const listening = Promise.withResolvers<void>();
  server.server.once('error', listening.reject);
  server.listen(at.port, at.host, () => listening.resolve());
  await listening.promise;
  server.server.removeListener('error', listening.reject);
}

/** Passes the result to the library: null for 250, or an error with the reply code. */
function respondWith(
  app: App,
  work: Promise<unknown>,
  respond: (error?: Error | null, message?: string) => void,
): void {
  work.then(
    () => respond(null),
    (error: unknown) => respond(toSmtpReplyError(app, error)),
  );
}

async function admitRecipient(
  app: App,
  { address }: SMTPServerAddress,
  session: SMTPServerSession,
  pending: PendingRecipients,
): Promise<void> {
  const max = limits.mailRecipientsMax;
  const key = address.toLowerCase();
  if (pending.has(key)) return;
  if (pending.size >= max) {
    throw new SmtpReplyError(452, '4.5.3', `Too many recipients: the limit is ${max} per mail`);
  }
  const mailbox = await resolveMailbox(app, address, toEnvelope(session).sender);
  await enforceMailboxRateLimits(app, mailbox);
  pending.set(key, mailbox);
}

const toEnvelope = ({ envelope, remoteAddress, hostNameAppearsAs }: SMTPServerSession) => ({
  sender: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
  ip: remoteAddress,
  helo: hostNameAppearsAs || null,
});

/** Reads the stream to its end in any case: otherwise the connection would stay inside the mail. */
async function receiveMail(
  app: App,
  stream: SMTPServerDataStream,
  delivery: MailDelivery,
): Promise<void> {
  try {
    await deliverMail(app, stream.iterator({ destroyOnReturn: false }), delivery);
  } finally {
    stream.resume();
    if (!stream.readableEnded && !stream.destroyed) {
      await new Promise<void>((resolve) => {
        stream.once('end', resolve);
        stream.once('close', resolve);
      });
    }
  }
}
