import { defineRoute } from '../route.ts';
import {
  sampleAudioMetadata,
  sampleInterpretation,
  sampleMediaLink,
  sampleMediaPending,
  sampleRecording,
  sampleTranscript,
  sampleUpload,
  sampleVideoMetadata,
} from '../samples-media.ts';
import * as s from '../schemas/media.ts';
import { memoryParams } from '../schemas/memories.ts';

const params = { id: sampleRecording.id };
/** What every route that reaches the media of one memory shares. */
const memoryRoute = { params: memoryParams, notFound: 'memory_not_found' } as const;
const read = { ...memoryRoute, access: 'memories:read' } as const;
const write = { ...memoryRoute, access: 'memories:write' } as const;
/** The media file may be gone, or never have been: 404 not_found. */
const accessErrors = ['space_access_denied', 'not_found'] as const;
const playbackErrors = [...accessErrors, 'precondition_failed'] as const;
const byteRangeRoute = {
  responses: { 200: null, 206: null },
  headers: s.rangeHeaders,
  responseType: '*/*',
} as const;
const pendingDescription =
  'Not there yet: 202. Failed: 503 with the reason, or what was there before; its job tells.';

const uploadParams = { id: sampleUpload.id };
/** `stand-up.m4a` in base64. */
const encodedName = 'c3RhbmQtdXAubTRh';
/** What all requests of the tus protocol have. */
const tusRoute = {
  fixedHeaders: { 'tus-resumable': s.tusVersion },
  isStrictProtocol: true,
} as const;
const tusRequestType = {
  type: 'application/offset+octet-stream',
  bytesMax: Number.MAX_SAFE_INTEGER,
} as const;
const uploadRoute = {
  params: s.uploadParams,
  notFound: 'not_found',
  access: 'memories:write',
} as const;

