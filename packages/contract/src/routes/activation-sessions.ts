import { idParams, listQuery } from '../fields.ts';
import { listOwnedQuery } from '../owners.ts';
import { defineRoute } from '../route.ts';
import { sampleActivation, sampleMemory } from '../samples.ts';
import * as s from '../schemas/activation-sessions.ts';

const page = { total: 1, limit: 20, offset: 0, has_more: false };
const detail = { ...sampleActivation, memory_ids: [sampleMemory.id] };
const params = { id: sampleActivation.id };

const read = { access: 'sessions:read', errors: [] } as const;
const sessionRoute = { params: idParams, notFound: 'not_found' } as const;

export const activationRoutes = {
  list: defineRoute({
    id: 'sessions.list',
    method: 'GET',
    path: '/sessions',
    summary: 'List activation sessions',
    description:
      'An activation session groups the memories that were found together. It starts when a ' +
      'search or recall has session=<key>, and closes after 30 minutes without access.',
    ...read,
    query: s.listActivationsQuery,
    responses: { 200: s.activationPage },
    example: { response: { data: [sampleActivation], pagination: page } },
  }),
  active: defineRoute({
    id: 'sessions.active',
    method: 'GET',
    path: '/sessions/active',
    summary: 'List open activation sessions, the most recently used first',
    ...read,
    query: listQuery,
    responses: { 200: s.activationPage },
    example: { response: { data: [sampleActivation], pagination: page } },
  }),
  get: defineRoute({
    id: 'sessions.get',
    method: 'GET',
    path: '/sessions/:id',
    summary: 'Read an activation session',
    ...read,
    ...sessionRoute,
    responses: { 200: s.activationSessionDetail },
    example: { params, response: detail },
  }),
  memories: defineRoute({
    id: 'sessions.memories',
    method: 'GET',
    path: '/sessions/:id/memories',
    summary: 'List the memories of an activation session in the order of first access',
    ...read,
    requiresContentScope: true,
    ...sessionRoute,
    query: listOwnedQuery,
    responses: { 200: s.activationMemoryPage },
    example: { params, response: { data: [sampleMemory], pagination: page } },
  }),
  export: defineRoute({
    id: 'sessions.export',
    method: 'GET',
    path: '/sessions/:id/export',
    summary: 'Export an activation session as markdown, json, csv or html',
    description:
      'In the json format, `create` of each memory is a body for POST /memories/bulk. Posting ' +
      'them 100 at a time (at most 64 MiB) to an empty space restores all memories with every ' +
      'field of a create; only the vectors are computed again. Chat messages, and repeated ' +
      'contents after the first, have allow_duplicate. The csv has a record for each memory, ' +
      'with the relationships that start at it, and no formulas; the html needs no network. The ' +
      'export is streamed and has no size limit; memories that are deleted before they are sent ' +
      'are omitted.',
    ...read,
    requiresContentScope: true,
    ...sessionRoute,
    query: s.activationExportQuery,
    responses: { 200: s.activationExport },
    formats: ['text/markdown', 'text/csv', 'text/html'],
    example: {
      params,
      query: { format: 'json' },
      response: {
        session: detail,
        memories: [
          {
            ...sampleMemory,
            create: {
              content: sampleMemory.content,
              type: 'text',
              tags: ['preference'],
              metadata: { source: 'chat' },
              priority: 5,
              is_pinned: false,
              protection_level: 'none',
            },
          },
        ],
        relationships: [],
      },
    },
  }),
  report: defineRoute({
    id: 'sessions.report',
    method: 'GET',
    path: '/sessions/:id/report',
    summary: 'Report on an activation session',
    description:
      'The report is streamed and has no size limit; memories that are deleted before they are ' +
      'sent are omitted.',
    ...read,
    requiresContentScope: true,
    ...sessionRoute,
    query: s.activationReportQuery,
    responses: { 200: s.activationReport },
    example: {
      params,
      response: {
        session: detail,
        memories: [
          { ...sampleMemory, access_count: 1, first_accessed_at: sampleActivation.started_at },
        ],
        relationships: [],
        top_tags: [{ tag: 'preference', count: 1 }],
        entities: [],
        timeline: [{ at: sampleActivation.started_at, memory_id: sampleMemory.id }],
      },
    },
  }),
} as const;
