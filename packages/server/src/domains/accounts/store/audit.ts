import { type Db, readPage } from '../../../database/index.ts';
import type { PageRequest } from '../../../kernel/pagination.ts';

export interface AuditRecord {
  readonly account_id: string;
  readonly id: string;
  readonly action: string;
  readonly target_id: string;
  readonly actor_account_id: string | null;
  readonly actor_key_id: string | null;
  readonly details: Record<string, unknown>;
  readonly request_id: string;
  readonly created_at: Date;
}

export async function insertAudit(db: Db, records: readonly AuditRecord[]): Promise<void> {
  const rows = records.map((record) => ({ ...record, details: JSON.stringify(record.details) }));
  await db.insertInto('audit_log').values(rows).execute();
}

export interface AuditFilter extends PageRequest {
  readonly action?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Newest first. */
export async function listAuditRows(
  db: Db,
  accountId: string,
  filter: AuditFilter,
): Promise<{ rows: AuditRecord[]; total: number }> {
  let query = db.selectFrom('audit_log').selectAll().where('account_id', '=', accountId);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.since !== undefined) query = query.where('created_at', '>=', filter.since);
  if (filter.until !== undefined) query = query.where('created_at', '<', filter.until);
  return readPage(query.orderBy('created_at', 'desc').orderBy('id', 'desc'), filter);
}
