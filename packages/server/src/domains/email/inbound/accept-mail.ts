import { createHash } from 'node:crypto';
import { limits } from '@mneme/contract';
import type { Tx } from '../../../database/index.ts';
import { enqueue } from '../../../jobs/job-queue.ts';
import { AppError } from '../../../kernel/errors.ts';
import { BlobTooLarge, type StoredBlob } from '../../../providers/blobs/index.ts';
import { type MailHeader, parseMailHeader } from '../../../providers/mail/index.ts';
import { findAccountActor } from '../../accounts/index.ts';
import { scheduleBlobRemoval } from '../../blobs/index.ts';
import { type App, runInTransaction } from '../../ctx.ts';
import { listAttachmentBlobs } from '../attachments/store.ts';
import { evaluateSender } from '../senders/model.ts';
import { senderRules } from '../senders/store.ts';
import { processMailKind } from './job-kinds.ts';
import type { Mailbox } from './mailbox.ts';
import {
  deleteMails,
  findMailByKey,
  type InboundMailRecord,
  insertMail,
  lockRejectedMail,
} from './store/mails.ts';

/** Who handed a mail in, as far as it is known. */
export interface Envelope {
  /** Empty: a bounce. */
  readonly sender: string;
  readonly ip: string | null;
  readonly helo: string | null;
  /** By HTTP: the relay has authenticated the From field. */
  readonly isRelayAuthenticated?: boolean;
}

/** A mail that is durable, and not yet anybody's. */
export interface RawMail {
  readonly blob: StoredBlob;
  readonly head: MailHeader;
}

const headBytesMax = 256 * 1024;

/**
 * Writes a raw mail to the blob store as it arrives, and reads its header. Throws 413
 * payload_too_large beyond its most bytes, or 256 KB of header, and what the source throws.
 */
export async function storeRawMail(
  app: App,
  source: AsyncIterable<Uint8Array>,
  bytesMax: number = limits.mailBytesMax,
): Promise<RawMail> {
  const head = new HeadCollector();
  let kept: StoredBlob;
  try {
    kept = await app.blobs.write(head.passThrough(source), { bytesMax });
  } catch (error) {
    if (!(error instanceof BlobTooLarge)) throw error;
    throw mailTooLargeError(`A mail has at most ${bytesMax} bytes here.`);
  }
  return { blob: kept, head: await parseMailHeader(head.bytes) };
}

const mailTooLargeError = (message: string): AppError =>
  new AppError('payload_too_large', { message });

/** The bytes up to the first empty line, as they pass by. */
class HeadCollector {
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isComplete = false;

