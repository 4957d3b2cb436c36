import { routes } from '@mneme/contract';
import { handle } from '../handle.ts';
import { createSpace, getSpace, listSpaces, removeSpace, updateSpace } from './manage.ts';

export const spaceHandlers = [
  handle(routes.spaces.create, (ctx, { body }) => createSpace(ctx, body)),
  handle(routes.spaces.list, (ctx, { query }) => listSpaces(ctx, query)),
  handle(routes.spaces.get, (ctx, { params }) => getSpace(ctx, params.id)),
  handle(routes.spaces.update, (ctx, { params, body }) => updateSpace(ctx, params.id, body)),
  handle(routes.spaces.remove, (ctx, { params }) => removeSpace(ctx, params.id)),
];
