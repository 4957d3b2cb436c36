import { routes } from '@mneme/contract';
import { createHandler } from '../../handler.ts';
import { getInboundMail, listInboundMails } from './history.ts';
import { submitInboundMail } from './http-inbound.ts';

const { email } = routes;

export const inboundRouteHandlers = [
  createHandler(email.listHistory, (ctx, { query }) => listInboundMails(ctx, query)),
  createHandler(email.getHistory, (ctx, { params }) => getInboundMail(ctx, params.id)),
  createHandler(email.inbound, (ctx, { query, bodyStream }) =>
    submitInboundMail(ctx, query, bodyStream),
  ),
];
