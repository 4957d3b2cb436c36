import { routes } from '@mneme/contract';
import { createHandler } from '../../handler.ts';
import { addSenderRule, checkSender, listSenderRules, removeSenderRule } from './manage.ts';

const { email } = routes;

export const senderRouteHandlers = [
  createHandler(email.listSenders, (ctx, { query }) => listSenderRules(ctx, query)),
  createHandler(email.addSender, (ctx, { body }) => addSenderRule(ctx, body)),
  createHandler(email.checkSender, (ctx, { body }) => checkSender(ctx, body)),
  createHandler(email.removeSender, (ctx, { params }) => removeSenderRule(ctx, params.pattern)),
];
