import type { Attachment, ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { recordErasures } from '../../../instance/erasure-ledger.ts';
import { AppError } from '../../../kernel/errors.ts';
import { contentDisposition } from '../../../kernel/filename.ts';
import { toPagination } from '../../../kernel/pagination.ts';
import { requireActiveAccount } from '../../accounts/index.ts';
import { readBlobChunks, scheduleBlobRemoval } from '../../blobs/index.ts';
import { type App, type Ctx, withTransaction } from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { requireMail } from '../inbound/history.ts';
import { clearRawBlob } from '../inbound/store/mails.ts';
import { attachmentUrl, isValidAttachmentLink } from './link.ts';
import {
  type AttachmentRecord,
  deleteAttachment,
  findAttachment,
  findAttachmentById,
  listAttachmentRows,
} from './store/attachments.ts';

const presentAttachment = (row: AttachmentRecord): Attachment => ({
  id: row.id,
  mailId: row.mail_id,
  filename: row.filename,
  contentType: row.content_type,
  size: row.bytes,
  sha256: Buffer.from(row.sha256).toString('hex'),
  memoryId: row.memory_id,
  createdAt: row.created_at.toISOString(),
});

/** Throws 404 not_found, 403 space_access_denied. */
export async function listAttachments(
  ctx: Ctx,
  mailId: string,
  query: ValidatedRequest<typeof routes.email.listAttachments>['query'],
): Promise<ResponseBody<typeof routes.email.listAttachments>> {
  const mail = await requireMail(ctx, mailId);
  const { rows, total } = await listAttachmentRows(ctx.engine.db, mail.account_id, mail.id, query);
  const data = rows.map(presentAttachment);
  return { data, pagination: toPagination(query, total, data.length) };
}

export const getAttachment = async (ctx: Ctx, id: string): Promise<Attachment> =>
  presentAttachment(await requireAttachment(ctx, id));

/** Requires access to its mail. Throws 404 not_found, 403 space_access_denied. */
async function requireAttachment(ctx: Ctx, id: string): Promise<AttachmentRecord> {
  const row = await findAttachment(ctx.engine.db, ctx.actor.accountId, id);
  if (!row) throw new AppError('not_found');
  await requireMail(ctx, row.mail_id);
  return row;
}

export async function createAttachmentLink(
  ctx: Ctx,
  id: string,
  { expiresIn }: ValidatedRequest<typeof routes.email.downloadAttachment>['query'],
): Promise<ResponseBody<typeof routes.email.downloadAttachment>> {
  const row = await requireAttachment(ctx, id);
  const expires = Math.floor(ctx.clock.now().getTime() / 1_000) + expiresIn;
  return { url: attachmentUrl(ctx, row.id, expires), expiresIn };
}

/**
 * Downloads an attachment by its signed link. Browsers must not render it, because the content is
 * untrusted. Throws 403 insufficient_permissions if the link is expired or invalid or the account
 * is suspended, 404 not_found.
 */
export async function downloadByAttachmentLink(
  app: App,
  id: string,
  link: ValidatedRequest<typeof routes.email.attachmentContent>['query'],
): Promise<Reply<undefined>> {
  if (!isValidAttachmentLink(app, id, link)) {
    const message = 'The link is expired or invalid. Request a new link.';
    throw new AppError('insufficient_permissions', { message });
  }
  const row = await findAttachmentById(app.engine.db, id);
  if (!row) throw new AppError('not_found');
  await requireActiveAccount(app.engine.db, row.account_id);
  return new Reply<undefined>(readBlobChunks(app, row.blob), {
    headers: {
      'content-type': safeContentType(row.content_type),
      'content-length': String(row.bytes),
      'content-disposition': contentDisposition('attachment', row.filename),
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    },
  });
}

const safeContentType = (contentType: string): string =>
  /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,100}$/.test(contentType)
    ? contentType
    : 'application/octet-stream';

/** Throws 404 not_found, 403 space_access_denied. */
export async function removeAttachment(ctx: Ctx, id: string): Promise<void> {
  await requireAttachment(ctx, id);
  if (!(await eraseAttachment(ctx, id))) throw new AppError('not_found');
}

/** Deletes the attachment and its blob; false if it does not exist. */
export const eraseAttachment = (ctx: Ctx, id: string): Promise<boolean> =>
  withTransaction(ctx, async (inTx) => {
    const removed = await deleteAttachment(inTx.tx, inTx.actor.accountId, id);
    if (!removed) return false;
    await recordErasures(inTx, 'attachment', [id]);
    // The raw mail contains the attachment, too.
    const raw = await clearRawBlob(inTx.tx, inTx.actor.accountId, removed.mail_id);
    await scheduleBlobRemoval(inTx, raw === null ? [removed.blob] : [removed.blob, raw]);
    return true;
  });
