import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const timeoutMs = 600_000;
const pollMs = 500;

/** The folder with the segments of an installation. */
export const segmentFolderOf = (dataDir: string): string => path.join(dataDir, 'index-segments');

export interface SegmentFile {
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly writtenAtMs: number;
}

/** Null: none is written. Where only one account is large, it has the segment. */
export async function findNewestSegment(dataDir: string): Promise<SegmentFile | null> {
  const folder = segmentFolderOf(dataDir);
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.segment'))
      .map((name) => stat(path.join(folder, name)).catch(() => null)),
  );
  const found = files
    .filter((file) => file !== null)
    .map(({ size, mtimeMs }) => ({ bytes: size, writtenAtMs: mtimeMs }));
  return found.toSorted((a, b) => b.writtenAtMs - a.writtenAtMs)[0] ?? null;
}

/** Resolves when a segment has been written since a time in milliseconds since the epoch. */
export async function waitForSegment(dataDir: string, sinceMs: number): Promise<SegmentFile> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const newest = await findNewestSegment(dataDir);
    if (newest && newest.writtenAtMs >= sinceMs) return newest;
    if (performance.now() > until) throw new Error('no segment was written');
    await wait(pollMs);
  }
}
