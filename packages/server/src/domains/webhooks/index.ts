export { webhookCheck } from './checks.ts';
export { replay, replayKind } from './delivery/replay.ts';
export { trimDeliveries } from './delivery/retention.ts';
export { Sender } from './delivery/sender.ts';
export { releaseLeases } from './delivery/store/lines.ts';
export { eraseAccountWebhooks, eraseWebhook, eraseWebhookKind } from './remove.ts';
export { webhookHandlers } from './routes.ts';
