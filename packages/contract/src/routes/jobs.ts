import { idParams } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { sampleJob, sampleRun } from '../samples.ts';
import { job, jobPage, listJobsQuery } from '../schemas/jobs.ts';

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
} as const;
