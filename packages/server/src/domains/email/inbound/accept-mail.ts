import { createHash } from 'node:crypto';
import { limits, type Owner } from '@mneme/contract';
import type { Tx } from '../../../database/index.ts';
import { enqueueJob } from '../../../jobs/job-queue.ts';
import { AppError } from '../../../kernel/errors.ts';
import { BlobTooLarge, type StoredBlob } from '../../../providers/blobs/index.ts';
import { type MailHeader, parseMailHeader } from '../../../providers/mail/index.ts';
import { findAccountActor } from '../../accounts/index.ts';
import { scheduleBlobRemoval } from '../../blobs/index.ts';
import { type App, runInTransaction } from '../../ctx.ts';
import { listAttachmentBlobs } from '../attachments/store/attachments.ts';
import { toOwner } from '../owner.ts';
import { evaluateSender } from '../senders/model.ts';
import { findSenderRules } from '../senders/store/sender-rules.ts';
import { processMailKind } from './job-kinds.ts';
import type { Mailbox } from './mailbox.ts';
import {
  deleteMails,
  findMailByKey,
  type InboundMailRecord,
  insertMail,
  lockRejectedMail,
} from './store/mails.ts';

/** The sender of a mail, as far as it is known. */
export interface Envelope {
  /** Empty for a bounce. */
  readonly sender: string;
  readonly ip: string | null;
  readonly helo: string | null;
  /** Only for HTTP: the relay has authenticated the From field. */
  readonly isRelayAuthenticated?: boolean;
  /** Only for HTTP: whom the relay says that the mail belongs to. */
  readonly owner?: Owner;
}

/** A durable mail that is not assigned to an account yet. */
export interface RawMail {
  readonly blob: StoredBlob;
  readonly head: MailHeader;
}

const headBytesMax = 256 * 1024;

/**
 * Streams a raw mail to the blob store and parses its header. Throws 413 payload_too_large for more
 * than `bytesMax` bytes or 256 KB of header, and the errors of the source.
 */
export async function storeRawMail(
  app: App,
  source: AsyncIterable<Uint8Array>,
  bytesMax: number = limits.mailBytesMax,
): Promise<RawMail> {
  const head = new HeadCollector();
  let stored: StoredBlob;
  try {
    stored = await app.blobs.write(head.passThrough(source), { bytesMax });
  } catch (error) {
    if (!(error instanceof BlobTooLarge)) throw error;
    throw mailTooLargeError(`The mail is larger than the limit of ${bytesMax} bytes.`);
  }
  return { blob: stored, head: await parseMailHeader(head.bytes) };
}

const mailTooLargeError = (message: string): AppError =>
  new AppError('payload_too_large', { message });

/** Collects the bytes up to the first empty line while they pass through. */
class HeadCollector {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isComplete = false;

  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  async *passThrough(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      if (!this.#isComplete) this.#collect(chunk);
      yield chunk;
    }
  }

  #collect(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    // The empty line may span two chunks.
    const last = Buffer.concat(this.#chunks.slice(-2));
    const ends = [last.indexOf('\r\n\r\n'), last.indexOf('\n\n')].filter((at) => at >= 0);
    const before = this.#bytes - (last.length - chunk.length);
    this.#bytes += chunk.length;
    this.#isComplete = ends.length > 0;
    const headBytes = this.#isComplete ? before + Math.min(...ends) : this.#bytes;
    if (headBytes > headBytesMax) {
      throw mailTooLargeError(
        `The header of the mail is larger than the limit of ${headBytesMax} bytes.`,
      );
    }
  }
}

export interface AcceptedMail {
  readonly id: string;
  /** False for a duplicate: the stored bytes are those of the first delivery. */
  readonly isNew: boolean;
  readonly status: InboundMailRecord['status'];
  readonly reason: string | null;
}

/**
 * Assigns a durable mail to an account: inserts it into the history once and queues its processing.
 * If the account's rules reject the sender, the mail is stored as rejected. Mail to a signed
 * address needs no rule.
 */
