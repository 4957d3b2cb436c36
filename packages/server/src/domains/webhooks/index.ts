export { webhookCheck } from './checks.ts';
export { eraseAccountWebhooks, eraseWebhook, eraseWebhookKind } from './remove.ts';
export { webhookHandlers } from './routes.ts';
