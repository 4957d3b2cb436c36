export {
  BlobDiffers,
  type Blobs,
  BlobsUnavailable,
  BlobTooLarge,
  isNoBlob,
  type Kept,
} from './blobs.ts';
export { createFolderBlobs } from './folder.ts';
export { openBlobs } from './open.ts';
export { createS3Blobs } from './s3.ts';
