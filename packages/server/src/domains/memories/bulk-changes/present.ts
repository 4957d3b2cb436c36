import type { BulkChange } from '@mneme/contract';
import type { BulkChangeRecord } from '../store/bulk-changes.ts';

/** For so long a change can be undone. */
export const undoHours = 24;

export const undoUntil = ({ completed_at }: BulkChangeRecord): Date | null =>
  completed_at && new Date(completed_at.getTime() + undoHours * 3_600_000);

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export const presentBulkChange = (record: BulkChangeRecord): BulkChange => ({
  id: record.id,
  status: record.status as BulkChange['status'],
  action: record.action,
  matched_count: record.matched_count,
  changed_count: record.changed_count,
  skipped_count: record.skipped_count,
  restored_count: record.restored_count,
  left_count: record.left_count,
  created_at: record.created_at.toISOString(),
  completed_at: iso(record.completed_at),
  undo_until: record.status === 'completed' ? iso(undoUntil(record)) : null,
  undone_at: iso(record.undone_at),
});
