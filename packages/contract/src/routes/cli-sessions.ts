import { confirmQuery, idParams } from '../fields.ts';
import { listOwnedQuery } from '../owners.ts';
import { defineRoute } from '../route.ts';
import { sampleCliSession, sampleMemory, sampleTimestamp } from '../samples.ts';
import * as s from '../schemas/cli-sessions.ts';

const params = { id: sampleCliSession.id };
const page = { total: 1, limit: 20, offset: 0, has_more: false };
const sessionMemory = { ...sampleMemory, session_id: sampleCliSession.id };
const sampleMessage = {
  ...sessionMemory,
  content: 'I prefer tea.',
  tags: [],
  metadata: { role: 'user', speaker: 'Ana' },
  priority: 0,
};

const read = { access: 'sessions:read' } as const;
const write = { access: 'sessions:write' } as const;
/** Fields of all routes of a single session. */
const sessionRoute = { params: idParams, notFound: 'not_found' } as const;
const transitionErrors = ['space_access_denied', 'invalid_state_transition'] as const;

export const cliSessionRoutes = {
  create: defineRoute({
    id: 'cliSessions.create',
    method: 'POST',
    path: '/cli-sessions',
    summary: 'Create a session',
    ...write,
    body: s.createCliSessionBody,
    responses: { 201: s.cliSession },
    idempotent: true,
    errors: ['space_not_found', 'space_access_denied'],
    example: {
      body: { name: sampleCliSession.name, tags: ['berlin'], origin_type: 'chat' },
      response: sampleCliSession,
    },
  }),
  list: defineRoute({
    id: 'cliSessions.list',
    method: 'GET',
    path: '/cli-sessions',
    summary: 'List sessions; archived ones only with include_archived',
    ...read,
    query: s.listCliSessionsQuery,
    responses: { 200: s.cliSessionPage },
    errors: ['space_not_found', 'space_access_denied'],
    example: { response: { data: [sampleCliSession], pagination: page } },
  }),
  active: defineRoute({
    id: 'cliSessions.active',
    method: 'GET',
    path: '/cli-sessions/active',
    summary: 'List active sessions, the most recently used first',
    ...read,
    query: s.activeCliSessionsQuery,
    responses: { 200: s.activeCliSessions },
    errors: [],
    example: { response: { data: [sampleCliSession], count: 1 } },
  }),
  stats: defineRoute({
    id: 'cliSessions.stats',
    method: 'GET',
    path: '/cli-sessions/stats',
    summary: 'Count sessions by status and type',
    ...read,
    responses: { 200: s.cliSessionStats },
    errors: [],
    example: {
      response: {
        total: 1,
        by_status: { active: 1, paused: 0, completed: 0, archived: 0 },
        by_type: { conversation: 1, project: 0, task: 0, temporary: 0 },
      },
    },
  }),
  get: defineRoute({
    id: 'cliSessions.get',
    method: 'GET',
    path: '/cli-sessions/:id',
    summary: 'Read a session',
    ...read,
    ...sessionRoute,
    responses: { 200: s.cliSession },
    errors: ['space_access_denied'],
    example: { params, response: sampleCliSession },
  }),
  update: defineRoute({
    id: 'cliSessions.update',
    method: 'PATCH',
    path: '/cli-sessions/:id',
    summary: 'Change a session; only the summary of a completed one',
    description: 'metadata is merged (RFC 7396: null removes a key); tags are replaced.',
    ...write,
    ...sessionRoute,
    body: s.patchCliSessionBody,
    responses: { 200: s.cliSession },
    errors: [...transitionErrors],
    example: {
      params,
      body: { tags: ['berlin', 'flat'] },
      response: { ...sampleCliSession, tags: ['berlin', 'flat'] },
    },
  }),
  remove: defineRoute({
    id: 'cliSessions.remove',
    method: 'DELETE',
    path: '/cli-sessions/:id',
    summary: 'Permanently delete a session and its memories',
    description:
      'A memory with soft protection requires confirm=true; a memory with hard protection blocks ' +
      'the deletion. Everything disappears from reads immediately; a job erases the data.',
    ...write,
    ...sessionRoute,
    query: confirmQuery,
    responses: { 204: null },
    errors: ['space_access_denied', 'memory_protected', 'confirmation_required'],
    example: { params, query: { confirm: true }, response: null },
  }),
  pause: defineRoute({
    id: 'cliSessions.pause',
    method: 'POST',
    path: '/cli-sessions/:id/pause',
    summary: 'Pause an active session: it accepts no new memories',
    ...write,
    ...sessionRoute,
    responses: { 200: s.cliSession },
    errors: [...transitionErrors],
    example: {
      params,
      response: { ...sampleCliSession, status: 'paused', paused_at: sampleTimestamp },
    },
  }),
  resume: defineRoute({
    id: 'cliSessions.resume',
    method: 'POST',
    path: '/cli-sessions/:id/resume',
    summary: 'Resume a paused session',
    ...write,
    ...sessionRoute,
    responses: { 200: s.cliSession },
    errors: [...transitionErrors],
    example: { params, response: sampleCliSession },
  }),
  complete: defineRoute({
    id: 'cliSessions.complete',
    method: 'POST',
    path: '/cli-sessions/:id/complete',
    summary: 'Complete an active or paused session: it becomes read-only',
    ...write,
    ...sessionRoute,
    body: s.completeCliSessionBody,
    bodyOptional: true,
    responses: { 200: s.cliSession },
    errors: [...transitionErrors],
    example: {
      params,
      body: { summary: 'The flat is found; the move is in May.' },
      response: {
        ...sampleCliSession,
        status: 'completed',
        summary: 'The flat is found; the move is in May.',
        completed_at: sampleTimestamp,
      },
    },
  }),
  archive: defineRoute({
    id: 'cliSessions.archive',
    method: 'POST',
    path: '/cli-sessions/:id/archive',
    summary: 'Archive a completed session: lists omit it by default',
    ...write,
    ...sessionRoute,
    responses: { 200: s.cliSession },
    errors: [...transitionErrors],
    example: {
      params,
      response: {
        ...sampleCliSession,
        status: 'archived',
        completed_at: sampleTimestamp,
        archived_at: sampleTimestamp,
      },
    },
  }),
  memories: defineRoute({
    id: 'cliSessions.memories',
    method: 'GET',
    path: '/cli-sessions/:id/memories',
    summary: 'List the memories of a session in order',
    ...read,
    requiresContentScope: true,
    ...sessionRoute,
    query: listOwnedQuery,
    responses: { 200: s.sessionMemoryPage },
    errors: ['space_access_denied'],
    example: { params, response: { data: [sessionMemory], pagination: page } },
  }),
  postMessages: defineRoute({
    id: 'cliSessions.postMessages',
    method: 'POST',
    path: '/cli-sessions/:id/messages',
    summary: 'Store chat messages as memories of a session, all or none',
    description:
      'The role, name and created_at of a message become metadata.role, metadata.speaker and ' +
      'occurred_at. Messages are exempt from the duplicate check.',
    ...write,
    ...sessionRoute,
    body: s.postMessagesBody,
    bulkBody: { list: 'messages', item: s.chatMessage },
    responses: { 201: s.postMessagesResponse },
    idempotent: true,
    errors: [
      ...transitionErrors,
      'content_too_large',
      'embedding_failed',
      'quota_exceeded',
      'daily_limit_exceeded',
    ],
    example: {
      params,
      body: { messages: [{ role: 'user', name: 'Ana', content: 'I prefer tea.' }] },
      response: { memories: [sampleMessage] },
    },
  }),
} as const;
