import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ownerFileName } from '../../../packages/server/src/providers/blobs/blob-store.ts';
import type { Service } from '../../support/service.ts';

/** The names of all blobs in the data folder, including partially written ones. */
export async function listBlobs({ config }: Pick<Service, 'config'>): Promise<string[]> {
  const root = path.join(config.dataDir, 'blobs');
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = found.filter((entry) => entry.isFile()).map(({ name }) => name);
  // A marker file identifies the owner of the store.
  return names.filter((name) => !name.startsWith(ownerFileName));
}

/** The path of a blob in the data folder. */
export const blobPath = ({ config }: Pick<Service, 'config'>, name: string): string =>
  path.join(config.dataDir, 'blobs', name.slice(0, 2), name.slice(2, 4), name);
