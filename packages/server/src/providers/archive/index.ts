export { removePartialFiles, writeArchiveFile } from './archive-file.ts';
export {
  ArchiveFileNotWritable,
  ArchiveRejected,
  ArchiveUnreadable,
  EntrySizeMismatch,
  WrongPassphrase,
} from './errors.ts';
export { manifestName, secretKeyName } from './layout.ts';
export type { Manifest, ManifestDetails } from './manifest.ts';
export { readArchiveEntries, type VerifiedArchive, verifyArchive } from './read.ts';
export { createDamagedExportError, readExport, readLimitedEntry } from './read-export.ts';
export { decryptServerSecretKey, encryptServerSecretKey } from './secret-key.ts';
export { type ArchiveEntry, generateArchive } from './write.ts';
export { generateExport } from './write-export.ts';
