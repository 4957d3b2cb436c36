import type { ImportSkipReason } from '@mneme/contract';

/** What an import does with a record. */
export type ImportOutcome = 'created' | 'updated' | 'unchanged' | ImportSkipReason;

export interface ImportOptions {
  /** Decides, and writes nothing. */
  readonly isDryRun: boolean;
  /** Whether a soft delete in the archive is applied to a memory that is active here. */
  readonly appliesDeletions: boolean;
}

/** What to do with a record that exists: the later change counts. */
export function compareVersions(
  stored: { readonly updated_at: Date },
  imported: { readonly updated_at: Date },
): 'updated' | 'unchanged' | 'newer_in_account' {
  const difference = imported.updated_at.getTime() - stored.updated_at.getTime();
  if (difference === 0) return 'unchanged';
  return difference > 0 ? 'updated' : 'newer_in_account';
}
