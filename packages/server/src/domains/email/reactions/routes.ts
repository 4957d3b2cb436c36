import { routes } from '@mneme/contract';
import { handle } from '../../handle.ts';
import { createReaction, listReactions, removeReaction, updateReaction } from './manage.ts';

const { email } = routes;

export const reactionHandlers = [
  handle(email.listReactions, (ctx, { query }) => listReactions(ctx, query)),
  handle(email.createReaction, (ctx, { body }) => createReaction(ctx, body)),
  handle(email.updateReaction, (ctx, { params, body }) => updateReaction(ctx, params.id, body)),
  handle(email.removeReaction, (ctx, { params }) => removeReaction(ctx, params.id)),
];
