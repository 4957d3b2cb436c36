import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Ids } from '../../kernel/ids.ts';
import { removePartialFiles, writeArchiveFile } from '../archive/index.ts';
import { type ArchiveNamePattern, type ArchiveStore, ArchiveStoreUnavailable } from './store.ts';

/** Stores archives as files of a folder, which the first write creates. */
export function createFolderArchiveStore(
  folder: string,
  { names, ids }: { readonly names: ArchiveNamePattern; readonly ids: Ids },
): ArchiveStore {
  const locationOf = (name: string): string => path.join(folder, name);
  const list = async (): Promise<string[]> =>
    (await readNames(folder)).filter((name) => names.pattern.test(name)).toSorted();
  return {
    locationOf,
    async write(name, source, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
        throw unusable(folder, cause);
      });
      return writeArchiveFile(locationOf(name), untilAborted(source, signal), {
        replace: true,
        ids,
      });
    },
    list,
    remove: (name) => rm(locationOf(name), { force: true }),
    async removeUnfinished() {
      // A lock shows whether a process still writes a file, so its age does not matter.
      if ((await readNames(folder)).length > 0) await removePartialFiles(folder, null);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Empty if the folder does not exist. */
async function readNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unusable(folder, error as Error);
  }
}

const unusable = (folder: string, cause: Error): ArchiveStoreUnavailable =>
  new ArchiveStoreUnavailable(`the folder ${folder} cannot be used (${cause.message})`, { cause });

async function* untilAborted(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    signal.throwIfAborted();
    yield chunk;
  }
}
