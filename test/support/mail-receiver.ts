import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A mail as another server got it. */
export interface ReceivedMail {
  /** The sender of its envelope; empty: nobody. */
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly mail: ParsedMail;
  readonly isEncrypted: boolean;
}

export interface MailReceiver extends AsyncDisposable {
  /** For MNEME_SMTP_URL. */
  readonly url: string;
  readonly received: ReceivedMail[];
  /** Refuses a recipient by this code, or the whole mail where it says so of `data`. */
  setRejection(rule: RejectionRule): void;
  /** Those that went to it so far. */
  receivedBy(recipient: string): ReceivedMail[];
}

/** An SMTP code for a recipient, or for what was sent to it; null: it is taken. */
type RejectionRule = (recipient: string, at: 'rcpt' | 'data') => number | null;

const smtpError = (code: number): Error =>
  Object.assign(new Error(`refused by the test with ${code}`), { responseCode: code });

/**
 * A second real SMTP server, which takes what the service sends; with a certificate (PEM) it offers
 * STARTTLS.
 */
export async function startMailReceiver(
  tls: { readonly key: string; readonly cert: string } | null = null,
): Promise<MailReceiver> {
  const received: ReceivedMail[] = [];
  let refuses: RejectionRule = () => null;
  const server = new SMTPServer({
    authOptional: true,
    ...(tls === null
      ? { disabledCommands: ['AUTH', 'STARTTLS'] }
      : { disabledCommands: ['AUTH'], key: tls.key, cert: tls.cert }),
    disableReverseLookup: true,
    onRcptTo({ address }, _session, done) {
      const code = refuses(address, 'rcpt');
      done(code === null ? undefined : smtpError(code));
    },
    onData(stream, { envelope, secure: isEncrypted }, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => void pieces.push(piece));
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const code = to.map((one) => refuses(one, 'data')).find((one) => one !== null);
        if (code) {
          done(smtpError(code));
          return;
        }
        const raw = Buffer.concat(pieces);
        void simpleParser(raw).then((mail) => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          received.push({ from, to, raw: raw.toString('latin1'), mail, isEncrypted });
          done();
        }, done);
      });
    },
  });
  // Whoever sends may be killed in the midst of it.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    setRejection(rule) {
      refuses = rule;
    },
    receivedBy: (recipient) => received.filter(({ to }) => to.includes(recipient)),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
