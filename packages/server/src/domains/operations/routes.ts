import { allRoutes, buildOpenApi, routes } from '@mneme/contract';
import { perApp } from '../../kernel/per-app.ts';
import type { App } from '../ctx.ts';
import { createHandler, Reply } from '../handler.ts';
import { createBackup } from './backup/create.ts';
import { pauseAllDeliveries, resumeAllDeliveries } from './delivery-pause.ts';
import { acknowledgeFindings, diagnose } from './diagnosis/diagnose.ts';
import { listErasures } from './erasures/list.ts';
import { createErasureReport } from './erasures/report.ts';
import { streamEvents } from './event-stream.ts';
import { listEvents } from './events.ts';
import { checkHealth } from './health.ts';
import { cancelJob, getJob, listAccountJobs, retryJob } from './jobs.ts';
import { readMetrics } from './metrics.ts';
import { listModels, removeModel } from './models/list.ts';
import { startModelChange } from './models/start-change.ts';
import { getModelTest, startModelTest } from './models/test-job.ts';
import { listAllJobs, listQueues, pauseJobs, resumeJobs, retryAnyJob } from './operator-jobs.ts';
import { checkReadiness } from './readiness.ts';
import { getReembedding, startReembedding } from './reembed.ts';
import { getVerification, startVerification } from './verify.ts';

/** Built once: requests are unauthenticated, and slow readers share the bytes. */
const document = perApp<App, Buffer>(({ version }) =>
  Buffer.from(JSON.stringify(buildOpenApi(allRoutes, version))),
);

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

export const operationRouteHandlers = [
  createHandler(routes.operations.health, async (ctx) => {
    const body = await checkHealth(ctx);
    return new Reply(body, { status: body.status === 'unavailable' ? 503 : 200 });
  }),
  createHandler(routes.operations.ready, async (ctx) => {
    const { ready } = await checkReadiness(ctx);
    return new Reply({ ready }, { status: ready ? 200 : 503 });
  }),
  createHandler(routes.operations.livez, async () => ({ alive: true as const })),
  createHandler(routes.operations.readyz, async (ctx) => {
    const body = await checkReadiness(ctx);
    return new Reply(body, { status: body.ready ? 200 : 503 });
  }),
  createHandler(routes.operations.metrics, async (ctx) => {
    const { text, contentType } = await readMetrics(ctx);
    const headers = { 'content-type': contentType, 'cache-control': 'no-store' };
    return new Reply<never>(chunksOf(Buffer.from(text)), { headers });
  }),
  createHandler(routes.operations.openapi, async (ctx) => {
    const bytes = document.of(ctx);
    const headers = { 'content-length': String(bytes.length) };
    return new Reply<Record<string, unknown>>(chunksOf(bytes), { headers });
  }),
  createHandler(routes.jobs.list, (ctx, { query }) => listAccountJobs(ctx, query)),
  createHandler(routes.jobs.get, (ctx, { params }) => getJob(ctx, params.id)),
  createHandler(routes.jobs.cancel, (ctx, { params }) => cancelJob(ctx, params.id)),
  createHandler(routes.jobs.retry, (ctx, { params }) => retryJob(ctx, params.id)),
  createHandler(routes.admin.listJobs, (ctx, { query }) => listAllJobs(ctx, query)),
  createHandler(routes.admin.retryJob, (ctx, { params }) => retryAnyJob(ctx, params.id)),
  createHandler(routes.admin.listQueues, (ctx) => listQueues(ctx)),
  createHandler(routes.admin.pauseQueue, (ctx, { params }) => pauseJobs(ctx, params.name)),
  createHandler(routes.admin.resumeQueue, (ctx, { params }) => resumeJobs(ctx, params.name)),
  createHandler(routes.events.list, (ctx, { query }) => listEvents(ctx, query)),
  createHandler(routes.events.stream, (ctx, { query, lastEventId }) =>
    streamEvents(ctx, query, lastEventId),
  ),
  createHandler(routes.admin.startVerification, (ctx, { body }) => startVerification(ctx, body)),
  createHandler(routes.admin.backup, async (ctx) => {
    const name = `mneme-${ctx.clock.now().toISOString().replace(/[:.]/g, '-')}.backup`;
    const headers = {
      'content-type': 'application/gzip',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    };
    return new Reply<never>(createBackup(ctx), { headers });
  }),
  createHandler(routes.admin.getDiagnosis, (ctx) => diagnose(ctx)),
  createHandler(routes.admin.acknowledgeFindings, (ctx, { body }) =>
    acknowledgeFindings(ctx, body),
  ),
  createHandler(routes.admin.pauseDeliveries, (ctx) => pauseAllDeliveries(ctx)),
  createHandler(routes.admin.resumeDeliveries, (ctx) => resumeAllDeliveries(ctx)),
  createHandler(routes.admin.listErasures, (ctx, { query }) => listErasures(ctx, query)),
  createHandler(routes.admin.getErasure, (ctx, { params }) => createErasureReport(ctx, params.id)),
  createHandler(routes.admin.startReembedding, async (ctx, { body }) => {
    const { model, dimensions } = body ?? {};
    if (model === undefined) return startReembedding(ctx);
    return startModelChange(ctx, { model, dimensions });
  }),
  createHandler(routes.admin.getReembedding, (ctx, { params }) => getReembedding(ctx, params.id)),
  createHandler(routes.admin.listModels, (ctx) => listModels(ctx)),
  createHandler(routes.admin.removeModel, (ctx, { params }) => removeModel(ctx, params.name)),
  createHandler(routes.admin.startModelTest, (ctx, { body }) => startModelTest(ctx, body)),
  createHandler(routes.admin.getModelTest, (ctx, { params }) => getModelTest(ctx, params.id)),
  createHandler(routes.admin.getVerification, (ctx, { params }) => getVerification(ctx, params.id)),
];
