export { mediaBlobCheck } from './checks.ts';
export { clipUrl } from './clips/link.ts';
export {
  findImportedRecordings,
  importInterpretations,
  importRecording,
  importSegments,
  importTranscripts,
} from './import.ts';
export { listMissingMediaTools } from './missing-tools.ts';
export {
  findSegmentsById,
  listSegmentIdsOfMemories,
  type SegmentRecord,
  segmentsContaining,
} from './segments/lookup.ts';
export { reembedSegments } from './segments/reembed.ts';
export { segmentText } from './segments/segments.ts';
export { type AttachedRecording, prepareAttachedRecording } from './uploads/attached-recording.ts';
export { eraseUpload } from './uploads/resumable.ts';
