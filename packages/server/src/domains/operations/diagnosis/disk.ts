import { lstat, readdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../../kernel/config.ts';
import type { CheckResult, Problem } from './report.ts';

const mb = 2 ** 20;
/** Share of the data that an upgrade, or the log of busy minutes, temporarily needs. */
const spareShare = 0.1;

/** Compares the free disk space of the data folder with the limit and the size of the data. */
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
        message: `${where}, less than the limit of ${formatBytes(limit)}: writes are rejected.`,
        action: 'Free space on the disk, or lower MNEME_DISK_FREE_MIN_MB.',
      },
    ];
  }
  const recommended = limit + used * spareShare;
  if (free >= recommended) return [];
  return [
    {
      kind: 'disk_low',
      severity: 'warning',
      message:
        `${where}, less than ${formatBytes(recommended)}: the limit of ${formatBytes(limit)} and ` +
        `a tenth of the data folder (${formatBytes(used)}).`,
      action: 'Free space on the disk, or move the data folder to a larger one.',
    },
  ];
}

const formatBytes = (bytes: number): string =>
  bytes < 1_000 * mb ? `${Math.ceil(bytes / mb)} MB` : `${(bytes / 2 ** 30).toFixed(1)} GB`;

/** Total size of all files in a folder; ignores files that are deleted during the scan. */
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
