export {
  BlobChecksumMismatch,
  type BlobStore,
  BlobStoreUnavailable,
  BlobTooLarge,
  isBlobNotFound,
  type StoredBlob,
} from './blob-store.ts';
export { createFolderBlobStore } from './folder.ts';
export { openBlobStore } from './open.ts';
export { createS3BlobStore } from './s3.ts';
