import {
  type ArchiveManifest,
  archiveFormat,
  archiveFormatVersion,
  archiveManifest,
} from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import {
  ArchiveRejected,
  createDamagedExportError,
  manifestName,
  readExport,
  readLimitedEntry,
} from '../../../providers/archive/index.ts';
import { parseEntryName } from '../layout.ts';
import { readArchiveRecords } from './read-lines.ts';

const manifestBytesMax = 64 * 2 ** 20;

export interface VerifiedExport {
  readonly manifest: ArchiveManifest;
  /** Lines and files, for the progress. */
  readonly total: number;
}

/** Throws ArchiveRejected for another format, or a newer version. */
function parseExportManifest(bytes: Uint8Array): ArchiveManifest {
  let value: { format?: unknown; format_version?: unknown } | null = null;
  try {
    value = Object(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (error) {
    throw createDamagedExportError(manifestName, 'it is not JSON', error);
  }
  if (value?.format !== archiveFormat) {
    const message = `This is not an export of Mneme: ${manifestName} does not say so.`;
    throw new ArchiveRejected('foreign', message, { entry: manifestName });
  }
  if (Number(value.format_version) > archiveFormatVersion) {
    const message =
      `The archive has format version ${Number(value.format_version)}, and this version of ` +
      `Mneme reads ${archiveFormatVersion}: install a newer one.`;
    throw new ArchiveRejected('newer_format', message, { entry: manifestName });
  }
  const manifest = archiveManifest.safeParse(value);
  if (manifest.success) return manifest.data;
  const issue = manifest.error.issues[0];
  const what = `${issue?.path.join('.')}: ${issue?.message}`;
  throw createDamagedExportError(manifestName, what, manifest.error);
}

/** Reads the whole archive and checks everything. Throws ArchiveRejected. */
export async function verifyExport(bytes: AsyncIterable<Uint8Array>): Promise<VerifiedExport> {
  let manifest: ArchiveManifest | null = null;
  const accounts = new Set<string>();
  let total = 0;
  for await (const { name, size, content } of readExport(bytes)) {
    if (manifest === null) {
      manifest = parseExportManifest(
        await readLimitedEntry({ name, size, content }, manifestBytesMax),
      );
      for (const { id } of manifest.accounts) accounts.add(id);
      continue;
    }
    const parsed = parseEntryName(name);
    if (parsed === null || (parsed.type === 'records' && !accounts.has(parsed.accountId)))
      throw createDamagedExportError(name, 'no export has such a file');
    if (parsed.type === 'file') total += 1;
    else for await (const _ of readArchiveRecords(name, parsed.kind, content)) total += 1;
  }
  if (manifest === null) throw createDamagedExportError(manifestName, 'it is missing');
  return { manifest, total };
}

/** The public error of an archive that is not valid. */
export function toInvalidArchiveError(error: unknown): unknown {
  if (!(error instanceof ArchiveRejected)) return error;
  const { message, reason, entry } = error;
  return new AppError('invalid_archive', { message, details: { reason, entry }, cause: error });
}
