export { webhookCheck } from './checks.ts';
export { emptyDeliveries } from './delivery/erase.ts';
export { replay, replayKind } from './delivery/replay.ts';
export { trimDeliveries } from './delivery/retention.ts';
export { Sender } from './delivery/sender.ts';
export { failStaleDeliveries } from './delivery/store/deliveries.ts';
export { releaseLeases } from './delivery/store/lines.ts';
export { eraseAccountWebhooks, eraseWebhook, eraseWebhookKind, removeWebhook } from './remove.ts';
export { webhookHandlers } from './routes.ts';
