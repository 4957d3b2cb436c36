import { routes } from '@mneme/contract';
import { handle } from '../../handle.ts';
import { handIn } from './hand-in.ts';
import { getHistory, listHistory } from './history.ts';

const { email } = routes;

export const inboundHandlers = [
  handle(email.listHistory, (ctx, { query }) => listHistory(ctx, query)),
  handle(email.getHistory, (ctx, { params }) => getHistory(ctx, params.id)),
  handle(email.inbound, (ctx, { query, bytes }) => handIn(ctx, query, bytes)),
];
