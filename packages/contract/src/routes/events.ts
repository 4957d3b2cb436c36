import { limits } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { sampleEvent } from '../samples.ts';
import { eventPage, listEventsQuery, publicEvent, streamEventsQuery } from '../schemas/events.ts';

export const eventRoutes = {
  list: defineRoute({
    id: 'events.list',
    method: 'GET',
    path: '/events',
    summary: 'List events in order of commit, oldest first, for 30 days',
    description:
      'To follow new events, store next_cursor and repeat the request with it. With an owner as ' +
      'filter, and for a token of one user: only events all of whose memories have this owner.',
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
  stream: defineRoute({
    id: 'events.stream',
    method: 'GET',
    path: '/events/stream',
    summary: 'Stream events as server-sent events',
    description:
      'Each message has the event type as `event`, the event as `data`, and a cursor of GET ' +
      '/events as `id`. To resume after an interruption without missing events, send ' +
      'Last-Event-ID (or `cursor`). Without either, the stream starts with new events. Owners ' +
      'filter as in GET /events. The server sends a comment every 15 seconds. It ends the stream ' +
      'when the key becomes invalid, when the service stops, and when the client does not read ' +
      'for 30 seconds. An account can ' +
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
