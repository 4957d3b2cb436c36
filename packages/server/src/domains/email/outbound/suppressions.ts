import type { Answer, Checked, routes } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { paginationOf } from '../../../kernel/page.ts';
import { type Ctx, requireSpace, requireWholeAccount, withTransaction } from '../../ctx.ts';
import { deleteSuppression, listSuppressionRows } from './store.ts';

export async function listSuppressions(
  ctx: Ctx,
  query: Checked<typeof routes.email.listSuppressions>['query'],
): Promise<Answer<typeof routes.email.listSuppressions>> {
  requireSpace(ctx.actor, null);
  const { rows, total } = await listSuppressionRows(ctx.engine.db, ctx.actor.accountId, query);
  const data = rows.map(({ email, reason, detail, created_at }) => ({
    email,
    reason,
    detail,
    createdAt: created_at.toISOString(),
  }));
  return { data, pagination: paginationOf(query, total, data.length) };
}

/** Throws 404 not_found where it is not on the list. */
export async function removeSuppression(ctx: Ctx, email: string): Promise<void> {
  requireWholeAccount(ctx.actor);
  await withTransaction(ctx, async ({ tx, actor }) => {
    if (!(await deleteSuppression(tx, actor.accountId, email))) throw new AppError('not_found');
  });
}
