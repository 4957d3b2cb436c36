import { copyFile, mkdir, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fsyncFolder } from '../../../../kernel/fsync-folder.ts';
import {
  bytesOf,
  findInstalledModel,
  hashFile,
  type InstalledFile,
  type InstalledModel,
  manifestName,
} from '../installed-models.ts';
import type { KnownModel, LocalModel } from '../known-model.ts';
import { findKnownModel } from '../known-models.ts';
import { readModelFiles } from '../model-files.ts';
import { downloadFile } from './download.ts';
import { ModelNotInstalled, toModelNotInstalled } from './errors.ts';
import { type ChosenFiles, chooseFiles, type WeightType } from './files.ts';
import { type HubDeps, listRepository } from './hub.ts';

export interface InstallRequest {
  /** A name or alias of the table, `owner/name` on the hub, or any name with `from`. */
  readonly name: string;
  /** A folder to copy instead of a download. */
  readonly from?: string;
  readonly revision?: string;
  readonly dtype?: WeightType;
  /** The folder of installed models. */
  readonly folder: string;
  readonly now: Date;
  onProgress(progress: InstallProgress): void;
}

export interface InstallProgress {
  readonly file: string;
  readonly bytes: number;
  /** Null: unknown. */
  readonly total: number | null;
}

const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const repositoryPattern = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;
/** Free space that a download leaves. */
const reservedBytes = 64 * 2 ** 20;

/**
 * Installs a model in a folder of its name. The folder gets that name when all files are there and
 * have their checksums, so that it is complete or does not exist.
 * @throws ModelNotInstalled if anything is wrong; a repeated call continues
 */
export async function installModel(
  request: InstallRequest,
  deps: HubDeps,
): Promise<InstalledModel> {
  const known = findKnownModel(request.name);
  const { name, local } = resolveName(request, known);
  const { folder } = request;
  if (await findInstalledModel(folder, name)) {
    throw new ModelNotInstalled(
      `The model ${name} is already installed. To install it again, first run ` +
        `\`mneme models remove ${name}\`.`,
    );
  }
  const staging = path.join(folder, `${name}.partial`);
  try {
    await mkdir(staging, { recursive: true, mode: 0o700 });
    const model =
      request.from === undefined
        ? await download(request, deps, { name, local, staging })
        : await copy({ ...request, from: request.from }, { name, local, staging });
    await writeFile(path.join(staging, manifestName), `${JSON.stringify(model, null, 2)}\n`, {
      flush: true,
    });
    for (const name of await readdir(staging)) {
      if (name.startsWith(revisionMark)) await rm(path.join(staging, name));
    }
    // A folder without a manifest is left over from an interrupted removal.
    await rm(path.join(folder, name), { recursive: true, force: true });
    await rename(staging, path.join(folder, name));
    await fsyncFolder(folder);
    return model;
  } catch (error) {
    throw toModelNotInstalled(staging, error);
  }
}

interface Target {
  readonly name: string;
  readonly local: LocalModel | undefined;
  readonly staging: string;
}

function resolveName({ name, from }: InstallRequest, known: KnownModel | undefined) {
  if (known?.provider === 'openai') {
    throw new ModelNotInstalled(
      `${known.name} runs behind an endpoint and needs no installation. Set MNEME_EMBEDDING_URL ` +
        `to ${known.url} and MNEME_EMBEDDING_API_KEY to a key, restart the server, and run ` +
        `\`mneme models use ${known.name}\`.`,
    );
  }
  if (known) return { name: known.name, local: known };
  const isRepository = repositoryPattern.test(name) && !name.includes('..');
  const own = (isRepository ? (name.split('/')[1] ?? '') : name).toLowerCase();
  if (namePattern.test(own) && (isRepository || from !== undefined)) {
    return { name: own, local: undefined };
  }
  throw new ModelNotInstalled(
    from === undefined
      ? `Unknown model: ${name}. \`mneme models list\` lists the known ones; another one is ` +
          'named like its repository on the hub, such as owner/name.'
      : `${name} cannot be the name of a model: use lower-case letters, digits, and . _ -`,
  );
}

