import { AppError } from '../../../kernel/errors.ts';
import { lockAccountForShare } from '../../accounts/index.ts';
import { type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { splitAddress } from '../model.ts';
import { recordBounce } from '../outbound/bounces.ts';
import { suppressRecipient } from '../outbound/queue.ts';
import { listKnownRecipients } from '../outbound/store/outbound-mails.ts';
import { parseSignedAddress, recipientTagOf } from '../signed-addresses.ts';
import { deleteAttachmentBlobs, type MailContent, readMailContent } from './content.ts';
import { type InboundMailRecord, requireRawBlob } from './store/mails.ts';

type CompleteNotice = (inTx: TxCtx, reason: string) => Promise<void>;

/** Processes mail to a return path or an unsubscribe address; it has no other effect. */
export const processMailToSignedAddress = (
  ctx: Ctx,
  mail: InboundMailRecord,
  complete: CompleteNotice,
): Promise<void> =>
  mail.purpose === 'bounce'
    ? processBounce(ctx, mail, complete)
    : processUnsubscribe(ctx, mail, complete);

async function processBounce(
  ctx: Ctx,
  mail: InboundMailRecord,
  complete: CompleteNotice,
): Promise<void> {
  const content = await readMailContent(ctx.blobs, requireRawBlob(mail));
  await deleteAttachmentBlobs(ctx.blobs, content.parts);
  const { outbound_id: outboundId } = mail;
  const failure = parseDeliveryFailure(content);
  await withTransaction(ctx, async (inTx) => {
    if (failure !== null && outboundId !== null)
      await recordBounce(inTx, { outboundId, ...failure });
    await complete(
      inTx,
      failure === null
        ? 'The mail reports no failed delivery.'
        : 'The bounce of a mail was recorded.',
    );
  });
}

/** The permanent failure in a delivery status notification (RFC 3464); null for a delay. */
function parseDeliveryFailure({
  reports,
}: MailContent): { recipient: string | null; detail: string } | null {
  const text = reports.join('\n');
  const status = /^status:\s*(\d\.\d{1,3}\.\d{1,3})/im.exec(text)?.[1];
  const action = /^action:\s*(\w+)/im.exec(text)?.[1]?.toLowerCase();
  if (action !== 'failed' && !status?.startsWith('5')) return null;
  const recipient = /^(?:final|original)-recipient:\s*[^;\n]{1,40};\s*<?([^\s<>]+@[^\s<>]+)/im;
  const detail = /^diagnostic-code:\s*(.{1,500})/im.exec(text)?.[1] ?? status ?? 'failed';
  return { recipient: recipient.exec(text)?.[1]?.toLowerCase() ?? null, detail: detail.trim() };
}

/** The address has only a hash of the recipient, which is compared with all known recipients. */
async function processUnsubscribe(
  ctx: Ctx,
  mail: InboundMailRecord,
  complete: CompleteNotice,
): Promise<void> {
  const { accountId } = ctx.actor;
  const parts = splitAddress(mail.recipient);
  const signed = parts && parseSignedAddress(ctx, parts.localPart, ctx.clock.now());
  if (signed?.purpose !== 'unsubscribe') throw new AppError('internal_error');
  await withTransaction(ctx, async (inTx) => {
    const account = await lockAccountForShare(inTx.tx, accountId);
    const contact = account?.contact_email ?? ctx.config.contactEmail;
    const known = [mail.sender, mail.envelope_sender, contact];
    const isRecipient = (email: string): boolean =>
      recipientTagOf(ctx, accountId, email) === signed.recipientTag;
    const email =
      known.find(isRecipient) ?? (await listKnownRecipients(inTx.tx, accountId)).find(isRecipient);
    if (email === undefined)
      return complete(inTx, 'No mail is sent to the recipient of this unsubscribe address.');
    await suppressRecipient(inTx, { email, reason: 'unsubscribe', detail: null });
    return complete(inTx, 'The recipient was unsubscribed from digests and reactions.');
  });
}