export const mediaRoutes = {
  stream: defineRoute({
    id: 'media.stream',
    method: 'GET',
    path: '/memories/:id/stream',
    summary: 'Play a recording: its bytes, whole or a range of them',
    ...read,
    ...byteRangeRoute,
    errors: [...playbackErrors],
    example: { params, response: null },
  }),
  link: defineRoute({
    id: 'media.link',
    method: 'GET',
    path: '/memories/:id/stream/link',
    summary: 'Get an address that plays a recording without a key, for a while',
    description:
      'For the `src` of an audio or video element, which sends no key. Whoever has the address ' +
      'may play until then; a deleted recording is not played.',
    ...read,
    query: s.mediaLinkQuery,
    responses: { 200: s.mediaLink },
    errors: [...accessErrors, 'conflict'],
    example: { params, query: { expires_in: 3_600 }, response: sampleMediaLink },
  }),
  recordingMetadata: defineRoute({
    id: 'media.recordingMetadata',
    method: 'GET',
    path: '/memories/:id/stream/metadata',
    summary: 'Read what is known of an audio or video file',
    description: 'As of a video; `video` is null where there are no pictures.',
    ...read,
    responses: { 200: s.videoMetadata },
    errors: [...accessErrors],
    example: { params, response: sampleAudioMetadata },
  }),
  transcript: defineRoute({
    id: 'media.transcript',
    method: 'GET',
    path: '/memories/:id/transcript',
    summary: 'Read what was said in a recording',
    description: pendingDescription,
    ...read,
    responses: { 200: s.transcript, 202: s.mediaPending },
    errors: [...accessErrors],
    example: { params, response: sampleTranscript },
  }),
  transcribe: defineRoute({
    id: 'media.transcribe',
    method: 'POST',
    path: '/memories/:id/transcribe',
    summary: 'Transcribe a recording, also anew',
    description: 'An unknown provider, or one that is not configured, is 400.',
    ...write,
    body: s.transcribeOptions,
    bodyOptional: true,
    responses: { 202: s.mediaPending },
    idempotent: true,
    errors: [...accessErrors, 'conflict'],
    example: { params, body: { language: 'en' }, response: sampleMediaPending },
  }),
  video: defineRoute({
    id: 'media.video',
    method: 'GET',
    path: '/memories/:id/video',
    summary: 'Play a video: its bytes, whole or a range of them',
    ...read,
    ...byteRangeRoute,
    errors: [...playbackErrors],
    example: { params, response: null },
  }),
  thumbnail: defineRoute({
    id: 'media.thumbnail',
    method: 'GET',
    path: '/memories/:id/video/thumbnail',
    summary: 'Get a small picture of a video',
    description: 'Until it is made: 404 not_found.',
    ...read,
    responses: { 200: null },
    responseType: 'image/webp',
    etag: true,
    errors: [...accessErrors],
    example: { params, response: null },
  }),
  metadata: defineRoute({
    id: 'media.metadata',
    method: 'GET',
    path: '/memories/:id/video/metadata',
    summary: 'Read what is known of a video file',
    ...read,
    responses: { 200: s.videoMetadata },
    errors: [...accessErrors],
    example: { params, response: sampleVideoMetadata },
  }),
  videoTranscript: defineRoute({
    id: 'media.videoTranscript',
    method: 'GET',
    path: '/memories/:id/video/transcript',
    summary: 'Read what is said in a video',
    description: pendingDescription,
    ...read,
    responses: { 200: s.transcript, 202: s.mediaPending },
    errors: [...accessErrors],
    example: { params, response: sampleTranscript },
  }),
  videoTranscribe: defineRoute({
    id: 'media.videoTranscribe',
    method: 'POST',
    path: '/memories/:id/video/transcribe',
    summary: 'Transcribe the sound of a video, also anew',
    ...write,
    body: s.transcribeOptions,
    bodyOptional: true,
    responses: { 202: s.mediaPending },
    idempotent: true,
    errors: [...accessErrors, 'conflict'],
    example: { params, body: { language: 'en' }, response: sampleMediaPending },
  }),
  interpret: defineRoute({
    id: 'media.interpret',
    method: 'POST',
    path: '/memories/:id/video/interpret',
    summary: 'Have key frames of a video described',
    ...write,
    responses: { 202: s.mediaPending },
    idempotent: true,
    errors: [...accessErrors, 'conflict'],
    example: { params, response: sampleMediaPending },
  }),
  interpretation: defineRoute({
    id: 'media.interpretation',
    method: 'GET',
    path: '/memories/:id/video/interpretation',
    summary: 'Read what key frames of a video show',
    description: `${pendingDescription} Never asked for: 404 not_found.`,
    ...read,
    responses: { 200: s.videoInterpretation, 202: s.mediaPending },
    errors: [...accessErrors],
    example: { params, response: sampleInterpretation },
  }),
  clip: defineRoute({
    id: 'media.clip',
    method: 'GET',
    path: '/media/clips/:id',
    summary: 'Play a recording, or some seconds of it, by a signed link',
    description: 'A link that is over, or was changed, is 403 insufficient_permissions.',
    ...memoryRoute,
    access: 'public',
    query: s.clipQuery,
    ...byteRangeRoute,
    errors: ['insufficient_permissions', 'not_found', 'precondition_failed'],
    example: {
      params,
      query: { start: 0.4, end: 3.9, expires: 1_767_606_300, signature: 'x' },
      response: null,
    },
  }),
  createUpload: defineRoute({
    id: 'media.createUpload',
    method: 'POST',
    path: '/media/uploads',
    summary: 'Begin an upload that can be broken off and go on (tus 1.0.0)',
    description:
      'Send the bytes by PATCH to the Location of the answer, in one or more requests; HEAD ' +
      'reports how many have arrived. The first ones may come as the body of this request. A ' +
      'complete upload becomes a memory, as a form of POST /memories does; if its content is ' +
      'stored already, `Mneme-Duplicate: true` marks the answer, and X-Mneme-Memory-Id has the ' +
      'id of that memory. OPTIONS lists the extensions of the protocol and the largest size. An ' +
      'empty file becomes no memory.',
    ...tusRoute,
    access: 'memories:write',
    requestType: tusRequestType,
    bodyOptional: true,
    headers: s.createUploadHeaders,
    responses: { 201: s.upload },
    idempotent: true,
    errors: [
      'not_found',
      'precondition_failed',
      'payload_too_large',
      'checksum_mismatch',
      'conflict',
      'content_too_large',
      'embedding_failed',
      'space_not_found',
      'space_access_denied',
      'invalid_state_transition',
      'quota_exceeded',
      'daily_limit_exceeded',
    ],
    example: {
      headers: {
        'tus-resumable': s.tusVersion,
        'upload-length': String(sampleUpload.length),
        'upload-metadata': `filename ${encodedName}`,
      },
      response: { ...sampleUpload, offset: 0 },
    },
  }),
  getUpload: defineRoute({
    id: 'media.getUpload',
    method: 'GET',
    path: '/media/uploads/:id',
    summary: 'Read how far an upload is; HEAD has it in Upload-Offset',
    ...uploadRoute,
    responses: { 200: s.upload },
    errors: ['precondition_failed'],
    example: { params: uploadParams, response: sampleUpload },
  }),
  appendUpload: defineRoute({
    id: 'media.appendUpload',
    method: 'PATCH',
    path: '/media/uploads/:id',
    summary: 'Send bytes of an upload, from its offset on',
    description:
      'Those that arrive before a connection breaks are kept. With the last ones the file ' +
      'becomes a memory, which X-Mneme-Memory-Id names. If its content is stored already, that ' +
      'memory is named, with `Mneme-Duplicate: true`.',
    ...uploadRoute,
    ...tusRoute,
    requestType: tusRequestType,
    headers: s.appendUploadHeaders,
    responses: { 204: null },
    errors: [
      'precondition_failed',
      'conflict',
      'checksum_mismatch',
      'content_too_large',
      'embedding_failed',
      'space_not_found',
      'space_access_denied',
      'invalid_state_transition',
      'quota_exceeded',
      'daily_limit_exceeded',
    ],
    example: {
      params: uploadParams,
      headers: { 'tus-resumable': s.tusVersion, 'upload-offset': '0' },
      response: null,
    },
  }),
  removeUpload: defineRoute({
    id: 'media.removeUpload',
    method: 'DELETE',
    path: '/media/uploads/:id',
    summary: 'Give an upload up, with what is here of it',
    description: 'A memory that it became stays.',
    ...uploadRoute,
    ...tusRoute,
    headers: s.tusHeaders,
    responses: { 204: null },
    errors: ['precondition_failed'],
    example: {
      params: uploadParams,
      headers: { 'tus-resumable': s.tusVersion },
      response: null,
    },
  }),
} as const;
