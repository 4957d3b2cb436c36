import { confirmQuery } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { sampleMemory, sampleTimestamp } from '../samples.ts';
import { uploadFields } from '../schemas/media.ts';
import * as s from '../schemas/memories.ts';
import { createdMemory } from '../schemas/update-suggestions.ts';

const notFound = 'memory_not_found';
const params = { id: sampleMemory.id };
const ids = [sampleMemory.id];
const tagged = { ...sampleMemory, tags: ['preference', 'tea'] };
const sampleCreate = {
  content: sampleMemory.content,
  tags: sampleMemory.tags,
  metadata: sampleMemory.metadata,
  priority: sampleMemory.priority,
};

/** Fields of all routes of a single memory. */
const memoryRoute = { params: s.memoryParams, notFound, etag: true } as const;
const write = { ...memoryRoute, access: 'memories:write' } as const;
const protectionErrors = ['confirmation_required', 'memory_protected'] as const;
const writeErrors = ['space_access_denied', 'precondition_failed'] as const;
const contentErrors = [
  'content_too_large',
  'invalid_embedding',
  'embedding_failed',
  'duplicate_memory',
  'space_not_found',
  'not_found',
  'invalid_state_transition',
  'quota_exceeded',
] as const;
/** A memory to supersede may be missing or deleted. */
const createErrors = [...contentErrors, notFound, 'conflict'] as const;

