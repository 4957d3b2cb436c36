import type { ResponseBody, routes } from '@mneme/contract';
import { mailNotifier } from '../../../events/commit-notifier.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type Ctx, requireSpaceAccess, visibleSpaces, withTransaction } from '../../ctx.ts';
import { presentOutbound } from './list.ts';
import {
  isRetryable,
  lockOutbound,
  type OutboundMailRecord,
  requeueOutbound,
} from './store/outbound-mails.ts';
import { isSuppressed } from './store/suppressions.ts';

/** Queues a failed mail again. Throws 404 not_found, 409 conflict. */
export async function retryOutboundMail(
  ctx: Ctx,
  id: string,
): Promise<ResponseBody<typeof routes.email.retryOutbound>> {
  requireSpaceAccess(ctx.actor, null);
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock, journal } = inTx;
    const { accountId } = actor;
    const mail = await lockOutbound(tx, accountId, { id, visible: visibleSpaces(actor) });
    if (!mail) throw new AppError('not_found');
    if (!isRetryable(mail)) throw notRetryableError(mail);
    if (mail.kind !== 'answer' && (await isSuppressed(tx, accountId, mail.recipient))) {
      throw new AppError('conflict', {
        message:
          'The recipient is on the suppression list: remove the suppression, then retry the email.',
      });
    }
    const queued = await requeueOutbound(tx, mail, clock.now());
    journal.afterCommit(() => mailNotifier.of(inTx).notify(new Set([accountId])));
    return presentOutbound(queued);
  });
}

function notRetryableError({ status }: OutboundMailRecord): AppError {
  const message =
    status === 'failed'
      ? 'The content of this email is no longer stored, so that it cannot be sent again.'
      : `The email is ${status}: only failed emails can be retried.`;
  return new AppError('conflict', { message, details: { status } });
}
