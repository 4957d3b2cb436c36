import { open } from 'node:fs/promises';
import type { App } from '../../ctx.ts';
import { listSegmentsOf, type SegmentRef } from '../store/segments.ts';
import { SegmentUnusable } from './format.ts';
import { segmentFiles } from './segment-files.ts';
import { readFooter } from './segment-reader.ts';

/** A segment of an account after an erasure. */
export interface SegmentAfterErasure {
  readonly id: string;
  /** Null: the database does not know it, so nobody reads it. */
  readonly createdAt: Date | null;
  /** It can contain what was erased. */
  readonly isStale: boolean;
}

/**
 * The segments of an account: all that the database has, and all files of this process.
 * @param erasedId the erased document; null: several, or the account
 */
export async function listSegmentsAfterErasure(
  app: App,
  accountId: string,
  erasedId: string | null,
): Promise<SegmentAfterErasure[]> {
  // First: a file that is written meanwhile has its row then.
  const fileIds = await segmentFiles.of(app).idsOf(accountId);
  const rows = await listSegmentsOf(app.engine.db, accountId, erasedId);
  const known = new Set(rows.map(({ id }) => id));
  const registered = rows.map(async ({ id, created_at: createdAt, isValid }) => ({
    id,
    createdAt,
    isStale: !isValid || (fileIds.includes(id) && !(await isItself(app, { accountId, id }))),
  }));
  const unknown = fileIds
    .filter((id) => !known.has(id))
    .map((id) => ({ id, createdAt: null, isStale: true }));
  return [...(await Promise.all(registered)), ...unknown];
}

/** False where the file of a segment has something else. */
async function isItself(app: App, segment: SegmentRef): Promise<boolean> {
  try {
    await using file = await open(segmentFiles.of(app).fileOf(segment), 'r');
    const { footer } = await readFooter(file);
    return footer.id === segment.id && footer.accountId === segment.accountId;
  } catch (error) {
    // Deleted meanwhile, or not yet under its name.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    if (error instanceof SegmentUnusable || error instanceof SyntaxError) return false;
    throw error;
  }
}
