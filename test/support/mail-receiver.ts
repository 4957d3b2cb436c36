import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A mail that the fake server has received. */
export interface ReceivedMail {
  /** The envelope sender; empty for a null sender. */
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
  /** Rejects recipients or, for `data`, the whole mail. */
  setRejection(rule: RejectionRule): void;
  receivedBy(recipient: string): ReceivedMail[];
}

/** The SMTP code that rejects a recipient or its mail; null accepts it. */
type RejectionRule = (recipient: string, at: 'rcpt' | 'data') => number | null;

const smtpError = (code: number): Error =>
  Object.assign(new Error(`refused by the test with ${code}`), { responseCode: code });

/**
 * A real SMTP server that receives the mail of the service; with a certificate (PEM), it offers
 * STARTTLS.
 */
export async function startMailReceiver(
  tls: { readonly key: string; readonly cert: string } | null = null,
): Promise<MailReceiver> {
  const received: ReceivedMail[] = [];
  let rejection: RejectionRule = () => null;
  const server = new SMTPServer({
    authOptional: true,
    ...(tls === null
      ? { disabledCommands: ['AUTH', 'STARTTLS'] }
      : { disabledCommands: ['AUTH'], key: tls.key, cert: tls.cert }),
    disableReverseLookup: true,
    onRcptTo({ address }, _session, done) {
      const code = rejection(address, 'rcpt');
      done(code === null ? undefined : smtpError(code));
    },
    onData(stream, { envelope, secure: isEncrypted }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const code = to
          .map((recipient) => rejection(recipient, 'data'))
          .find((rejected) => rejected !== null);
        if (code) {
          done(smtpError(code));
          return;
        }
        const raw = Buffer.concat(chunks);
        void simpleParser(raw).then((mail) => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          received.push({ from, to, raw: raw.toString('latin1'), mail, isEncrypted });
          done();
        }, done);
      });
    },
  });
  // The sending process may be killed during a transfer.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    setRejection(rule) {
      rejection = rule;
    },
    receivedBy: (recipient) => received.filter(({ to }) => to.includes(recipient)),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
