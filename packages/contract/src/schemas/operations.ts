import { z } from 'zod';
import { timestampOutput } from '../fields.ts';

/**
 * Health of the service; 503 if `status` is unavailable. `checks` has one entry for each component.
 */
export const health = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  uptime: z.int().meta({ description: 'Seconds since the process started.' }),
  version: z.string(),
  timestamp: timestampOutput,
  checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string().optional() })),
});

/** What `ready` depends on: the database, its schema, and whether the process is about to stop. */
export const readinessChecks = z.object({
  ready: z.boolean(),
  checks: z.record(
    z.string(),
    z.object({
      ok: z.boolean(),
      detail: z.string().optional(),
      wait_ms: z
        .int()
        .optional()
        .meta({ description: 'Milliseconds until the database responded, with its queue.' }),
    }),
  ),
});

export const liveness = z.object({ alive: z.literal(true) });

export const readiness = z.object({ ready: z.boolean() });

export type Health = z.output<typeof health>;
