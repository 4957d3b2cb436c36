import type { Answer, Checked, Mail, routes } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { paginationOf } from '../../../kernel/page.ts';
import { type Ctx, requireSpace, visibleSpaces } from '../../ctx.ts';
import { presentMail } from './model.ts';
import { findMail, listMails, type MailRecord } from './store/mails.ts';

export async function listHistory(
  ctx: Ctx,
  query: Checked<typeof routes.email.listHistory>['query'],
): Promise<Answer<typeof routes.email.listHistory>> {
  requireSpace(ctx.actor, null);
  const filter = { status: query.status, visible: visibleSpaces(ctx.actor) };
  const { rows, total } = await listMails(ctx.engine.db, ctx.actor.accountId, filter, query);
  const data = rows.map(presentMail);
  return { data, pagination: paginationOf(query, total, data.length) };
}

/** Throws 404 not_found, 403 space_access_denied. */
export const getHistory = async (ctx: Ctx, id: string): Promise<Mail> =>
  presentMail(await knownMail(ctx, id));

/** Throws 404 not_found, 403 space_access_denied. */
export async function knownMail(ctx: Ctx, id: string): Promise<MailRecord> {
  requireSpace(ctx.actor, null);
  const mail = await findMail(ctx.engine.db, ctx.actor.accountId, id);
  if (!mail) throw new AppError('not_found');
  requireSpace(ctx.actor, mail.space_id);
  return mail;
}
