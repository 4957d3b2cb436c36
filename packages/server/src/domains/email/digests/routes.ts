import { routes } from '@mneme/contract';
import { handle } from '../../handle.ts';
import { createDigest, listDigests, removeDigest, sendDigest, updateDigest } from './manage.ts';

const { email } = routes;

export const digestHandlers = [
  handle(email.listDigests, (ctx, { query }) => listDigests(ctx, query)),
  handle(email.createDigest, (ctx, { body }) => createDigest(ctx, body)),
  handle(email.updateDigest, (ctx, { params, body }) => updateDigest(ctx, params.id, body)),
  handle(email.removeDigest, (ctx, { params }) => removeDigest(ctx, params.id)),
  handle(email.sendDigest, (ctx, { params }) => sendDigest(ctx, params.id)),
];
