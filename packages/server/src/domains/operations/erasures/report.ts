import type { ErasureKind, ResponseBody, routes } from '@mneme/contract';
import { listTablesWithDeadRows } from '../../../database/index.ts';
import { databaseIdKey, readInstanceSetting } from '../../../instance/instance-settings.ts';
import { AppError } from '../../../kernel/errors.ts';
import { listUnusedBlobs } from '../../blobs/index.ts';
import type { App, Ctx } from '../../ctx.ts';
import { listSegmentsAfterErasure } from '../../search-index/index.ts';
import { backupFileName, openBackupStore } from '../backup/backup-store.ts';
import { countReferencingRows, findErasure } from './store/erasures.ts';

const filesMax = 1_000;

/**
 * Reports what is left of an erased item: rows that contain its id, files, copies of the search
 * index and backups. Reads every table. Throws 404 not_found if the ledger does not contain it.
 */
export async function createErasureReport(
  ctx: Ctx,
  id: string,
): Promise<ResponseBody<typeof routes.admin.getErasure>> {
  const { db } = ctx.engine;
  const row = await findErasure(db, id);
  if (!row) throw new AppError('not_found', { message: 'Nothing with this id was erased.' });
  const { content, idsOnly } = await countReferencingRows(db, id);
  const tables = await listTablesWithDeadRows(db, row.erased_at);
  const files = (await listUnusedBlobs(db, filesMax)).length;
  const segments = await listSegmentsAfterErasure(
    ctx,
    row.account_id,
    row.kind === 'memory' ? id : null,
  );
  const hasStale = segments.some(({ isStale }) => isStale);
  const backups = await backupsBefore(ctx, row.erased_at);
  return {
    id,
    kind: row.kind as ErasureKind,
    account_id: row.account_id,
    erased_at: row.erased_at.toISOString(),
    logical: {
      complete: row.content_removed_at !== null && content.length === 0,
      content_removed_at: row.content_removed_at?.toISOString() ?? null,
      content,
      ids_only: idsOnly,
    },
    physical: {
      complete: tables.length + files + backups.length === 0 && !hasStale,
      tables,
      files,
      index_segments: segments.map(({ id, createdAt, isStale }) => ({
        id,
        created_at: createdAt?.toISOString() ?? null,
        stale: isStale,
      })),
      backups,
    },
  };
}

/** Scheduled backups only: the location of manual ones is unknown. */
async function backupsBefore({ engine, config, ids }: App, at: Date): Promise<string[]> {
  if (config.backup.schedule === null) return [];
  const databaseId = await readInstanceSetting(engine.db, databaseIdKey);
  if (databaseId === null) return [];
  await using store = await openBackupStore(config.backup, { databaseId, ids });
  // Their names sort by time.
  const lastName = backupFileName(databaseId, at);
  return (await store.list())
    .filter((name) => name <= lastName)
    .map((name) => store.locationOf(name));
}