  get bytes(): Uint8Array {
    return Buffer.concat(this.#pieces);
  }

  async *passThrough(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      if (!this.#isComplete) this.#collect(piece);
      yield piece;
    }
  }

  #collect(piece: Uint8Array): void {
    this.#pieces.push(piece);
    // The empty line may stand across two pieces.
    const last = Buffer.concat(this.#pieces.slice(-2));
    const ends = [last.indexOf('\r\n\r\n'), last.indexOf('\n\n')].filter((at) => at >= 0);
    const before = this.#bytes - (last.length - piece.length);
    this.#bytes += piece.length;
    this.#isComplete = ends.length > 0;
    const headBytes = this.#isComplete ? before + Math.min(...ends) : this.#bytes;
    if (headBytes > headBytesMax) {
      throw mailTooLargeError(`The header of a mail has at most ${headBytesMax} bytes.`);
    }
  }
}

export interface AcceptedMail {
  readonly id: string;
  /** False where the mail was there already: its bytes are those that came first. */
  readonly isNew: boolean;
  readonly status: InboundMailRecord['status'];
  readonly reason: string | null;
}

/**
 * Gives a mail that is durable to an account: it is in its history, once, and what it asks for is
 * queued. A sender that the account's rules refuse is recorded as such; mail to a signed address
 * needs no rule.
 */
export async function acceptMail(
  app: App,
  mailbox: Mailbox,
  { raw, envelope, isOverLimit }: { raw: RawMail; envelope: Envelope; isOverLimit: boolean },
): Promise<AcceptedMail> {
  const { head, blob } = raw;
  const now = app.clock.now();
  const { accountId, purpose } = mailbox;
  const refusal =
    purpose === 'memory' ? await findRejectionReason(app, accountId, head, envelope) : null;
  const status: InboundMailRecord['status'] =
    refusal !== null ? 'rejected' : isOverLimit ? 'rate_limited' : 'received';
  const row = {
    account_id: accountId,
    id: app.ids.uuid(),
    message_key: dedupeKeyOf(raw, mailbox),
    message_id: head.messageId,
    thread: [...head.thread],
    sender: head.from[0] ?? envelope.sender,
    envelope_sender: envelope.sender,
    recipient: mailbox.address,
    client_ip: envelope.ip,
    client_helo: envelope.helo,
    subject: head.subject,
    status,
    reason: refusal,
    purpose,
    outbound_id: mailbox.outboundId,
    is_declared: envelope.isRelayAuthenticated ?? false,
    raw_blob: blob.name,
    raw_bytes: blob.bytes,
    created_at: now,
    processed_at: status === 'received' ? null : now,
  } satisfies Parameters<typeof insertMail>[1];
  return runInTransaction(app, async (tx) => {
    if (status === 'received') await deleteRejectedMail(app, tx, row);
    const made = await insertMail(tx, row);
    const mail = made ?? (await findMailByKey(tx, accountId, row.message_key));
    if (!mail) throw new AppError('internal_error');
    if (made?.status === 'received') {
      await enqueue(tx, {
        id: app.ids.uuid(),
        accountId,
        kind: processMailKind,
        payload: { mailId: made.id },
        spaces: null,
        runAt: now,
        dedupeKey: `${processMailKind}:${made.id}`,
      });
    }
    const { id, status: standing, reason } = mail;
    return { id, isNew: made !== undefined, status: standing, reason };
  });
}

/**
 * A mail that was refused, or came over a limit, holds its key against nobody: what comes again
 * takes its place, with nothing of it, since anybody may send a mail in another's name.
 */
async function deleteRejectedMail(
  { ids, clock }: App,
  tx: Tx,
  row: { account_id: string; message_key: Uint8Array },
): Promise<void> {
  const refused = await lockRejectedMail(tx, row);
  if (!refused) return;
  const attached = await listAttachmentBlobs(tx, row.account_id, [refused.id]);
  await scheduleBlobRemoval(
    { tx, ids, clock },
    refused.raw_blob === null ? attached : [refused.raw_blob, ...attached],
  );
  await deleteMails(tx, row.account_id, [refused.id]);
}

/** Its author must pass; who handed it in, often a service, must not be blocked. */
async function findRejectionReason(
  app: App,
  accountId: string,
  head: MailHeader,
  { sender }: Envelope,
): Promise<string | null> {
  const rules = await senderRules(app.engine.db, accountId);
  const account = await findAccountActor(app.engine.db, accountId);
  const unknown = account?.actor.settings.email.accept_unknown;
  const authors = head.from.length > 0 ? head.from : [sender];
  for (const author of authors) {
    const { allowed, reason } = evaluateSender(rules, author, unknown);
    if (!allowed) return reason ?? blockedSender;
  }
  const { rule, reason } = evaluateSender(rules, sender);
  return rule?.rule_type === 'block' ? (reason ?? blockedSender) : null;
}

const blockedSender = 'The sender is blocked.';

/** The same for a mail that comes again; with its author, so that nobody spends another's. */
function dedupeKeyOf({ head, blob }: RawMail, { purpose, address }: Mailbox): Uint8Array {
  const hash = createHash('sha256');
  if (purpose !== 'memory') hash.update(`${purpose}\0${address}\0`);
  return head.messageId === null
    ? hash.update('bytes\0').update(blob.sha256).digest()
    : hash.update(`id\0${head.messageId}\0${head.from[0] ?? ''}`).digest();
}
