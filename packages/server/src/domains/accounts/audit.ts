import type {
  AuditAction,
  AuditEntry,
  ResponseBody,
  routes,
  ValidatedRequest,
} from '@mneme/contract';
import { toPagination } from '../../kernel/pagination.ts';
import { type Ctx, requireAccountWideAccess, type TxCtx } from '../ctx.ts';
import { type AuditRecord, insertAudit, listAuditRows } from './store/audit.ts';

interface AuditChange {
  readonly action: AuditAction;
  /** The account that was changed, or that owns the changed key. */
  readonly accountId: string;
  readonly targetId: string;
  /** The new values; never a secret. */
  readonly details: Record<string, unknown>;
}

type AuditAuthor = Pick<TxCtx, 'tx' | 'clock' | 'ids' | 'requestId'> & {
  /** Null: the service itself. */
  readonly actor: { readonly accountId: string; readonly keyId: string | null } | null;
};

/**
 * Records who changed what, in the transaction of the change. A change by an operator of
 * another account is recorded in both logs.
 */
export async function recordAuditEntry(author: AuditAuthor, change: AuditChange): Promise<void> {
  const { actor, clock, ids, requestId } = author;
  const authorId = actor?.accountId ?? change.accountId;
  const accounts = new Set([change.accountId, authorId]);
  const foreign = authorId === change.accountId ? {} : { account_id: change.accountId };
  const records: AuditRecord[] = [...accounts].map((accountId) => ({
    account_id: accountId,
    id: ids.uuid(),
    action: change.action,
    target_id: change.targetId,
    actor_account_id: actor?.accountId ?? null,
    actor_key_id: actor?.keyId ?? null,
    details: { ...change.details, ...foreign },
    request_id: requestId,
    created_at: clock.now(),
  }));
  await insertAudit(author.tx, records);
}

/** Newest first. Throws 403 space_access_denied: the log covers every space. */
export async function listAudit(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.account.audit>['query'],
): Promise<ResponseBody<typeof routes.account.audit>> {
  requireAccountWideAccess(ctx.actor);
  const { rows, total } = await listAuditRows(ctx.engine.db, ctx.actor.accountId, query);
  return { data: rows.map(presentEntry), pagination: toPagination(query, total, rows.length) };
}

const presentEntry = (record: AuditRecord): AuditEntry => ({
  id: record.id,
  action: record.action as AuditAction,
  target_id: record.target_id,
  actor:
    record.actor_account_id === null
      ? null
      : { account_id: record.actor_account_id, key_id: record.actor_key_id },
  details: record.details,
  request_id: record.request_id,
  created_at: record.created_at.toISOString(),
});
