import { z } from 'zod';
import { limits } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { sampleEvent, sampleJob, sampleRun, sampleTimestamp } from '../samples.ts';
import { eventPage, listEventsQuery, publicEvent, streamEventsQuery } from '../schemas/events.ts';
import { idParams } from '../schemas/fields.ts';
import { health, job, readiness } from '../schemas/operations.ts';

export const operationRoutes = {
  health: defineRoute({
    id: 'operations.health',
    method: 'GET',
    path: '/health',
    summary: 'Whether the service is well',
    access: 'public',
    probe: true,
    responses: { 200: health, 503: health },
    errors: [],
    example: {
      response: {
        status: 'ok',
        uptime: 120,
        version: '0.1.0',
        timestamp: sampleTimestamp,
        checks: { database: { ok: true } },
      },
    },
  }),
  ready: defineRoute({
    id: 'operations.ready',
    method: 'GET',
    path: '/ready',
    summary: 'Whether a load balancer may send requests here',
    access: 'public',
    probe: true,
    responses: { 200: readiness, 503: readiness },
    errors: [],
    example: { response: { ready: true } },
  }),
  openapi: defineRoute({
    id: 'operations.openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This contract as OpenAPI 3.1',
    access: 'public',
    responses: { 200: z.record(z.string(), z.unknown()) },
    errors: [],
    example: { response: { openapi: '3.1.0' } },
  }),
  job: defineRoute({
    id: 'jobs.get',
    method: 'GET',
    path: '/jobs/:id',
    summary: 'Read a job of the account',
    access: 'any',
    params: idParams,
    notFound: 'not_found',
    responses: { 200: job },
    errors: [],
    example: { params: { id: sampleJob.id }, response: sampleJob },
  }),
  cancelJob: defineRoute({
    id: 'jobs.cancel',
    method: 'POST',
    path: '/jobs/:id/cancel',
    summary: 'Cancel a clustering run that waits or runs',
    description: 'What it was about to replace stays as it was. No other jobs can be cancelled.',
    access: 'clusters:write',
    params: idParams,
    notFound: 'not_found',
    responses: { 202: job },
    idempotent: true,
    errors: ['conflict', 'space_access_denied'],
    example: {
      params: { id: sampleRun.id },
      response: {
        ...sampleJob,
        id: sampleRun.id,
        kind: 'clusters.run',
        status: 'cancelled',
        progress: 0,
        attempts: 0,
      },
    },
  }),
  events: defineRoute({
    id: 'events.list',
    method: 'GET',
    path: '/events',
    summary: 'List events in order of commit, oldest first, for 30 days',
    description: 'Keep next_cursor and ask again with it to follow what happens.',
    access: 'webhooks:read',
    requiresContentScope: true,
    query: listEventsQuery,
    responses: { 200: eventPage },
    errors: [],
    example: {
      query: { type: 'memory.created', limit: 1 },
      response: { data: [sampleEvent], has_more: true, next_cursor: 'WyJlMXhBUWlnMVhHIiwxXQ' },
    },
  }),
  eventStream: defineRoute({
    id: 'events.stream',
    method: 'GET',
    path: '/events/stream',
    summary: 'Be told of events as they happen, as server-sent events',
    description:
      'Each message has the event type as `event`, the event as `data`, and as `id` a cursor of ' +
      'GET /events. After a break go on with Last-Event-ID (or `cursor`): nothing is missed. ' +
      'Without either the stream begins now. A comment comes every 15 seconds; the stream ends ' +
      'when the key does, when the service stops, and when nobody reads for 30 seconds. An ' +
      `account may have ${limits.eventStreamsMax} open streams; they are no concurrent requests.`,
    access: 'webhooks:read',
    requiresContentScope: true,
    query: streamEventsQuery,
    responses: { 200: publicEvent },
    eventStream: 'text/event-stream',
    errors: [],
    example: { query: { type: 'memory.created' }, response: sampleEvent },
  }),
} as const;
