import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { sampleTimestamp } from '../samples.ts';
import { health, readiness } from '../schemas/operations.ts';

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
} as const;
