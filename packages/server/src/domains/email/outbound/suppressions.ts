import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { toPagination } from '../../../kernel/pagination.ts';
import {
  type Ctx,
  requireAccountWideAccess,
  requireSpaceAccess,
  withTransaction,
} from '../../ctx.ts';
import { deleteSuppression, listSuppressionRows } from './store/suppressions.ts';

export async function listSuppressions(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.email.listSuppressions>['query'],
): Promise<ResponseBody<typeof routes.email.listSuppressions>> {
  requireSpaceAccess(ctx.actor, null);
  const { rows, total } = await listSuppressionRows(ctx.engine.db, ctx.actor.accountId, query);
  const data = rows.map(({ email, reason, detail, created_at }) => ({
    email,
    reason,
    detail,
    createdAt: created_at.toISOString(),
  }));
  return { data, pagination: toPagination(query, total, data.length) };
}

/** Throws 404 not_found if the address is not suppressed. */
export async function removeSuppression(ctx: Ctx, email: string): Promise<void> {
  requireAccountWideAccess(ctx.actor);
  await withTransaction(ctx, async ({ tx, actor }) => {
    if (!(await deleteSuppression(tx, actor.accountId, email))) throw new AppError('not_found');
  });
}
