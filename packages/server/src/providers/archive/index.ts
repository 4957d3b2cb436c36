export {
  ArchiveFileRefused,
  ArchiveRefused,
  EntrySizeMismatch,
  WrongPassphrase,
} from './errors.ts';
export { removePartialFiles, writeArchiveFile } from './file.ts';
export { secretKeyName } from './layout.ts';
export type { Manifest, ManifestDetails } from './manifest.ts';
export { readEntries, type VerifiedArchive, verifyArchive } from './read.ts';
export { openSecretKey, sealSecretKey } from './secret-key.ts';
export { type ArchiveEntry, createArchive } from './write.ts';
