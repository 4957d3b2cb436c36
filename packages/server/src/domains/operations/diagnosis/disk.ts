import { lstat, readdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../../kernel/config.ts';
import type { CheckResult, Problem } from './report.ts';

const mb = 2 ** 20;
/** Of the data: what an upgrade, or the log of busy minutes, takes for a while. */
const spareShare = 0.1;

/** Free space on the disk of the data folder, against the limit and the size of the data. */
export async function checkDisk(config: Config): Promise<CheckResult> {
  const { dataDir, databaseUrl, diskFreeMinMb } = config;
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const used = await sizeOf(dataDir);
  const limit = databaseUrl === null ? diskFreeMinMb * mb : 0;
  const detail = `${formatBytes(free)} free, ${formatBytes(used)} used by the data folder`;
  return { detail, problems: evaluateDiskSpace(dataDir, { free, used, limit }) };
}

export function evaluateDiskSpace(
  dataDir: string,
  { free, used, limit }: { free: number; used: number; limit: number },
): Problem[] {
  const where = `The disk of ${dataDir} has ${formatBytes(free)} free`;
  if (free < limit) {
    return [
      {
        kind: 'disk_full',
        severity: 'error',
        message: `${where}, and the limit is ${formatBytes(limit)}: nothing is stored.`,
        action: 'Free space on the disk, or lower MNEME_DISK_FREE_MIN_MB.',
      },
    ];
  }
  const wanted = limit + used * spareShare;
  if (free >= wanted) return [];
  return [
    {
      kind: 'disk_low',
      severity: 'warning',
      message:
        `${where}, less than ${formatBytes(wanted)}: the limit of ${formatBytes(limit)} and ` +
        `a tenth of the data folder (${formatBytes(used)}).`,
      action: 'Free space on the disk, or move the data folder to a larger one.',
    },
  ];
}

const formatBytes = (bytes: number): string =>
  bytes < 1_000 * mb ? `${Math.ceil(bytes / mb)} MB` : `${(bytes / 2 ** 30).toFixed(1)} GB`;

/** Of all files below a folder; those that go meanwhile do not count. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const target = path.join(folder, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(target);
    else if (entry.isFile()) bytes += (await lstat(target).catch(() => null))?.size ?? 0;
  }
  return bytes;
}
