export { createBucketArchiveStore } from './bucket.ts';
export { createFolderArchiveStore } from './folder.ts';
export { type ArchiveNamePattern, type ArchiveStore, ArchiveStoreUnavailable } from './store.ts';
