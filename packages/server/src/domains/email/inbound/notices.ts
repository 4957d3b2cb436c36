import { AppError } from '../../../kernel/errors.ts';
import { holdAccount } from '../../accounts/index.ts';
import { type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { splitAddress } from '../model.ts';
import { noteBounce } from '../outbound/bounces.ts';
import { suppress } from '../outbound/queue.ts';
import { writtenTo } from '../outbound/store.ts';
import { readSignedAddress, recipientTagOf } from '../signed-addresses.ts';
import { forget, type MailContent, readContent } from './content.ts';
import { type MailRecord, rawOf } from './store/mails.ts';

type End = (inTx: TxCtx, reason: string) => Promise<void>;

/** Mail to a return path or an unsubscribe address: it has this one effect, or none. */
export const actOnNotice = (ctx: Ctx, mail: MailRecord, end: End): Promise<void> =>
  mail.purpose === 'bounce' ? actOnBounce(ctx, mail, end) : actOnUnsubscribe(ctx, mail, end);

async function actOnBounce(ctx: Ctx, mail: MailRecord, end: End): Promise<void> {
  const content = await readContent(ctx.blobs, rawOf(mail));
  await forget(ctx.blobs, content.parts);
  const { outbound_id: outboundId } = mail;
  const failure = failureIn(content);
  await withTransaction(ctx, async (inTx) => {
    if (failure !== null && outboundId !== null) await noteBounce(inTx, { outboundId, ...failure });
    await end(inTx, failure === null ? 'It reports no failed delivery.' : 'A mail came back.');
  });
}

/** What a notice of delivery (RFC 3464) says failed for good; a delay is no failure. */
function failureIn({ reports }: MailContent): { recipient: string | null; detail: string } | null {
  const text = reports.join('\n');
  const status = /^status:\s*(\d\.\d{1,3}\.\d{1,3})/im.exec(text)?.[1];
  const action = /^action:\s*(\w+)/im.exec(text)?.[1]?.toLowerCase();
  if (action !== 'failed' && !status?.startsWith('5')) return null;
  const recipient = /^(?:final|original)-recipient:\s*[^;\n]{1,40};\s*<?([^\s<>]+@[^\s<>]+)/im;
  const detail = /^diagnostic-code:\s*(.{1,500})/im.exec(text)?.[1] ?? status ?? 'failed';
  return { recipient: recipient.exec(text)?.[1]?.toLowerCase() ?? null, detail: detail.trim() };
}

/** The address names its recipient by a tag: it is looked for among all that we write to. */
async function actOnUnsubscribe(ctx: Ctx, mail: MailRecord, end: End): Promise<void> {
  const { accountId } = ctx.actor;
  const parts = splitAddress(mail.recipient);
  const signed = parts && readSignedAddress(ctx, parts.localPart, ctx.clock.now());
  if (signed?.purpose !== 'unsubscribe') throw new AppError('internal_error');
  await withTransaction(ctx, async (inTx) => {
    const account = await holdAccount(inTx.tx, accountId);
    const contact = account?.contact_email ?? ctx.config.contactEmail;
    const known = [mail.sender, mail.envelope_sender, contact];
    const isMeant = (email: string): boolean =>
      recipientTagOf(ctx, accountId, email) === signed.recipientTag;
    const email = known.find(isMeant) ?? (await writtenTo(inTx.tx, accountId)).find(isMeant);
    if (email === undefined) return end(inTx, 'Nothing is sent to the recipient that it names.');
    await suppress(inTx, { email, reason: 'unsubscribe', detail: null });
    return end(inTx, 'It ends digests and reactions to its recipient.');
  });
}
