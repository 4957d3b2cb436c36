export { clipCheck, mediaCheck, uploadCheck } from './checks.ts';
export { forgetClips, forgetClipsKind } from './clips/forget.ts';
export { clipUrl } from './clips/link.ts';
export { eraseAccountMedia, forgetMedia } from './erase.ts';
export { storedMedia } from './hooks.ts';
export { lackingForMedia } from './lacking.ts';
export { mediaHandlers } from './routes.ts';
export { sweepScratch, sweepScratchKind } from './scratch.ts';
export { segmentCheck, segmentStrayCheck } from './segments/checks.ts';
export { followRecordings, forgetRecordings } from './segments/follow.ts';
export {
  type SegmentRecord,
  segmentsContaining,
  segmentsIn,
  segmentsWith,
} from './segments/found.ts';
export { reembedSegments } from './segments/reembed.ts';
export { textOf } from './segments/segments.ts';
export { blobsNamedByMedia } from './store/files.ts';
export { releaseUploads } from './store/uploads.ts';
export { transcribeKind, transcribeUploaded } from './transcripts/ask.ts';
export { transcribe } from './transcripts/transcribe.ts';
export { type AttachedRecording, attachedRecording } from './uploads/attached.ts';
export { eraseUpload } from './uploads/resumable.ts';
export { tendUploads, tendUploadsKind } from './uploads/tend.ts';
export { interpretKind } from './video/ask.ts';
export { interpret } from './video/interpret.ts';
export { makeThumbnail, thumbnailKind } from './video/thumbnail.ts';
