import { z } from 'zod';
import { withCanonicalFields } from '../canonical-fields.ts';
import { cursor, idOutput, jsonObjectOutput, pageLimit, timestampOutput } from '../fields.ts';
import { cursorPage } from '../list-envelope.ts';

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
/** A background job. `progress` is a ratio from 0 to 1; `error` is the last failure. */
export const job = withCanonicalFields(
  z.object({
    id: idOutput,
    kind: z.string(),
    status: z.enum(jobStatuses),
    progress: z.number().min(0).max(1),
    attempts: z.int(),
    error: z.string().nullable(),
    result: jsonObjectOutput.nullable().meta({
      description: 'What a completed job reports, such as the receipt of an erasure.',
    }),
    created_at: timestampOutput,
    finished_at: timestampOutput.nullable(),
  }),
  { attempt_count: 'attempts' },
).meta({ id: 'Job' });

export const jobPage = cursorPage(job);

export const listJobsQuery = z.strictObject({
  status: z.enum(jobStatuses).optional(),
  kind: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'The kind of the jobs, such as `memories.erase`.' }),
  limit: pageLimit,
  cursor: cursor.optional(),
});

export type Job = z.output<typeof job>;
