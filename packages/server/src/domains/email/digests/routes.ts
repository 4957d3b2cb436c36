import { routes } from '@mneme/contract';
import { createHandler } from '../../handler.ts';
import { createDigest, enqueueDigest, listDigests, removeDigest, updateDigest } from './manage.ts';

const { email } = routes;

export const digestRouteHandlers = [
  createHandler(email.listDigests, (ctx, { query }) => listDigests(ctx, query)),
  createHandler(email.createDigest, (ctx, { body }) => createDigest(ctx, body)),
  createHandler(email.updateDigest, (ctx, { params, body }) => updateDigest(ctx, params.id, body)),
  createHandler(email.removeDigest, (ctx, { params }) => removeDigest(ctx, params.id)),
  createHandler(email.sendDigest, (ctx, { params }) => enqueueDigest(ctx, params.id)),
];
