export { type Blobs, BlobsUnavailable, BlobTooLarge, isNoBlob, type Kept } from './blobs.ts';
export { createFolderBlobs } from './folder.ts';
export { createS3Blobs } from './s3.ts';
