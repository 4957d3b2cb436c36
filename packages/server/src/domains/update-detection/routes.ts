import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { acceptSuggestion, dismissSuggestion, readSuggestions } from './suggestions.ts';

export const updateDetectionRouteHandlers = [
  createHandler(routes.memories.suggestions, (ctx, { params, query }) =>
    readSuggestions(ctx, params.id, query.status),
  ),
  createHandler(routes.memories.acceptSuggestion, (ctx, { params }) =>
    acceptSuggestion(ctx, { newerId: params.id, olderId: params.olderId }),
  ),
  createHandler(routes.memories.dismissSuggestion, (ctx, { params }) =>
    dismissSuggestion(ctx, { newerId: params.id, olderId: params.olderId }),
  ),
];
