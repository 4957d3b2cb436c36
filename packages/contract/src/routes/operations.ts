import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { sampleTimestamp } from '../samples.ts';
import { health, liveness, readiness, readinessChecks } from '../schemas/operations.ts';

export const operationRoutes = {
  health: defineRoute({
    id: 'operations.health',
    method: 'GET',
    path: '/health',
    summary: 'Read the health of the service',
    description:
      '`checks.deliveries` and `checks.queues` also report what an operator has paused, since ' +
      'when, and how to resume it. A pause does not change `status`. `checks.workers`, of ' +
      'servers with `MNEME_JOBS=off`, fails while no process runs jobs.',
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
  livez: defineRoute({
    id: 'operations.livez',
    method: 'GET',
    path: '/livez',
    summary: 'Check whether the process responds',
    description:
      'Never uses the database: a supervisor that restarts the process when this fails does not ' +
      'restart it because of an outage elsewhere.',
    access: 'public',
    probe: true,
    responses: { 200: liveness },
    errors: [],
    example: { response: { alive: true } },
  }),
  readyz: defineRoute({
    id: 'operations.readyz',
    method: 'GET',
    path: '/readyz',
    summary: 'Check whether the service can serve requests, with reasons',
    description:
      'Checks that the database responds within five seconds, that its schema is the one of this ' +
      'version, and that the process is not about to stop.',
    access: 'public',
    probe: true,
    responses: { 200: readinessChecks, 503: readinessChecks },
    errors: [],
    example: {
      response: {
        ready: true,
        checks: {
          database: { ok: true, wait_ms: 1 },
          schema: { ok: true },
          shutdown: { ok: true },
        },
      },
    },
  }),
  metrics: defineRoute({
    id: 'operations.metrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Read metrics in the text format of Prometheus',
    description:
      'Metrics contain no texts, and no names or ids of accounts and users. MNEME_METRICS_PORT ' +
      'serves the same on a port of its own, without a key.',
    access: 'operator',
    responses: { 200: null },
    responseType: 'text/plain',
    errors: [],
    example: { response: null },
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
