import { routes } from '@mneme/contract';
import { createHandler } from '../../handler.ts';
import { listOutboundMails } from './list.ts';
import { retryOutboundMail } from './retry.ts';
import { listSuppressions, removeSuppression } from './suppressions.ts';
import { unsubscribe, unsubscribePage } from './unsubscribe.ts';

const { email } = routes;

export const outboundRouteHandlers = [
  createHandler(email.listOutbound, (ctx, { query }) => listOutboundMails(ctx, query)),
  createHandler(email.retryOutbound, (ctx, { params }) => retryOutboundMail(ctx, params.id)),
  createHandler(email.listSuppressions, (ctx, { query }) => listSuppressions(ctx, query)),
  createHandler(email.removeSuppression, (ctx, { params }) => removeSuppression(ctx, params.email)),
  createHandler(email.unsubscribePage, (ctx, { query }) => unsubscribePage(ctx, query)),
  createHandler(email.unsubscribe, (ctx, { query }) => unsubscribe(ctx, query)),
];
