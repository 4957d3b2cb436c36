export { redactDeliveries } from './delivery/erase.ts';
export { pruneDeliveries } from './delivery/retention.ts';
export { WebhookSender } from './delivery/sender.ts';
export { failStaleDeliveries } from './delivery/store/deliveries.ts';
export { eraseWebhook, removeWebhook } from './remove.ts';
