import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ownerMark } from '../../../packages/server/src/providers/blobs/blobs.ts';
import type { Service } from '../../support/service.ts';

/** Names of all blobs in the data folder, with what is half written. */
export async function blobsOf({ config }: Pick<Service, 'config'>): Promise<string[]> {
  const root = path.join(config.dataDir, 'blobs');
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = found.filter((entry) => entry.isFile()).map(({ name }) => name);
  // Whose store it is says a mark, which is written beside all else.
  return names.filter((name) => !name.startsWith(ownerMark));
}
