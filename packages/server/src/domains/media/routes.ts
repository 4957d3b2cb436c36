import { routes } from '@mneme/contract';
import { handle } from '../handle.ts';
import { createMemory } from '../memories/index.ts';
import { playClip } from './clips/cut.ts';
import { linkMedia } from './clips/link.ts';
import { playMedia } from './streaming/play.ts';
import { askForWords } from './transcripts/ask.ts';
import { readTranscript } from './transcripts/read.ts';
import { appendUpload } from './uploads/append.ts';
import { createUpload } from './uploads/create.ts';
import { uploadForm } from './uploads/form.ts';
import { getUpload, removeUpload } from './uploads/resumable.ts';
import { askForSight, readInterpretation } from './video/ask.ts';
import { metadataOf } from './video/metadata.ts';
import { videoThumbnail } from './video/thumbnail.ts';

const { media, memories } = routes;

export const mediaHandlers = [
  handle(memories.create, (ctx, { body, form }) =>
    form === null ? createMemory(ctx, body) : uploadForm(ctx, form),
  ),
  handle(media.stream, (ctx, { params, headers }) => playMedia(ctx, params.id, headers, 'any')),
  handle(media.video, (ctx, { params, headers }) => playMedia(ctx, params.id, headers, 'video')),
  handle(media.thumbnail, (ctx, { params }) => videoThumbnail(ctx, params.id)),
  handle(media.metadata, (ctx, { params }) => metadataOf(ctx, params.id, 'video')),
  handle(media.recordingMetadata, (ctx, { params }) => metadataOf(ctx, params.id, 'any')),
  handle(media.link, (ctx, { params, query }) => linkMedia(ctx, params.id, query)),
  handle(media.transcript, (ctx, { params }) => readTranscript(ctx, params.id, 'any')),
  handle(media.transcribe, (ctx, { params, body }) =>
    askForWords(ctx, params.id, body ?? {}, 'any'),
  ),
  handle(media.videoTranscript, (ctx, { params }) => readTranscript(ctx, params.id, 'video')),
  handle(media.videoTranscribe, (ctx, { params, body }) =>
    askForWords(ctx, params.id, body ?? {}, 'video'),
  ),
  handle(media.interpret, (ctx, { params }) => askForSight(ctx, params.id)),
  handle(media.interpretation, (ctx, { params }) => readInterpretation(ctx, params.id)),
  handle(media.clip, (ctx, { params, query, headers }) => playClip(ctx, params.id, query, headers)),
  handle(media.createUpload, (ctx, { headers, ...sent }) => createUpload(ctx, headers, sent)),
  handle(media.getUpload, (ctx, { params }) => getUpload(ctx, params.id)),
  handle(media.appendUpload, (ctx, { params, headers, ...sent }) =>
    appendUpload(ctx, params.id, headers, sent),
  ),
  handle(media.removeUpload, (ctx, { params }) => removeUpload(ctx, params.id)),
];
