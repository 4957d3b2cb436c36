import { allRoutes, buildOpenApi, routes } from '@mneme/contract';
import { handle, Reply } from '../handle.ts';
import { acknowledge, diagnose } from './doctor.ts';
import { listEvents } from './events.ts';
import { checkHealth, lifecycle } from './health.ts';
import { cancelJob, getJob } from './jobs.ts';
import { getReembedding, startReembedding } from './reembed.ts';
import { streamEvents } from './stream.ts';
import { getVerification, startVerification } from './verify.ts';

export const operationHandlers = [
  handle(routes.operations.health, async (ctx) => {
    const body = await checkHealth(ctx);
    return new Reply(body, { status: body.status === 'unavailable' ? 503 : 200 });
  }),
  handle(routes.operations.ready, async (ctx) => {
    const ready = !lifecycle.of(ctx).draining && (await checkHealth(ctx)).status !== 'unavailable';
    return new Reply({ ready }, { status: ready ? 200 : 503 });
  }),
  handle(routes.operations.openapi, async (ctx) => buildOpenApi(allRoutes, ctx.version)),
  handle(routes.operations.job, (ctx, { params }) => getJob(ctx, params.id)),
  handle(routes.operations.cancelJob, (ctx, { params }) => cancelJob(ctx, params.id)),
  handle(routes.operations.events, (ctx, { query }) => listEvents(ctx, query)),
  handle(routes.operations.eventStream, (ctx, { query, lastEventId }) =>
    streamEvents(ctx, query, lastEventId),
  ),
  handle(routes.admin.startVerification, (ctx, { body }) => startVerification(ctx, body)),
  handle(routes.admin.getDiagnosis, (ctx) => diagnose(ctx)),
  handle(routes.admin.acknowledgeFindings, (ctx, { body }) => acknowledge(ctx, body)),
  handle(routes.admin.startReembedding, (ctx) => startReembedding(ctx)),
  handle(routes.admin.getReembedding, (ctx, { params }) => getReembedding(ctx, params.id)),
  handle(routes.admin.getVerification, (ctx, { params }) => getVerification(ctx, params.id)),
];