export async function acceptMail(
  app: App,
  mailbox: Mailbox,
  { raw, envelope, isOverLimit }: { raw: RawMail; envelope: Envelope; isOverLimit: boolean },
): Promise<AcceptedMail> {
  const { head, blob } = raw;
  const now = app.clock.now();
  const { accountId, purpose } = mailbox;
  const { owner = toOwner({}) } = envelope;
  const rejectionReason =
    purpose === 'memory' ? await findRejectionReason(app, accountId, head, envelope) : null;
  const status: InboundMailRecord['status'] =
    rejectionReason !== null ? 'rejected' : isOverLimit ? 'rate_limited' : 'received';
  const row = {
    account_id: accountId,
    id: app.ids.uuid(),
    message_key: dedupeKeyOf(raw, mailbox, owner),
    message_id: head.messageId,
    thread: [...head.thread],
    sender: head.from[0] ?? envelope.sender,
    envelope_sender: envelope.sender,
    recipient: mailbox.address,
    client_ip: envelope.ip,
    client_helo: envelope.helo,
    subject: head.subject,
    status,
    reason: rejectionReason,
    purpose,
    outbound_id: mailbox.outboundId,
    ...owner,
    is_relay_authenticated: envelope.isRelayAuthenticated ?? false,
    raw_blob: blob.name,
    raw_bytes: blob.bytes,
    created_at: now,
    processed_at: status === 'received' ? null : now,
  } satisfies Parameters<typeof insertMail>[1];
  return runInTransaction(app, async (tx) => {
    if (status === 'received') await deleteRejectedMail(app, tx, row);
    const inserted = await insertMail(tx, row);
    const mail = inserted ?? (await findMailByKey(tx, accountId, row.message_key));
    if (!mail) throw new AppError('internal_error');
    if (inserted?.status === 'received') {
      await enqueueJob(tx, {
        id: app.ids.uuid(),
        accountId,
        kind: processMailKind,
        payload: { mailId: inserted.id, owner },
        spaces: null,
        runAt: now,
        dedupeKey: `${processMailKind}:${inserted.id}`,
      });
    }
    const { id, status: mailStatus, reason } = mail;
    return { id, isNew: inserted !== undefined, status: mailStatus, reason };
  });
}

/**
 * Deletes a rejected or rate-limited mail with the same key, so that the new mail replaces it.
 * Otherwise, a forged mail could block the key of a genuine one.
 */
async function deleteRejectedMail(
  { ids, clock }: App,
  tx: Tx,
  row: { account_id: string; message_key: Uint8Array },
): Promise<void> {
  const rejected = await lockRejectedMail(tx, row);
  if (!rejected) return;
  const attached = await listAttachmentBlobs(tx, row.account_id, [rejected.id]);
  await scheduleBlobRemoval(
    { tx, ids, clock },
    rejected.raw_blob === null ? attached : [rejected.raw_blob, ...attached],
  );
  await deleteMails(tx, row.account_id, [rejected.id]);
}

/** The rules must allow every author; the envelope sender, often a service, must not be blocked. */
async function findRejectionReason(
  app: App,
  accountId: string,
  head: MailHeader,
  { sender }: Envelope,
): Promise<string | null> {
  const rules = await findSenderRules(app.engine.db, accountId);
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

/**
 * Equal for duplicates, which are those of one owner. Includes the author, so that others cannot
 * use up a Message-ID.
 */
function dedupeKeyOf(
  { head, blob }: RawMail,
  { purpose, address }: Mailbox,
  { user_id, agent_id, run_id }: Owner,
): Uint8Array {
  const hash = createHash('sha256');
  if (purpose !== 'memory') hash.update(`${purpose}\0${address}\0`);
  const owner = [user_id, agent_id, run_id].map((name) => name ?? '').join('\0');
  if (owner !== '\0\0') hash.update(`owner\0${owner}\0`);
  return head.messageId === null
    ? hash.update('bytes\0').update(blob.sha256).digest()
    : hash.update(`id\0${head.messageId}\0${head.from[0] ?? ''}`).digest();
}
