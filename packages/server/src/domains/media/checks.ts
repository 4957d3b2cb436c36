import { type NamedBlob, wrongBlobs } from '../blobs.ts';
import type { Check } from '../check.ts';
import { forgetClipsOf } from './clips/forget.ts';
import { clipsAfter } from './store/clips.ts';
import { filesAfter } from './store/files.ts';
import { partsAfter } from './store/uploads.ts';

const stepRows = 200;
/** Reading one whole may take longer than everything else in a turn. */
const deepRows = 1;

/** Every recording has all of its bytes, and every picture its own. */
export const mediaCheck: Check = {
  name: 'media',
  read: async (ctx, tx, after, looking) => {
    const limit = looking.deep ? deepRows : stepRows;
    const files = await filesAfter(tx, ctx.actor.accountId, { after, limit });
    const named = files.flatMap((file): NamedBlob[] => {
      const { memory_id: id, blob, bytes, sha256 } = file;
      const { thumbnail_blob: picture, thumbnail_bytes: pictureBytes } = file;
      const own = { id, blob, bytes, sha256 };
      return picture === null ? [own] : [own, { id, blob: picture, bytes: pictureBytes ?? 0 }];
    });
    return {
      rows: files.length,
      next: files.length === limit ? (files.at(-1)?.memory_id ?? null) : null,
      judge: () => wrongBlobs(ctx, named, looking),
    };
  },
};

/** Every clip that is kept has its bytes; mended by forgetting it, since it can be cut again. */
export const clipCheck: Check = {
  name: 'clips',
  read: async (ctx, tx, after, looking) => {
    const clips = await clipsAfter(tx, ctx.actor.accountId, { after, limit: stepRows });
    const named = clips.map(({ memory_id: id, blob, bytes }) => ({ id, blob, bytes }));
    return {
      rows: clips.length,
      next: clips.length === stepRows ? (clips.at(-1)?.blob ?? null) : null,
      judge: () => wrongBlobs(ctx, named, looking),
    };
  },
  repair: async (ctx, faults) => {
    const ids = new Set(faults.flatMap(({ id }) => id ?? []));
    await forgetClipsOf(ctx, [...ids]);
    return ids;
  },
};

/** Every part of an upload has its bytes. */
export const uploadCheck: Check = {
  name: 'uploads',
  read: async (ctx, tx, after, looking) => {
    const parts = await partsAfter(tx, ctx.actor.accountId, { after, limit: stepRows });
    const named = parts.map(({ upload_id: id, blob, bytes }) => ({ id, blob, bytes }));
    return {
      rows: parts.length,
      next: parts.length === stepRows ? (parts.at(-1)?.blob ?? null) : null,
      judge: () => wrongBlobs(ctx, named, looking),
    };
  },
};
