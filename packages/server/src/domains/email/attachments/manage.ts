import type { Answer, Attachment, Checked, routes } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { dispositionOf } from '../../../kernel/filename.ts';
import { paginationOf } from '../../../kernel/page.ts';
import { recordErasures } from '../../../work/erasures.ts';
import { requireActive } from '../../accounts/index.ts';
import { dropBlobs, piecesOf } from '../../blobs.ts';
import { type App, type Ctx, withTransaction } from '../../ctx.ts';
import { Reply } from '../../handle.ts';
import { knownMail } from '../inbound/history.ts';
import { forgetRaw } from '../inbound/store/mails.ts';
import { isSigned, linkOf } from './link.ts';
import {
  type AttachmentRecord,
  deleteAttachment,
  findAttachment,
  findLinked,
  listAttachmentRows,
} from './store.ts';

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
  query: Checked<typeof routes.email.listAttachments>['query'],
): Promise<Answer<typeof routes.email.listAttachments>> {
  const mail = await knownMail(ctx, mailId);
  const { rows, total } = await listAttachmentRows(ctx.engine.db, mail.account_id, mail.id, query);
  const data = rows.map(presentAttachment);
  return { data, pagination: paginationOf(query, total, data.length) };
}

export const getAttachment = async (ctx: Ctx, id: string): Promise<Attachment> =>
  presentAttachment(await knownAttachment(ctx, id));

/** Whoever sees the mail sees what came with it. Throws 404 not_found, 403 space_access_denied. */
async function knownAttachment(ctx: Ctx, id: string): Promise<AttachmentRecord> {
  const row = await findAttachment(ctx.engine.db, ctx.actor.accountId, id);
  if (!row) throw new AppError('not_found');
  await knownMail(ctx, row.mail_id);
  return row;
}

export async function downloadAttachment(
  ctx: Ctx,
  id: string,
  { expiresIn }: Checked<typeof routes.email.downloadAttachment>['query'],
): Promise<Answer<typeof routes.email.downloadAttachment>> {
  const row = await knownAttachment(ctx, id);
  const expires = Math.floor(ctx.clock.now().getTime() / 1_000) + expiresIn;
  return { url: linkOf(ctx, row.id, expires), expiresIn };
}

/**
 * The bytes, to whoever has the link. Never shown as a page: what came by mail is anybody's.
 * Throws 403 insufficient_permissions for a link that is over or changed or whose account is
 * suspended, 404 not_found.
 */
export async function attachmentContent(
  app: App,
  id: string,
  link: Checked<typeof routes.email.attachmentContent>['query'],
): Promise<Reply<undefined>> {
  if (!isSigned(app, id, link)) {
    const message = 'The link is over, or was changed.';
    throw new AppError('insufficient_permissions', { message });
  }
  const row = await findLinked(app.engine.db, id);
  if (!row) throw new AppError('not_found');
  await requireActive(app.engine.db, row.account_id);
  return new Reply<undefined>(piecesOf(app, row.blob), {
    headers: {
      'content-type': typeOf(row.content_type),
      'content-length': String(row.bytes),
      'content-disposition': dispositionOf('attachment', row.filename),
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    },
  });
}

const typeOf = (told: string): string =>
  /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,100}$/.test(told) ? told : 'application/octet-stream';

/** Throws 404 not_found, 403 space_access_denied. */
export async function removeAttachment(ctx: Ctx, id: string): Promise<void> {
  await knownAttachment(ctx, id);
  if (!(await eraseAttachment(ctx, id))) throw new AppError('not_found');
}

/** With its bytes; false where there is none. */
export const eraseAttachment = (ctx: Ctx, id: string): Promise<boolean> =>
  withTransaction(ctx, async (inTx) => {
    const removed = await deleteAttachment(inTx.tx, inTx.actor.accountId, id);
    if (!removed) return false;
    await recordErasures(inTx, 'attachment', [id]);
    // The mail as it came holds it as well.
    const raw = await forgetRaw(inTx.tx, inTx.actor.accountId, removed.mail_id);
    await dropBlobs(inTx, raw === null ? [removed.blob] : [removed.blob, raw]);
    return true;
  });
