import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { createSpace, getSpace, listSpaces, removeSpace, updateSpace } from './manage.ts';

export const spaceRouteHandlers = [
  createHandler(routes.spaces.create, (ctx, { body }) => createSpace(ctx, body)),
  createHandler(routes.spaces.list, (ctx, { query }) => listSpaces(ctx, query)),
  createHandler(routes.spaces.get, (ctx, { params }) => getSpace(ctx, params.id)),
  createHandler(routes.spaces.update, (ctx, { params, body }) => updateSpace(ctx, params.id, body)),
  createHandler(routes.spaces.remove, (ctx, { params }) => removeSpace(ctx, params.id)),
];
