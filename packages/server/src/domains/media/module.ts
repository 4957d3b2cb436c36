import { releaseAllLeases } from '../../database/index.ts';
import { collectReferencedBlobs } from '../blobs/index.ts';
import {
  beforeMemoriesErase,
  beforeMemoriesHide,
  onMemoryChanges,
  ownedRecordRegistry,
} from '../memories/index.ts';
import { hourSeconds, type Module, minuteSeconds } from '../module.ts';
import { clipBlobCheck, mediaBlobCheck, uploadBlobCheck } from './checks.ts';
import { pruneClips, pruneClipsKind } from './clips/prune.ts';
import { eraseAccountMedia, eraseMedia } from './erase.ts';
import { afterMediaInsert } from './hooks.ts';
import { mediaRouteHandlers } from './routes.ts';
import { sweepScratch, sweepScratchKind } from './scratch.ts';
import { segmentCheck, segmentOrphanCheck } from './segments/checks.ts';
import { deindexRecordings, updateSegmentsOfRecordings } from './segments/memory-changes.ts';
import { collectBlobsReferencedByMedia } from './store/files.ts';
import { enqueueUploadTranscription, transcribeKind } from './transcripts/request.ts';
import { runTranscriptionJob } from './transcripts/transcribe.ts';
import { ownedUploads } from './uploads/erase-owned.ts';
import { cleanUpUploads, cleanUpUploadsKind } from './uploads/upload-cleanup.ts';
import { runInterpretationJob } from './video/interpret.ts';
import { interpretKind } from './video/request.ts';
import { makeThumbnail, thumbnailKind } from './video/thumbnail.ts';

export const mediaModule = {
  name: 'media',
  handlers: mediaRouteHandlers,
  jobs: {
    [cleanUpUploadsKind]: { run: cleanUpUploads, backoffSeconds: [60, 600] },
    [pruneClipsKind]: { run: pruneClips, backoffSeconds: [60, 600] },
    [thumbnailKind]: { run: makeThumbnail, backoffSeconds: [5, 60, 600, 3_600], queue: 'pictures' },
    [transcribeKind]: {
      restartedBy: 'POST /memories/:id/transcribe',
      run: runTranscriptionJob,
      backoffSeconds: [10, 60, 600],
      queue: 'recordings',
    },
    [interpretKind]: {
      restartedBy: 'POST /memories/:id/video/interpret',
      run: runInterpretationJob,
      backoffSeconds: [10, 60, 600],
      queue: 'recordings',
    },
    [sweepScratchKind]: { run: (app) => sweepScratch(app), backoffSeconds: [600] },
  },
  schedules: [
    { kind: cleanUpUploadsKind, everySeconds: minuteSeconds },
    { kind: pruneClipsKind, everySeconds: hourSeconds },
    { kind: sweepScratchKind, everySeconds: 24 * hourSeconds },
  ],
  checks: [mediaBlobCheck, clipBlobCheck, uploadBlobCheck, segmentCheck, segmentOrphanCheck],
  eraseAccount: eraseAccountMedia,
  releaseLeases: (db) => releaseAllLeases(db, 'media_uploads'),
  registerHooks(app) {
    collectReferencedBlobs.on(app, collectBlobsReferencedByMedia);
    ownedRecordRegistry.on(app, 'uploads', ownedUploads);
    afterMediaInsert.on(app, enqueueUploadTranscription);
    onMemoryChanges.on(app, updateSegmentsOfRecordings);
    beforeMemoriesHide.on(app, deindexRecordings);
    // Must run before eraseMedia, which deletes the rows that list the documents.
    beforeMemoriesErase.on(app, deindexRecordings);
    beforeMemoriesErase.on(app, eraseMedia);
  },
} satisfies Module;
