import { routes } from '@mneme/contract';
import { createHandler } from '../../handler.ts';
import { createReaction, listReactions, removeReaction, updateReaction } from './manage.ts';

const { email } = routes;

export const reactionRouteHandlers = [
  createHandler(email.listReactions, (ctx, { query }) => listReactions(ctx, query)),
  createHandler(email.createReaction, (ctx, { body }) => createReaction(ctx, body)),
  createHandler(email.updateReaction, (ctx, { params, body }) =>
    updateReaction(ctx, params.id, body),
  ),
  createHandler(email.removeReaction, (ctx, { params }) => removeReaction(ctx, params.id)),
];
