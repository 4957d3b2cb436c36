import type { Db } from '../../database/index.ts';
import { findActiveJobs } from '../../jobs/job-queue.ts';
import { importKind } from './import/run-import.ts';

/** Hook of blobs: adds the archives of imports that have not ended. */
export async function collectImportedArchives(
  db: Db,
  names: readonly string[],
  referenced: Set<string>,
): Promise<void> {
  const active = new Set((await findActiveJobs(db, importKind)).map(({ payload }) => payload.blob));
  for (const name of names) if (active.has(name)) referenced.add(name);
}
