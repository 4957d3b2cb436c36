import { z } from 'zod';
import { type EventType, eventTypes } from '../events.ts';
import { limits } from '../limits.ts';
import { cursor, idOut, jsonOut, limitField, timestampOut } from './common.ts';

export const health = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  uptime: z.int().meta({ description: 'Seconds since the start.' }),
  version: z.string(),
  timestamp: timestampOut,
  checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string().optional() })),
});

export const ready = z.object({ ready: z.boolean() });

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const job = z
  .object({
    id: idOut,
    kind: z.string(),
    status: z.enum(jobStatuses),
    progress: z.number().min(0).max(1),
    attempts: z.int(),
    error: z.string().nullable(),
    created_at: timestampOut,
    finished_at: timestampOut.nullable(),
  })
  .meta({ id: 'Job' });

export const eventNames = Object.keys(eventTypes) as [EventType, ...EventType[]];

export const event = z
  .object({
    id: idOut,
    type: z.enum(eventNames),
    created_at: timestampOut,
    space_id: idOut.nullable(),
    data: jsonOut,
    previous_data: jsonOut.nullable(),
    changes: z.array(z.string()).nullable(),
  })
  .meta({ id: 'Event' });

export const listEventsQuery = z.strictObject({
  type: z.enum(eventNames).optional(),
  limit: limitField({ max: limits.pageMax, fallback: limits.pageDefault }),
  cursor: cursor.optional(),
});

export const eventPage = z.object({
  data: z.array(event),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

export type Job = z.output<typeof job>;
export type Event = z.output<typeof event>;
export type Health = z.output<typeof health>;