async function download(
  request: InstallRequest,
  deps: HubDeps,
  { name, local, staging }: Target,
): Promise<InstalledModel> {
  const repository = local?.repository ?? request.name;
  const wanted = request.revision ?? local?.revision ?? 'main';
  const { revision, files } = await listRepository(deps, repository, wanted);
  const chosen = chooseFiles(
    files.map((file) => file.path),
    repository,
    request.dtype,
  );
  const listed = chosen.paths.flatMap((one) => files.filter((file) => file.path === one));
  await requireSpace(request.folder, listed, staging);
  // A partial file of another revision has other bytes.
  await keepOnlyRevision(staging, revision);
  const pinned = revision === local?.revision ? local.checksums : {};
  const installed: InstalledFile[] = [];
  for (const file of listed) {
    const onProgress = (bytes: number): void =>
      request.onProgress({ file: file.path, bytes, total: file.bytes });
    const sha256 = pinned[file.path] ?? file.sha256;
    const part = { repository, revision, file, sha256, folder: staging, onProgress };
    installed.push(await downloadFile(deps, part));
  }
  return describeModel(request, { name, local, staging }, chosen, {
    source: repository,
    revision,
    files: installed,
  });
}

/** The name of an empty file, before the revision. */
const revisionMark = '.revision-';

/** Names the revision of the files in a staging folder; removes files of another one. */
async function keepOnlyRevision(staging: string, revision: string): Promise<void> {
  const marker = path.join(staging, `${revisionMark}${revision}`);
  const isSame = await stat(marker).then(
    () => true,
    () => false,
  );
  if (!isSame) {
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true, mode: 0o700 });
  }
  await writeFile(marker, '');
}

async function requireSpace(
  folder: string,
  files: readonly { readonly path: string; readonly bytes: number | null }[],
  staging: string,
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  let needed = reservedBytes;
  for (const { path: name, bytes } of files) {
    const present = await Promise.all(
      [name, `${name}.partial`].map((one) =>
        stat(path.join(staging, one)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    needed += Math.max(0, (bytes ?? 0) - Math.max(...present));
  }
  const available = bavail * bsize;
  if (available >= needed) return;
  throw new ModelNotInstalled(
    `${folder} has ${toMegabytes(available)} MB of free space, and the model needs ` +
      `${toMegabytes(needed)} MB. Free disk space and repeat the installation.`,
  );
}

const toMegabytes = (bytes: number): number => Math.ceil(bytes / 1e6);

async function copy(
  request: InstallRequest & { readonly from: string },
  target: Target,
): Promise<InstalledModel> {
  const { from } = request;
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch((cause) => {
    throw new ModelNotInstalled(`The folder ${from} cannot be read.`, { cause });
  });
  const existing = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(from, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'));
  const chosen = chooseFiles(existing, `The folder ${from}`, request.dtype);
  await rm(target.staging, { recursive: true, force: true });
  const files: InstalledFile[] = [];
  for (const file of chosen.paths) {
    const place = path.join(target.staging, file);
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
    await copyFile(path.join(from, file), place);
    const { size } = await stat(place);
    request.onProgress({ file, bytes: size, total: size });
    files.push({ path: file, bytes: size, sha256: await hashFile(place) });
  }
  // Of a known model at its pinned revision, where the checksums are known.
  for (const { path: file, sha256 } of files) {
    const expected = target.local?.checksums[file];
    if (expected === undefined || expected === sha256) continue;
    throw new ModelNotInstalled(
      `${path.join(from, file)} is not the file of ${target.name}: its SHA-256 is ${sha256}, not ` +
        `${expected}. To install another model, give it another name.`,
    );
  }
  const source = { source: path.basename(path.resolve(from)), revision: null, files };
  return describeModel(request, target, chosen, source);
}

/** Facts of the table first, then those of the model's own files. */
async function describeModel(
  { now }: InstallRequest,
  { name, local, staging }: Target,
  { dtype }: ChosenFiles,
  source: Pick<InstalledModel, 'source' | 'revision' | 'files'>,
): Promise<InstalledModel> {
  const own = await readModelFiles(staging);
  return {
    name,
    ...source,
    installedAt: now.toISOString(),
    dtype,
    pooling: local?.pooling ?? own.pooling ?? 'mean',
    prefixes: {
      query: local?.prefixes.query ?? own.prefixes?.query ?? '',
      document: local?.prefixes.document ?? own.prefixes?.document ?? '',
    },
    dimensions: local?.dimensions ?? own.dimensions ?? null,
    layerNormBeforeTruncation: local?.layerNormBeforeTruncation ?? false,
    tokensMax: local?.tokensMax ?? own.tokensMax ?? null,
    licence: local?.licence ?? null,
  };
}

/**
 * Removes an installed model, also an incomplete one. Returns the number of bytes that it had; null
 * if it was not installed.
 */
export async function removeInstalledModel(folder: string, name: string): Promise<number | null> {
  if (!namePattern.test(name)) return null;
  const model = await findInstalledModel(folder, name);
  if (model === null) return null;
  const place = path.join(folder, name);
  // First the manifest: an interrupted removal leaves no model that looks complete.
  await rm(path.join(place, manifestName), { force: true });
  await rm(place, { recursive: true, force: true });
  return bytesOf(model);
}
