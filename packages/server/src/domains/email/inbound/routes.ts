import { routes } from '@mneme/contract';
import { createHandler } from '../../handler.ts';
import { getHistory, listHistory } from './history.ts';
import { submitInboundMail } from './http-inbound.ts';

const { email } = routes;

export const inboundRouteHandlers = [
  createHandler(email.listHistory, (ctx, { query }) => listHistory(ctx, query)),
  createHandler(email.getHistory, (ctx, { params }) => getHistory(ctx, params.id)),
  createHandler(email.inbound, (ctx, { query, bodyStream }) =>
    submitInboundMail(ctx, query, bodyStream),
  ),
];
