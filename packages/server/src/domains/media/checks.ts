import { createBlobCheck } from '../blobs/index.ts';
import { eraseClipsOf } from './clips/prune.ts';
import { clipsAfter } from './store/clips.ts';
import { filesAfter } from './store/files.ts';
import { uploadPartsAfter } from './store/uploads.ts';

/** Every recording and every thumbnail has its blob. */
export const mediaBlobCheck = createBlobCheck({
  name: 'media',
  hasHashes: true,
  readRows: filesAfter,
  keyOf: ({ memory_id: id }) => id,
  toBlobReferences: ({ memory_id: id, blob, bytes, sha256, thumbnail_blob, thumbnail_bytes }) => [
    { id, blob, bytes, sha256 },
    ...(thumbnail_blob === null ? [] : [{ id, blob: thumbnail_blob, bytes: thumbnail_bytes ?? 0 }]),
  ],
});

/** Every cached clip has its blob. The repair deletes the clip, since it can be cut again. */
export const clipBlobCheck = createBlobCheck(
  {
    name: 'clips',
    hasHashes: false,
    readRows: clipsAfter,
    keyOf: ({ blob }) => blob,
    toBlobReferences: ({ memory_id: id, blob, bytes }) => [{ id, blob, bytes }],
  },
  async (ctx, inconsistencies) => {
    const ids = new Set(inconsistencies.flatMap(({ id }) => id ?? []));
    await eraseClipsOf(ctx, [...ids]);
    return ids;
  },
);

/** Every part of an upload has its blob. */
export const uploadBlobCheck = createBlobCheck({
  name: 'uploads',
  hasHashes: false,
  readRows: uploadPartsAfter,
  keyOf: ({ blob }) => blob,
  toBlobReferences: ({ upload_id: id, blob, bytes }) => [{ id, blob, bytes }],
});
