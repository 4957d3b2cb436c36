import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { storeFromMessages } from './store-from-messages.ts';

export const conversationRouteHandlers = [
  createHandler(routes.memories.fromMessages, (ctx, { body }) => storeFromMessages(ctx, body)),
];
