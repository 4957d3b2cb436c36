import { z } from 'zod';
import { withCanonicalFields } from '../canonical-fields.ts';
import {
  cursor,
  idInput,
  idOutput,
  jsonObjectOutput,
  pageLimit,
  storableText,
  timestampOutput,
} from '../fields.ts';
import { cursorPage, listEnvelope } from '../list-envelope.ts';
import { type WaitingReason, waitingReasons } from '../waiting-reasons.ts';

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

export const waitingReason = z
  .enum(Object.keys(waitingReasons) as [WaitingReason, ...WaitingReason[]])
  .nullable()
  .meta({
    description:
      'Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such ' +
      'as if all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: ' +
      'it waits for its turn, runs or has ended.',
  });

const jobFields = {
  id: idOutput,
  kind: z.string(),
  status: z.enum(jobStatuses),
  progress: z.number().min(0).max(1),
  attempts: z.int(),
  waiting_reason: waitingReason,
  error: z.string().nullable(),
  result: jsonObjectOutput.nullable().meta({
    description: 'What a completed job reports, such as the receipt of an erasure.',
  }),
  created_at: timestampOutput,
  finished_at: timestampOutput.nullable(),
};

/** A background job. `progress` is a ratio from 0 to 1; `error` is the last failure. */
export const job = withCanonicalFields(z.object(jobFields), { attempt_count: 'attempts' }).meta({
  id: 'Job',
});

export const jobPage = cursorPage(job);

/** A job of any account, as operators see it. */
export const operatorJob = withCanonicalFields(
  z.object({
    ...jobFields,
    account_id: idOutput
      .nullable()
      .meta({ description: 'The account of the job; null: a job of the service itself.' }),
    queue: z.string().meta({ description: 'The queue of the job.' }),
  }),
  { attempt_count: 'attempts' },
).meta({ id: 'OperatorJob' });

export const operatorJobPage = cursorPage(operatorJob);

const jobQueue = z
  .object({
    name: z.string(),
    paused_at: timestampOutput
      .nullable()
      .meta({ description: 'When the queue was paused; null: it is not paused.' }),
    queued: z.int().meta({ description: 'Jobs that wait, those that wait for a retry included.' }),
    running: z.int(),
    failed: z.int().meta({ description: 'Jobs without retries left, of the past week.' }),
    oldest_due_seconds: z
      .number()
      .meta({ description: 'For how many seconds the oldest due job has waited; 0: none waits.' }),
    kinds: z.array(z.string()).meta({ description: 'The kinds of its jobs.' }),
  })
  .meta({ id: 'JobQueue' });

export const jobQueueList = listEnvelope(z.object({ data: z.array(jobQueue) }), {
  records: ['data'],
  paging: 'all',
});

export const jobQueueState = jobQueue.pick({ name: true, paused_at: true });

export const jobQueueParams = z.strictObject({
  name: storableText({ min: 1, max: 100 }).meta({ description: 'The name of the queue.' }),
});

export const listJobsQuery = z.strictObject({
  status: z.enum(jobStatuses).optional(),
  kind: storableText({ min: 1, max: 100 })
    .optional()
    .meta({ description: 'The kind of the jobs, such as `memories.erase`.' }),
  limit: pageLimit,
  cursor: cursor.optional(),
});

export const listOperatorJobsQuery = listJobsQuery.extend({
  account_id: idInput('other').optional().meta({ description: 'Only jobs of this account.' }),
});

export type Job = z.output<typeof job>;
export type OperatorJob = z.output<typeof operatorJob>;
export type JobQueue = z.output<typeof jobQueue>;
