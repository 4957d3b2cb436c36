import fs from 'node:fs/promises';
import path from 'node:path';
import type { App } from '../domains/ctx.ts';

/** In the data folder: a file for each process of `mneme mcp`, which rewrites it every 5 s. */
const leaseFolder = 'mcp-clients';
const leaseMs = 20_000;
const checkMs = 2_000;
/** Clients restart: a new one within this time finds the server running. */
const graceMs = 10_000;

/**
 * Calls `stop` once no client has been registered for 10 s. Clients that are killed expire after
 * 20 s; after a pause of the machine they have the grace period to renew their files.
 */
export function watchClientLeases(
  { config, clock, log }: Pick<App, 'config' | 'clock' | 'log'>,
  stop: () => void,
): void {
  const folder = path.join(config.dataDir, leaseFolder);
  let unusedSinceMs: number | null = null;
  const check = async (): Promise<void> => {
    const isUsed = await removeExpired(folder, clock.now().getTime()).catch((error: unknown) => {
      log.warn({ err: error }, 'client leases not read');
      return true;
    });
    const nowMs = clock.monotonicMs();
    unusedSinceMs = isUsed ? null : (unusedSinceMs ?? nowMs);
    if (unusedSinceMs === null || nowMs - unusedSinceMs < graceMs)
      clock.after(checkMs, () => void check());
    else stop();
  };
  void check();
}

/** Whether a lease is left after the expired ones are removed. */
async function removeExpired(folder: string, nowMs: number): Promise<boolean> {
  const names = await fs.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  let isUsed = false;
  for (const name of names) {
    const file = path.join(folder, name);
    const stats = await fs.stat(file).catch(() => null);
    if (stats === null) continue;
    if (nowMs - stats.mtimeMs < leaseMs) isUsed = true;
    else await fs.rm(file, { force: true });
  }
  return isUsed;
}
