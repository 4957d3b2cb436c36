import {
  type OutboundMail,
  parseId,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { decodeCursor, encodeCursor } from '../../../kernel/pagination.ts';
import { type Ctx, requireSpaceAccess, visibleSpaces } from '../../ctx.ts';
import { listOutboundRows, type OutboundMailRecord } from './store.ts';

const isCursorId = (at: unknown): at is string =>
  typeof at === 'string' && parseId(at, 'other') !== null;

/** Newest first; the place is an id, since ids are in order of time. */
export async function listOutbound(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.email.listOutbound>['query'],
): Promise<ResponseBody<typeof routes.email.listOutbound>> {
  requireSpaceAccess(ctx.actor, null);
  const { cursor, limit, status, recipient } = query;
  const bound = { status, recipient, account: ctx.actor.accountId };
  const before = cursor === undefined ? null : decodeCursor(bound, cursor, isCursorId);
  const visible = visibleSpaces(ctx.actor);
  const rows = await listOutboundRows(ctx.engine.db, ctx.actor.accountId, {
    status,
    recipient,
    visible,
    before,
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: shown.map(presentOutbound),
    has_more: hasMore,
    next_cursor: hasMore && last ? encodeCursor(bound, last.id) : null,
  };
}

/** What a server said when it took a mail over is no error. */
const presentOutbound = (row: OutboundMailRecord): OutboundMail => ({
  id: row.id,
  kind: row.kind,
  historyId: row.mail_id,
  recipient: row.recipient,
  subject: row.subject,
  status: row.status,
  attempts: row.attempts,
  lastError: row.status === 'sent' ? null : row.response,
  createdAt: row.created_at.toISOString(),
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  sentAt: row.sent_at?.toISOString() ?? null,
});
