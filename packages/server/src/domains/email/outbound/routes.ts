import { routes } from '@mneme/contract';
import { handle } from '../../handle.ts';
import { listOutbound } from './list.ts';
import { listSuppressions, removeSuppression } from './suppressions.ts';
import { unsubscribe, unsubscribePage } from './unsubscribe.ts';

const { email } = routes;

export const outboundHandlers = [
  handle(email.listOutbound, (ctx, { query }) => listOutbound(ctx, query)),
  handle(email.listSuppressions, (ctx, { query }) => listSuppressions(ctx, query)),
  handle(email.removeSuppression, (ctx, { params }) => removeSuppression(ctx, params.email)),
  handle(email.unsubscribePage, (ctx, { query }) => unsubscribePage(ctx, query)),
  handle(email.unsubscribe, (ctx, { query }) => unsubscribe(ctx, query)),
];
