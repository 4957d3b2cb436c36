export { type Blobs, BlobTooLarge, createFolderBlobs, type Kept } from './folder.ts';
