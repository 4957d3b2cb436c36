import { z } from 'zod';
import { idParams } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { sampleEvent, sampleJob, sampleRun, sampleTimestamp } from '../samples.ts';
import { eventPage, listEventsQuery, publicEvent, streamEventsQuery } from '../schemas/events.ts';
import { health, job, readiness } from '../schemas/operations.ts';

export const operationRoutes = {
  health: defineRoute({
    id: 'operations.health',
    method: 'GET',
    path: '/health',
    summary: 'Read the health of the service',
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
    summary: 'Check whether a load balancer can send requests',
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
    summary: 'Read this contract as OpenAPI 3.1',
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
    summary: 'Cancel a queued or running clustering run',
    description: 'The previous clusters stay unchanged. Other kinds of jobs cannot be cancelled.',
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
    description: 'To follow new events, store next_cursor and repeat the request with it.',
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
    summary: 'Stream events as server-sent events',
    description:
      'Each message has the event type as `event`, the event as `data`, and a cursor of GET ' +
      '/events as `id`. To resume after an interruption without missing events, send ' +
      'Last-Event-ID (or `cursor`). Without either, the stream starts with new events. The ' +
      'server sends a comment every 15 seconds. It ends the stream when the key becomes invalid, ' +
      'when the service stops, and when the client does not read for 30 seconds. An account can ' +
      `have ${limits.eventStreamsMax} open streams; they do not count as concurrent requests.`,
    access: 'webhooks:read',
    requiresContentScope: true,
    query: streamEventsQuery,
    responses: { 200: publicEvent },
    eventStream: 'text/event-stream',
    errors: [],
    example: { query: { type: 'memory.created' }, response: sampleEvent },
  }),
} as const;
