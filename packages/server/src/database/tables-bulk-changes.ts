import type { ColumnType, Generated } from 'kysely';

type Json = ColumnType<Record<string, unknown>, string, string>;

interface BulkChanges {
  account_id: string;
  id: string;
  action: Json;
  spaces: string[] | null;
  user_id: string | null;
  status: string;
  matched_count: number;
  changed_count: Generated<number>;
  skipped_count: Generated<number>;
  restored_count: Generated<number>;
  left_count: Generated<number>;
  created_at: Date;
  completed_at: Date | null;
  undone_at: Date | null;
}

interface BulkChangeItems {
  account_id: string;
  change_id: string;
  memory_id: string;
  before: Json;
  after: Json;
}

export interface BulkChangeTables {
  bulk_changes: BulkChanges;
  bulk_change_items: BulkChangeItems;
}
