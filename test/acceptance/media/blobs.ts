import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Service } from '../../support/service.ts';

/** Names of all blobs in the data folder, with what is half written. */
export async function blobsOf({ config }: Pick<Service, 'config'>): Promise<string[]> {
  const root = path.join(config.dataDir, 'blobs');
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = found.filter((entry) => entry.isFile()).map(({ name }) => name);
  return names.filter((name) => name !== 'owner');
}
