import { routes } from '@mneme/contract';
import { createFormHandler, createHandler } from '../handler.ts';
import { streamClip } from './clips/cut.ts';
import { createMediaLink } from './clips/link.ts';
import { streamMedia } from './streaming/stream.ts';
import { readTranscript } from './transcripts/read.ts';
import { requestTranscription } from './transcripts/request.ts';
import { appendUpload } from './uploads/append.ts';
import { createUpload } from './uploads/create.ts';
import { createMemoryFromForm } from './uploads/form.ts';
import { getUpload, removeUpload } from './uploads/resumable.ts';
import { getMediaMetadata } from './video/metadata.ts';
import { readInterpretation, requestInterpretation } from './video/request.ts';
import { streamThumbnail } from './video/thumbnail.ts';

const { media, memories } = routes;

export const mediaRouteHandlers = [
  createFormHandler(memories.create, (ctx, { form }) => createMemoryFromForm(ctx, form)),
  createHandler(media.stream, (ctx, { params, headers }) =>
    streamMedia(ctx, params.id, headers, 'any'),
  ),
  createHandler(media.video, (ctx, { params, headers }) =>
    streamMedia(ctx, params.id, headers, 'video'),
  ),
  createHandler(media.thumbnail, (ctx, { params }) => streamThumbnail(ctx, params.id)),
  createHandler(media.metadata, (ctx, { params }) => getMediaMetadata(ctx, params.id, 'video')),
  createHandler(media.recordingMetadata, (ctx, { params }) =>
    getMediaMetadata(ctx, params.id, 'any'),
  ),
  createHandler(media.link, (ctx, { params, query }) => createMediaLink(ctx, params.id, query)),
  createHandler(media.transcript, (ctx, { params }) => readTranscript(ctx, params.id, 'any')),
  createHandler(media.transcribe, (ctx, { params, body }) =>
    requestTranscription(ctx, params.id, body ?? {}, 'any'),
  ),
  createHandler(media.videoTranscript, (ctx, { params }) =>
    readTranscript(ctx, params.id, 'video'),
  ),
  createHandler(media.videoTranscribe, (ctx, { params, body }) =>
    requestTranscription(ctx, params.id, body ?? {}, 'video'),
  ),
  createHandler(media.interpret, (ctx, { params }) => requestInterpretation(ctx, params.id)),
  createHandler(media.interpretation, (ctx, { params }) => readInterpretation(ctx, params.id)),
  createHandler(media.clip, (ctx, { params, query, headers }) =>
    streamClip(ctx, params.id, query, headers),
  ),
  createHandler(media.createUpload, (ctx, { headers, ...sent }) =>
    createUpload(ctx, headers, sent),
  ),
  createHandler(media.getUpload, (ctx, { params }) => getUpload(ctx, params.id)),
  createHandler(media.appendUpload, (ctx, { params, headers, ...sent }) =>
    appendUpload(ctx, params.id, headers, sent),
  ),
  createHandler(media.removeUpload, (ctx, { params }) => removeUpload(ctx, params.id)),
];
