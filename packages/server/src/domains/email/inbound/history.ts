import type { Mail, ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { toPagination } from '../../../kernel/pagination.ts';
import { type Ctx, isOfUser, requestedUser, requireSpaceAccess, visibleSpaces } from '../../ctx.ts';
import { presentMail } from './model.ts';
import { findMail, type InboundMailRecord, listMails } from './store/mails.ts';

/** Throws 403 space_access_denied or user_access_denied. */
export async function listInboundMails(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.email.listHistory>['query'],
): Promise<ResponseBody<typeof routes.email.listHistory>> {
  requireSpaceAccess(ctx.actor, null);
  const { status, user_id, agent_id, run_id } = query;
  const owner = { user_id: requestedUser(ctx.actor, user_id), agent_id, run_id };
  const filter = { status, visible: visibleSpaces(ctx.actor), owner };
  const { rows, total } = await listMails(ctx.engine.db, ctx.actor.accountId, filter, query);
  const data = rows.map(presentMail);
  return { data, pagination: toPagination(query, total, data.length) };
}

/** Throws 404 not_found, 403 space_access_denied. */
export const getInboundMail = async (ctx: Ctx, id: string): Promise<Mail> =>
  presentMail(await requireMail(ctx, id));

/** Throws 404 not_found, 403 space_access_denied. */
export async function requireMail(ctx: Ctx, id: string): Promise<InboundMailRecord> {
  requireSpaceAccess(ctx.actor, null);
  const mail = await findMail(ctx.engine.db, ctx.actor.accountId, id);
  if (!mail || !isOfUser(ctx.actor, mail)) throw new AppError('not_found');
  requireSpaceAccess(ctx.actor, mail.space_id);
  return mail;
}
