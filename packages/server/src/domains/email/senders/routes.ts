import { routes } from '@mneme/contract';
import { createHandler } from '../../handler.ts';
import { addSender, checkSender, listSenders, removeSender } from './manage.ts';

const { email } = routes;

export const senderRouteHandlers = [
  createHandler(email.listSenders, (ctx, { query }) => listSenders(ctx, query)),
  createHandler(email.addSender, (ctx, { body }) => addSender(ctx, body)),
  createHandler(email.checkSender, (ctx, { body }) => checkSender(ctx, body)),
  createHandler(email.removeSender, (ctx, { params }) => removeSender(ctx, params.pattern)),
];
