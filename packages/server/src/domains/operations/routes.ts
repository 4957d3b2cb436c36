import { allRoutes, buildOpenApi, routes } from '@mneme/contract';
import { service } from '../../kernel/service.ts';
import type { App } from '../ctx.ts';
import { handle, Reply } from '../handle.ts';
import { createBackup } from './backup/create.ts';
import { pause, resume } from './deliveries.ts';
import { acknowledge, diagnose } from './diagnosis/diagnose.ts';
import { listErasures } from './erasures/list.ts';
import { reportErasure } from './erasures/report.ts';
import { listEvents } from './events.ts';
import { checkHealth, lifecycle } from './health.ts';
import { cancelJob, getJob } from './jobs.ts';
import { getReembedding, startReembedding } from './reembed.ts';
import { streamEvents } from './stream.ts';
import { getVerification, startVerification } from './verify.ts';

/** Made once: everybody may ask for it, and all who read it slowly share its bytes. */
const document = service<App, Buffer>(({ version }) =>
  Buffer.from(JSON.stringify(buildOpenApi(allRoutes, version))),
);

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

export const operationHandlers = [
  handle(routes.operations.health, async (ctx) => {
    const body = await checkHealth(ctx);
    return new Reply(body, { status: body.status === 'unavailable' ? 503 : 200 });
  }),
  handle(routes.operations.ready, async (ctx) => {
    const isOurs = !lifecycle.of(ctx).draining && ctx.engine.schemaChanged === null;
    const ready = isOurs && (await checkHealth(ctx)).status !== 'unavailable';
    return new Reply({ ready }, { status: ready ? 200 : 503 });
  }),
  handle(routes.operations.openapi, async (ctx) => {
    const bytes = document.of(ctx);
    const headers = { 'content-length': String(bytes.length) };
    return new Reply<Record<string, unknown>>(piecesOf(bytes), { headers });
  }),
  handle(routes.operations.job, (ctx, { params }) => getJob(ctx, params.id)),
  handle(routes.operations.cancelJob, (ctx, { params }) => cancelJob(ctx, params.id)),
  handle(routes.operations.events, (ctx, { query }) => listEvents(ctx, query)),
  handle(routes.operations.eventStream, (ctx, { query, lastEventId }) =>
    streamEvents(ctx, query, lastEventId),
  ),
  handle(routes.admin.startVerification, (ctx, { body }) => startVerification(ctx, body)),
  handle(routes.admin.backup, async (ctx) => {
    const name = `mneme-${ctx.clock.now().toISOString().replace(/[:.]/g, '-')}.backup`;
    const headers = {
      'content-type': 'application/gzip',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    };
    return new Reply<never>(createBackup(ctx), { headers });
  }),
  handle(routes.admin.getDiagnosis, (ctx) => diagnose(ctx)),
  handle(routes.admin.acknowledgeFindings, (ctx, { body }) => acknowledge(ctx, body)),
  handle(routes.admin.pauseDeliveries, (ctx) => pause(ctx)),
  handle(routes.admin.resumeDeliveries, (ctx) => resume(ctx)),
  handle(routes.admin.listErasures, (ctx, { query }) => listErasures(ctx, query)),
  handle(routes.admin.getErasure, (ctx, { params }) => reportErasure(ctx, params.id)),
  handle(routes.admin.startReembedding, (ctx) => startReembedding(ctx)),
  handle(routes.admin.getReembedding, (ctx, { params }) => getReembedding(ctx, params.id)),
  handle(routes.admin.getVerification, (ctx, { params }) => getVerification(ctx, params.id)),
];
