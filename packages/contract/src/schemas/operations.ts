import { z } from 'zod';
import { idOut, timestampOut } from './fields.ts';

export const health = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  uptime: z.int().meta({ description: 'Seconds since the start.' }),
  version: z.string(),
  timestamp: timestampOut,
  checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string().optional() })),
});

export const readiness = z.object({ ready: z.boolean() });

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

export type Job = z.output<typeof job>;
export type Health = z.output<typeof health>;
