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
import { countInboundMail, type Mailbox, resolveMailbox } from '../domains/email/index.ts';
import { type Delivery, deliver } from './deliver.ts';
import { ConnectionLimiter, enforceTransferLimits } from './limits.ts';
import { SmtpReplyError, toSmtpReplyError } from './reply-error.ts';

/** Listens for mail; the port is the one that it got. */
export interface MailServer {
  readonly port: number;
  /** Takes nothing more, and lets what is under way end. */
  close(): Promise<void>;
}

const clientsMax = 200;
const clientsPerNetworkMax = 50;
const idleMs = 60_000;
/** Of a stop: what is still being sent by then comes again later. */
const closeMs = 5_000;

/** What a connection is about to hand in, beside what the library keeps of it. */
type PendingRecipients = Map<string, Mailbox>;

/**
 * Takes mail in by SMTP and hands it to the domain. Each recipient is looked up and counted when
 * it is named, so that nobody's megabytes are taken in for an address that takes none.
 */
export async function createMailServer(
  app: App,
  smtp: NonNullable<App['config']['email']['smtp']>,
): Promise<MailServer> {
  const pending = new WeakMap<SMTPServerSession, PendingRecipients>();
  const pendingOf = (session: SMTPServerSession): PendingRecipients => {
    const known = pending.get(session) ?? new Map();
    pending.set(session, known);
    return known;
  };
  const shares = new ConnectionLimiter(clientsPerNetworkMax);
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
    onConnect(session, answer) {
      respondWith(app, shares.admit(session), answer);
    },
    onClose(session) {
      shares.release(session);
    },
    onMailFrom(_address, session, answer) {
      pending.delete(session);
      answer();
    },
    onRcptTo(address, session, answer) {
      respondWith(app, admitRecipient(app, address, session, pendingOf(session)), answer);
    },
    onData(stream, session, answer) {
      const recipients = [...pendingOf(session).values()];
      pending.delete(session);
      const delivery = { recipients, envelope: toEnvelope(session) };
      const limit = enforceTransferLimits(app.clock, stream, socketOf(server, session));
      const taken = receiveMail(app, stream, delivery).finally(() => limit[Symbol.dispose]());
      respondWith(app, taken, answer);
    },
  });
  server.on('error', (error: Error) => app.log.debug({ err: error }, 'a mail client was cut off'));
  await startListening(server, smtp);
  const { port } = server.server.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => void server.close(() => resolve())) };
}

function socketOf(server: SMTPServer, session: SMTPServerSession): Socket {
  const connection = [...server.connections].find((one) => one.session === session);
  if (!connection) throw new Error('a mail has no connection');
  return connection._socket;
}

async function startListening(
  server: SMTPServer,
  at: { host: string; port: number },
): Promise<void> {
  const heard = Promise.withResolvers<void>();
  server.server.once('error', heard.reject);
  server.listen(at.port, at.host, () => heard.resolve());
  await heard.promise;
  server.server.removeListener('error', heard.reject);
}

/** An answer for the library: null for 250, or an error with the code that it is to send. */
function respondWith(
  app: App,
  work: Promise<unknown>,
  answer: (error?: Error | null, message?: string) => void,
): void {
  work.then(
    () => answer(null),
    (error: unknown) => answer(toSmtpReplyError(app, error)),
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
    throw new SmtpReplyError(452, '4.5.3', `Send it to at most ${max} recipients at once`);
  }
  const known = await resolveMailbox(app, address, toEnvelope(session).sender);
  await countInboundMail(app, known);
  pending.set(key, known);
}

const toEnvelope = ({ envelope, remoteAddress, hostNameAppearsAs }: SMTPServerSession) => ({
  sender: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
  ip: remoteAddress,
  helo: hostNameAppearsAs || null,
});

/** What is not read to its end would leave the connection in the middle of a mail. */
async function receiveMail(
  app: App,
  stream: SMTPServerDataStream,
  delivery: Delivery,
): Promise<void> {
  try {
    await deliver(app, stream.iterator({ destroyOnReturn: false }), delivery);
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
