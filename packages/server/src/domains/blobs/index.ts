export { createBlobCheck } from './blob-check.ts';
export {
  collectReferencedBlobs,
  countOrphanBlobs,
  enqueueBlobRemovalJob,
  fileNotFoundError,
  readBlobChunks,
  removeUnusedBlobs,
  scheduleBlobRemoval,
  tryRemoveBlob,
} from './blobs.ts';
export { pauseBlobDeletion } from './deletion-pause.ts';
export { listUnusedBlobs } from './store/unused-blobs.ts';
