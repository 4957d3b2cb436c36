import { routes } from '@mneme/contract';
import { handle } from '../../handle.ts';
import { addSender, checkSender, listSenders, removeSender } from './manage.ts';

const { email } = routes;

export const senderHandlers = [
  handle(email.listSenders, (ctx, { query }) => listSenders(ctx, query)),
  handle(email.addSender, (ctx, { body }) => addSender(ctx, body)),
  handle(email.checkSender, (ctx, { body }) => checkSender(ctx, body)),
  handle(email.removeSender, (ctx, { params }) => removeSender(ctx, params.pattern)),
];
