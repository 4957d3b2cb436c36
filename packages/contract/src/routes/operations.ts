import { z } from 'zod';
import { idParams } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { sampleJob, sampleRun, sampleTimestamp } from '../samples.ts';
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
} as const;
