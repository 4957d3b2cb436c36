import { erasureBackoffSeconds, hourSeconds, type Module } from '../module.ts';
import { removeUnusedBlobs, removeUnusedBlobsKind, sweepBlobs, sweepBlobsKind } from './blobs.ts';

export const blobModule = {
  name: 'blobs',
  jobs: {
    [removeUnusedBlobsKind]: { run: removeUnusedBlobs, backoffSeconds: erasureBackoffSeconds },
    [sweepBlobsKind]: { run: sweepBlobs, backoffSeconds: [60, 600] },
  },
  schedules: [{ kind: sweepBlobsKind, everySeconds: 24 * hourSeconds }],
} satisfies Module;