export const memoryRoutes = {
  create: defineRoute({
    id: 'memories.create',
    method: 'POST',
    path: '/memories',
    summary: 'Store a memory',
    description:
      'When the 201 arrives, the memory is durable, embedded and searchable. A form with a file ' +
      'creates a memory of the type that its bytes show: text or Markdown becomes the content; ' +
      'audio and video can be played and are transcribed. Other files are 400.',
    access: 'memories:write',
    body: s.createMemoryBody,
    form: uploadFields,
    responses: { 201: createdMemory },
    idempotent: true,
    etag: true,
    endpointLimit: 'memories.create',
    errors: [...createErrors, 'daily_limit_exceeded', 'space_access_denied'],
    example: {
      body: sampleCreate,
      response: { ...sampleMemory, possible_updates: [] },
    },
  }),
  list: defineRoute({
    id: 'memories.list',
    method: 'GET',
    path: '/memories',
    summary: 'List memories, newest first unless sort and order tell otherwise',
    access: 'memories:read',
    query: s.listMemoriesQuery,
    endpointLimit: 'memories.list',
    responses: { 200: s.memoryPage },
    errors: ['space_not_found', 'space_access_denied', 'invalid_request'],
    example: { response: { data: [sampleMemory], has_more: false, next_cursor: null } },
  }),
  facets: defineRoute({
    id: 'memories.facets',
    method: 'GET',
    path: '/memories/facets',
    summary: 'Count memories by the values of the filters of the list',
    description:
      'Takes the filters of the list. Each count is how many memories the list would have with ' +
      'that value, and with the other filters as they are.',
    access: 'memories:read',
    query: s.memoryFacetsQuery,
    responses: { 200: s.memoryFacets },
    errors: ['space_not_found', 'space_access_denied'],
    example: {
      query: { tags: ['preference'] },
      response: {
        total: 1,
        spaces: [{ space_id: null, count: 1 }],
        content_types: [{ content_type: 'text', count: 1 }],
        tags: [{ tag: 'preference', count: 1 }],
        priorities: [{ priority: 5, count: 1 }],
        months: [{ month: '2026-01', count: 1 }],
      },
    },
  }),
  get: defineRoute({
    id: 'memories.get',
    method: 'GET',
    path: '/memories/:id',
    summary: 'Read a memory, including a soft-deleted one',
    ...memoryRoute,
    access: 'memories:read',
    responses: { 200: s.memory },
    errors: ['space_access_denied'],
    example: { params, response: sampleMemory },
  }),
  update: defineRoute({
    id: 'memories.update',
    method: 'PATCH',
    path: '/memories/:id',
    summary: 'Change a memory; new content is embedded again',
    description: 'metadata is merged (RFC 7396: null removes a key); tags are replaced.',
    ...write,
    query: confirmQuery,
    body: s.patchMemoryBody,
    responses: { 200: s.memory },
    errors: [...contentErrors, ...protectionErrors, ...writeErrors, 'conflict'],
    example: { params, body: { tags: ['preference', 'tea'] }, response: tagged },
  }),
  remove: defineRoute({
    id: 'memories.remove',
    method: 'DELETE',
    path: '/memories/:id',
    summary: 'Delete a memory, softly or permanently',
    ...write,
    query: s.deleteMemoryQuery,
    endpointLimit: 'memories.delete',
    responses: { 204: null, 200: s.memory },
    errors: [...protectionErrors, ...writeErrors],
    example: { params, response: null },
  }),
  restore: defineRoute({
    id: 'memories.restore',
    method: 'POST',
    path: '/memories/:id/restore',
    summary: 'Restore a soft-deleted memory',
    ...write,
    responses: { 200: s.memory },
    errors: ['duplicate_memory', ...writeErrors],
    example: { params, response: sampleMemory },
  }),
  pin: defineRoute({
    id: 'memories.pin',
    method: 'POST',
    path: '/memories/:id/pin',
    summary: 'Pin a memory: exempt it from decay',
    ...write,
    query: confirmQuery,
    responses: { 200: s.memory },
    errors: [...protectionErrors, ...writeErrors, 'conflict'],
    example: { params, response: { ...sampleMemory, is_pinned: true } },
  }),
  unpin: defineRoute({
    id: 'memories.unpin',
    method: 'POST',
    path: '/memories/:id/unpin',
    summary: 'Unpin a memory: it decays again',
    ...write,
    query: confirmQuery,
    responses: { 200: s.memory },
    errors: [...protectionErrors, ...writeErrors, 'conflict'],
    example: { params, response: sampleMemory },
  }),
  protect: defineRoute({
    id: 'memories.protect',
    method: 'PATCH',
    path: '/memories/:id/protection',
    summary: 'Set the protection level of a memory',
    ...write,
    body: s.setProtectionBody,
    responses: { 200: s.memory },
    errors: [...writeErrors],
    example: {
      params,
      body: { protection_level: 'soft' },
      response: { ...sampleMemory, protection_level: 'soft' },
    },
  }),
  verify: defineRoute({
    id: 'memories.verify',
    method: 'POST',
    path: '/memories/:id/verify',
    summary: 'Record that a memory was verified',
    ...write,
    responses: { 200: s.memory },
    errors: [...writeErrors, 'conflict'],
    example: { params, response: { ...sampleMemory, verified_at: sampleTimestamp } },
  }),
  feedback: defineRoute({
    id: 'memories.feedback',
    method: 'POST',
    path: '/memories/:id/feedback',
    summary: 'Submit feedback on a memory, which adjusts its salience',
    ...write,
    etag: false,
    body: s.createFeedbackBody,
    responses: { 201: s.feedback },
    idempotent: true,
    errors: ['space_access_denied', 'conflict'],
    example: {
      params,
      body: { helpful: true, query: 'what does Ana drink?' },
      response: {
        id: '019b8d1c-3a46-7fa7-8162-7d8e9fa0b1c2',
        memory_id: sampleMemory.id,
        helpful: true,
        query: 'what does Ana drink?',
        comment: null,
        salience: 0.55,
        created_at: sampleTimestamp,
      },
    },
  }),
  bulkCreate: defineRoute({
    id: 'memories.bulkCreate',
    method: 'POST',
    path: '/memories/bulk',
    summary: 'Store up to 100 memories',
    description:
      'Each item is stored or rejected separately; atomic=true stores all or none. Requests with ' +
      'more than 49,152 characters of content are committed in several transactions. If such a ' +
      'request is interrupted, repeat it with the same Idempotency-Key: the server continues ' +
      'after the items that are stored.',
    access: 'memories:write',
    query: s.bulkCreateQuery,
    body: s.bulkCreateBody,
    bulkBody: { list: 'memories', item: s.bulkCreateItem },
    responses: { 201: s.bulkCreateResponse },
    idempotent: true,
    endpointLimit: 'memories.bulk',
    errors: [...createErrors, 'daily_limit_exceeded', 'space_access_denied'],
    example: {
      body: { memories: [sampleCreate] },
      response: { created: 1, memories: [sampleMemory], failed: [] },
    },
  }),
  bulkUpdate: defineRoute({
    id: 'memories.bulkUpdate',
    method: 'PATCH',
    path: '/memories/bulk',
    summary: 'Set fields on up to 100 memories',
    access: 'memories:write',
    query: confirmQuery,
    body: s.bulkUpdateBody,
    responses: { 200: s.bulkUpdateResponse },
    errors: ['space_not_found', 'space_access_denied'],
    example: { body: { ids, set: { priority: 7 } }, response: { updated: 1, failed: [] } },
  }),
  bulkDelete: defineRoute({
    id: 'memories.bulkDelete',
    method: 'POST',
    path: '/memories/bulk/delete',
    summary: 'Delete up to 100 memories',
    access: 'memories:write',
    query: confirmQuery,
    body: s.bulkDeleteBody,
    responses: { 200: s.bulkDeleteResponse },
    errors: [],
    example: { body: { ids, soft: true }, response: { deleted: 1, failed: [], job_id: null } },
  }),
  bulkTags: defineRoute({
    id: 'memories.bulkTags',
    method: 'POST',
    path: '/memories/bulk/tags',
    summary: 'Add and remove tags on up to 100 memories',
    access: 'memories:write',
    query: confirmQuery,
    body: s.bulkTagsBody,
    responses: { 200: s.bulkUpdateResponse },
    errors: [],
    example: { body: { ids, add: ['tea'] }, response: { updated: 1, failed: [] } },
  }),
} as const;
