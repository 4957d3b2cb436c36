import { idParams } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { sampleAccount, sampleJob, sampleRun, sampleTimestamp } from '../samples.ts';
import {
  job,
  jobPage,
  jobQueueList,
  jobQueueParams,
  jobQueueState,
  listJobsQuery,
  listOperatorJobsQuery,
  operatorJob,
  operatorJobPage,
} from '../schemas/jobs.ts';

const sampleQueuedJob = {
  ...sampleJob,
  status: 'queued' as const,
  progress: 0,
  attempts: 4,
  finished_at: null,
};

export const jobRoutes = {
  list: defineRoute({
    id: 'jobs.list',
    method: 'GET',
    path: '/jobs',
    summary: 'List the jobs of the account, newest first',
    description:
      'A key that is limited to spaces sees jobs of such keys and those about its spaces: its ' +
      'pages may have fewer jobs than `limit`. Jobs are kept for a week after their end.',
    access: 'any',
    query: listJobsQuery,
    responses: { 200: jobPage },
    errors: [],
    example: {
      query: { kind: sampleJob.kind, limit: 1 },
      response: {
        data: [sampleJob],
        has_more: false,
        next_cursor: null,
      },
    },
  }),
  get: defineRoute({
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
  cancel: defineRoute({
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
  retry: defineRoute({
    id: 'jobs.retry',
    method: 'POST',
    path: '/jobs/:id/retry',
    summary: 'Run a failed job again',
    description:
      'The job gets the whole series of attempts again and keeps its id. 409 `conflict` for a ' +
      'job that has not failed, and for kinds that a request of their own begins again: the ' +
      'message names it.',
    access: 'memories:write',
    params: idParams,
    notFound: 'not_found',
    responses: { 202: job },
    idempotent: true,
    errors: ['conflict'],
    example: { params: { id: sampleJob.id }, response: sampleQueuedJob },
  }),
} as const;

const sampleOperatorJob = { ...sampleJob, account_id: sampleAccount.id, queue: 'default' };

/** Operator routes for the jobs of all accounts and of the service itself. */
export const operatorJobRoutes = {
  listJobs: defineRoute({
    id: 'admin.listJobs',
    method: 'GET',
    path: '/admin/jobs',
    summary: 'List the jobs of all accounts and of the service, newest first',
    access: 'operator',
    query: listOperatorJobsQuery,
    responses: { 200: operatorJobPage },
    errors: [],
    example: {
      query: { kind: sampleJob.kind, status: 'failed', limit: 100 },
      response: {
        data: [{ ...sampleOperatorJob, status: 'failed' as const, error: 'The job failed.' }],
        has_more: false,
        next_cursor: null,
      },
    },
  }),
  retryJob: defineRoute({
    id: 'admin.retryJob',
    method: 'POST',
    path: '/admin/jobs/:id/retry',
    summary: 'Run a failed job of any account again',
    description: 'As `POST /jobs/:id/retry` does for a job of the own account.',
    access: 'operator',
    params: idParams,
    notFound: 'not_found',
    responses: { 202: operatorJob },
    idempotent: true,
    errors: ['conflict'],
    example: {
      params: { id: sampleJob.id },
      response: { ...sampleOperatorJob, ...sampleQueuedJob },
    },
  }),
  listQueues: defineRoute({
    id: 'admin.listQueues',
    method: 'GET',
    path: '/admin/queues',
    summary: 'List the job queues with their states',
    description:
      'Each process runs one job of a queue at a time. Webhook calls and emails are not jobs: ' +
      '`POST /admin/deliveries/pause` pauses them.',
    access: 'operator',
    responses: { 200: jobQueueList },
    errors: [],
    example: {
      response: {
        data: [
          {
            name: 'backups',
            paused_at: null,
            queued: 1,
            running: 0,
            failed: 0,
            oldest_due_seconds: 12.5,
            kinds: ['operations.backup'],
          },
        ],
      },
    },
  }),
  pauseQueue: defineRoute({
    id: 'admin.pauseQueue',
    method: 'POST',
    path: '/admin/queues/:name/pause',
    summary: 'Pause a job queue in all processes',
    description:
      'No process begins another job of the queue; a running job completes. Jobs are still ' +
      'queued. The pause outlives restarts. The `default` queue also erases what was deleted, ' +
      'and makes backups due.',
    access: 'operator',
    params: jobQueueParams,
    notFound: 'not_found',
    responses: { 200: jobQueueState },
    errors: [],
    example: {
      params: { name: 'recordings' },
      response: { name: 'recordings', paused_at: sampleTimestamp },
    },
  }),
  resumeQueue: defineRoute({
    id: 'admin.resumeQueue',
    method: 'POST',
    path: '/admin/queues/:name/resume',
    summary: 'Resume a job queue',
    description: 'Due jobs begin within about a second.',
    access: 'operator',
    params: jobQueueParams,
    notFound: 'not_found',
    responses: { 200: jobQueueState },
    errors: [],
    example: { params: { name: 'recordings' }, response: { name: 'recordings', paused_at: null } },
  }),
} as const;
