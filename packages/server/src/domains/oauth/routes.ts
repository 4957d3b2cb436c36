import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { listGrants, revokeGrant } from './grants.ts';

export const oauthRouteHandlers = [
  createHandler(routes.grants.list, (ctx, { query }) => listGrants(ctx, query)),
  createHandler(routes.grants.revoke, (ctx, { params }) => revokeGrant(ctx, params.id)),
];
