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
/** Fields of all routes of the media of a single memory. */
const memoryRoute = { params: memoryParams, notFound: 'memory_not_found' } as const;
const read = { ...memoryRoute, access: 'memories:read' } as const;
const write = { ...memoryRoute, access: 'memories:write' } as const;
/** 404 not_found: the memory has no media file. */
const accessErrors = ['space_access_denied', 'not_found'] as const;
const playbackErrors = [...accessErrors, 'precondition_failed'] as const;
const byteRangeRoute = {
  responses: { 200: null, 206: null },
  headers: s.rangeHeaders,
  responseType: '*/*',
} as const;
const pendingDescription =
  'Pending: 202. Failed: 503 with the reason, or the previous result; see its job.';

const uploadParams = { id: sampleUpload.id };
/** `stand-up.m4a` in base64. */
const encodedName = 'c3RhbmQtdXAubTRh';
/** Fields of all routes of the tus protocol. */
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
    summary: 'Play a recording, whole or in byte ranges',
    ...read,
    ...byteRangeRoute,
    errors: [...playbackErrors],
    example: { params, response: null },
  }),
  link: defineRoute({
    id: 'media.link',
    method: 'GET',
    path: '/memories/:id/stream/link',
    summary: 'Create a temporary link that plays a recording without a key',
    description:
      'For the `src` of an audio or video element, which sends no key. Anyone with the link can ' +
      'play the recording until it expires or the recording is deleted.',
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
    summary: 'Read the metadata of an audio or video file',
    description: 'Same format as for a video; `video` is null without a picture track.',
    ...read,
    responses: { 200: s.videoMetadata },
    errors: [...accessErrors],
    example: { params, response: sampleAudioMetadata },
  }),
  transcript: defineRoute({
    id: 'media.transcript',
    method: 'GET',
    path: '/memories/:id/transcript',
    summary: 'Read the transcript of a recording',
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
    summary: 'Transcribe a recording, again if necessary',
    description: 'An unknown or unconfigured provider is 400.',
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
    summary: 'Play a video, whole or in byte ranges',
    ...read,
    ...byteRangeRoute,
    errors: [...playbackErrors],
    example: { params, response: null },
  }),
  thumbnail: defineRoute({
    id: 'media.thumbnail',
    method: 'GET',
    path: '/memories/:id/video/thumbnail',
    summary: 'Get the thumbnail of a video',
    description: '404 not_found until it is created.',
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
    summary: 'Read the metadata of a video file',
    ...read,
    responses: { 200: s.videoMetadata },
    errors: [...accessErrors],
    example: { params, response: sampleVideoMetadata },
  }),
  videoTranscript: defineRoute({
    id: 'media.videoTranscript',
    method: 'GET',
    path: '/memories/:id/video/transcript',
    summary: 'Read the transcript of a video',
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
    summary: 'Transcribe the audio track of a video, again if necessary',
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
    summary: 'Interpret key frames of a video',
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
    summary: 'Read the interpretation of a video',
    description: `${pendingDescription} Never requested: 404 not_found.`,
    ...read,
    responses: { 200: s.videoInterpretation, 202: s.mediaPending },
    errors: [...accessErrors],
    example: { params, response: sampleInterpretation },
  }),
  clip: defineRoute({
    id: 'media.clip',
    method: 'GET',
    path: '/media/clips/:id',
    summary: 'Play a recording, or part of it, with a signed link',
    description: 'An expired or modified link is 403 insufficient_permissions.',
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
    summary: 'Create a resumable upload (tus 1.0.0)',
    description:
      'Send the bytes with PATCH to the Location of the response, in one or more requests; HEAD ' +
      'reports how many have arrived. The body of this request can contain the first ones. A ' +
      'complete upload becomes a memory, like a form of POST /memories. If its content is ' +
      'already stored, the response has `Mneme-Duplicate: true`, and X-Mneme-Memory-Id is the id ' +
      'of the stored memory. OPTIONS lists the protocol extensions and the maximum size. An ' +
      'empty file creates no memory.',
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
      'memory_not_found',
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
    summary: 'Read the state of an upload; HEAD returns it in Upload-Offset',
    ...uploadRoute,
    responses: { 200: s.upload },
    errors: ['precondition_failed'],
    example: { params: uploadParams, response: sampleUpload },
  }),
  appendUpload: defineRoute({
    id: 'media.appendUpload',
    method: 'PATCH',
    path: '/media/uploads/:id',
    summary: 'Append bytes to an upload at its offset',
    description:
      'Bytes that arrive before the connection breaks are stored. With the last byte the file ' +
      'becomes a memory; X-Mneme-Memory-Id is its id. If its content is already stored, it is ' +
      'the id of the stored memory, with `Mneme-Duplicate: true`.',
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
      'memory_not_found',
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
    summary: 'Cancel an upload and delete its bytes',
    description: 'A memory that the upload became stays.',
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
