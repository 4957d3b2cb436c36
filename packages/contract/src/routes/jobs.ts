import { idParams } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { sampleJob, sampleRun } from '../samples.ts';
import { job } from '../schemas/jobs.ts';

export const jobRoutes = {
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
