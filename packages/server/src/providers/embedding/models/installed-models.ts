import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EmbeddingFailed, type LocalRecipe, type TransformersSettings } from '../embedding.ts';
import type { Pooling, Prefixes } from './known-model.ts';

/** In the folder of each installed model. */
export const manifestName = 'mneme-model.json';

export interface InstalledFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What was installed; written last, so that a folder without it is incomplete. */
export interface InstalledModel {
  readonly name: string;
  /** The repository of the hub, or the folder that was copied. */
  readonly source: string;
  /** Null for a copied folder. */
  readonly revision: string | null;
  readonly installedAt: string;
  readonly dtype: string;
  readonly pooling: Pooling;
  readonly prefixes: Prefixes;
  /** Null: unknown until the model is loaded. */
  readonly dimensions: number | null;
  readonly layerNormBeforeTruncation: boolean;
  readonly tokensMax: number | null;
  readonly licence: string | null;
  readonly files: readonly InstalledFile[];
}

/** The folder of installed models in the data folder. */
export const modelsFolder = (dataDir: string): string => path.join(dataDir, 'models');

/** Installed models in the order of their names. */
export async function listInstalledModels(folder: string): Promise<InstalledModel[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const models = await Promise.all(names.sort().map((name) => findInstalledModel(folder, name)));
  return models.filter((model) => model !== null);
}

/** Null if no model of this name is installed, or not completely. */
export async function findInstalledModel(
  folder: string,
  name: string,
): Promise<InstalledModel | null> {
  const text = await readFile(path.join(folder, name, manifestName), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as InstalledModel);
}

export const bytesOf = ({ files }: InstalledModel): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** A checksum of all files of the model. */
const checksumOf = ({ files }: InstalledModel): string => {
  const lines = files.map(({ path: file, sha256 }) => `${file} ${sha256}`).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
};

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * Compares the files of an installed model with the checksums of its installation.
 * @throws EmbeddingFailed if it is not installed, or a file is missing or different
 */
export async function verifyInstalledModel(folder: string, name: string): Promise<void> {
  const model = await findInstalledModel(folder, name);
  const remedy = `run \`mneme models install ${name}\``;
  if (model === null) {
    throw new EmbeddingFailed(`the model ${name} is not installed in ${folder}: ${remedy}`);
  }
  for (const file of model.files) {
    const place = path.join(folder, name, file.path);
    const found = await stat(place).catch(() => null);
    const isSame = found?.size === file.bytes && (await hashFile(place)) === file.sha256;
    if (isSame) continue;
    const problem = found === null ? 'is missing' : 'has changed since its installation';
    throw new EmbeddingFailed(`${place} ${problem}: remove the model, then ${remedy}`);
  }
}

/** The settings of an installed model. */
export function toInstalledSettings(
  model: InstalledModel,
  cacheDir: string,
  truncateTo: number | null = null,
): TransformersSettings {
  const recipe: LocalRecipe = {
    pooling: model.pooling,
    prefixes: model.prefixes,
    truncateTo,
    layerNorm: model.layerNormBeforeTruncation,
    tokensMax: model.tokensMax,
    checksum: checksumOf(model),
  };
  const { name, dtype } = model;
  return { provider: 'transformers', model: name, installed: true, dtype, cacheDir, recipe };
}
