import fs from 'node:fs/promises';
import path from 'node:path';
import { randomSuffix } from '../kernel.ts';

/** The folder in the data folder where each client of a shared server has a file. */
const leaseFolder = 'mcp-clients';
/** A shared server counts a client as gone 20 s after it last renewed its file. */
const renewMs = 5_000;

export interface ClientLease {
  release(): Promise<void>;
}

/**
 * Registers this process as a client of the server of a data folder, so that a server that
 * `mneme mcp` has started ends only after its last client. A process that is killed leaves a file
 * that expires.
 */
export async function acquireClientLease(dataDir: string): Promise<ClientLease> {
  const folder = path.join(dataDir, leaseFolder);
  const file = path.join(folder, `${process.pid}-${randomSuffix()}`);
  const write = async (): Promise<void> => {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await fs.writeFile(file, `${process.pid}\n`);
  };
  await write();
  // Written and not touched: the server removes files of processes that seemed gone. A full disk
  // or a removed folder must not end the client.
  const timer = setInterval(() => void write().catch(() => undefined), renewMs);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      await fs.rm(file, { force: true });
    },
  };
}
