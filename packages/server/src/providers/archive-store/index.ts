export { createBucketArchives } from './bucket.ts';
export { createFolderArchives } from './folder.ts';
export { type ArchiveNames, type ArchiveStore, ArchiveStoreUnavailable } from './store.ts';
