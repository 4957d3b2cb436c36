import { beforeAccountResume } from '../accounts/index.ts';
import { erasureBackoffSeconds, type Module } from '../module.ts';
import { webhookCheck } from './checks.ts';
import { replayKind, runReplay } from './delivery/replay.ts';
import { countWaitingDeliveries, failStaleDeliveries } from './delivery/store/deliveries.ts';
import { countEventsToDeliver, releaseWebhookLeases } from './delivery/store/ordered-deliveries.ts';
import { eraseAccountWebhooks, eraseWebhook, eraseWebhookKind } from './remove.ts';
import { webhookRouteHandlers } from './routes.ts';

export const webhookModule = {
  name: 'webhooks',
  handlers: webhookRouteHandlers,
  jobs: {
    [replayKind]: { run: runReplay, backoffSeconds: [5, 60, 600] },
    [eraseWebhookKind]: { run: eraseWebhook, backoffSeconds: erasureBackoffSeconds },
  },
  checks: [webhookCheck],
  eraseAccount: eraseAccountWebhooks,
  releaseLeases: releaseWebhookLeases,
  async collectMetrics({ engine: { db } }, metrics) {
    const lag = await countEventsToDeliver(db);
    metrics.setValue('mneme_event_consumer_lag_events', { consumer: 'webhooks' }, lag);
    const waiting = await countWaitingDeliveries(db);
    for (const status of ['pending', 'retrying'] as const) {
      metrics.setValue('mneme_webhook_deliveries', { status }, waiting[status]);
    }
  },
  registerHooks(app) {
    // `commands/reset-admin.ts` registers this one as well.
    beforeAccountResume.on(app, failStaleDeliveries);
  },
} satisfies Module;
