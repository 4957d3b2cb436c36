import {
  type OutboundMail,
  parseId,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { decodeCursor, encodeCursor } from '../../../kernel/pagination.ts';
import { type Ctx, requireSpaceAccess, visibleSpaces } from '../../ctx.ts';
import { isRetryable, listOutboundRows, type OutboundMailRecord } from './store/outbound-mails.ts';

const isCursorId = (at: unknown): at is string =>
  typeof at === 'string' && parseId(at, 'other') !== null;

/** Newest first. The cursor is an id, since ids are ordered by time. */
export async function listOutboundMails(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.email.listOutbound>['query'],
): Promise<ResponseBody<typeof routes.email.listOutbound>> {
  requireSpaceAccess(ctx.actor, null);
  const { cursor, limit, status, recipient, user_id, agent_id, run_id } = query;
  const owner = { user_id, agent_id, run_id };
  const filter = { status, recipient, ...owner, account: ctx.actor.accountId };
  const before = cursor === undefined ? null : decodeCursor(filter, cursor, isCursorId);
  const visible = visibleSpaces(ctx.actor);
  const rows = await listOutboundRows(ctx.engine.db, ctx.actor.accountId, {
    status,
    recipient,
    owner,
    visible,
    before,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: page.map(presentOutbound),
    has_more: hasMore,
    next_cursor: hasMore && last ? encodeCursor(filter, last.id) : null,
  };
}

/** The server's response to a sent mail is not an error. */
export const presentOutbound = (row: OutboundMailRecord): OutboundMail => ({
  id: row.id,
  kind: row.kind,
  historyId: row.mail_id,
  recipient: row.recipient,
  subject: row.subject,
  status: row.status,
  attempts: row.attempts,
  lastError: row.status === 'sent' ? null : row.response,
  isRetryable: isRetryable(row),
  createdAt: row.created_at.toISOString(),
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  sentAt: row.sent_at?.toISOString() ?? null,
});
