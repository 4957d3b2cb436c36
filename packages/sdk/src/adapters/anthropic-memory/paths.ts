import type { RecordPath } from '../records.ts';

const root = '/memories';

/**
 * The names of a path below /memories, without `.` and `..`; empty for /memories itself. Throws an
 * Error for a path elsewhere.
 */
export function toSegments(path: string): string[] {
  if (path !== root && !path.startsWith(`${root}/`)) {
    throw new Error(`Path must start with /memories, got: ${path}`);
  }
  const segments: string[] = [];
  for (const name of path.slice(root.length).split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') segments.push(name);
    else if (segments.pop() === undefined) {
      throw new Error(`Path ${path} would escape /memories directory`);
    }
  }
  return segments;
}

export const toPathText = (segments: readonly string[]): string => [root, ...segments].join('/');

export const toRecordPath = (segments: readonly string[]): RecordPath => ({
  folder: segments.slice(0, -1),
  key: segments.at(-1) ?? '',
});
