import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip } from 'node:zlib';
import { gzipTar } from '../../../packages/server/src/providers/archive/testing.ts';
import type { describeInstallation } from './installation.ts';

/** The folder of backups of earlier versions; tools/make-backup-fixture.ts writes them. */
export const backupFixtures = fileURLToPath(new URL('../../fixtures/backups/', import.meta.url));

/** What is known of one: the file beside it. */
export interface BackupFixture {
  readonly takenAt: string;
  /** Of that database alone. */
  readonly adminKey: string;
  readonly installation: Awaited<ReturnType<typeof describeInstallation>>;
}

const bytesMax = 1_000_000;
const backupExtension = '.backup';
const compressedExtension = '.tar.br';

export const isBackup = (name: string): boolean =>
  name.endsWith(backupExtension) || name.endsWith(compressedExtension);

/** The file with what is known of a backup. */
export const metadataFileOf = (name: string): string =>
  path.join(backupFixtures, name.replace(/\.backup$|\.tar\.br$/, '.json'));

/** Of a large backup only the tar inside is kept: its gzip compresses for speed. */
export async function compressIfLarge(file: string): Promise<string> {
  if ((await stat(file)).size <= bytesMax) return file;
  const tar = await promisify(gunzip)(await readFile(file));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: tar.length,
  };
  const target = file.replace(backupExtension, compressedExtension);
  await writeFile(target, await promisify(brotliCompress)(tar, { params }));
  await rm(file);
  return target;
}

/** The file of a backup, as `mneme restore` takes it; one that is packed is written to a folder. */
export async function decompress(name: string, folder: string): Promise<string> {
  const file = path.join(backupFixtures, name);
  if (name.endsWith(backupExtension)) return file;
  const target = path.join(folder, name.replace(compressedExtension, backupExtension));
  await writeFile(target, await gzipTar(await promisify(brotliDecompress)(await readFile(file))));
  return target;
}
