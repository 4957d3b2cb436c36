import { idParams, listQuery } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { sampleGrant } from '../samples.ts';
import { oauthGrantPage } from '../schemas/oauth.ts';

const page = { total: 1, limit: 20, offset: 0, has_more: false };

export const grantRoutes = {
  list: defineRoute({
    id: 'grants.list',
    method: 'GET',
    path: '/oauth/grants',
    summary: 'List what OAuth clients were allowed, newest first',
    description:
      'A grant is what a person allowed a client on the consent page. A key that is limited to ' +
      'spaces sees only grants that have no more access than itself.',
    access: 'admin',
    query: listQuery,
    responses: { 200: oauthGrantPage },
    errors: [],
    example: { query: { limit: 20 }, response: { data: [sampleGrant], pagination: page } },
  }),
  revoke: defineRoute({
    id: 'grants.revoke',
    method: 'DELETE',
    path: '/oauth/grants/:id',
    summary: 'Revoke a grant: the client loses its access',
    description: 'All its tokens end immediately.',
    access: 'admin',
    params: idParams,
    notFound: 'not_found',
    responses: { 204: null },
    errors: [],
    example: { params: { id: sampleGrant.id }, response: null },
  }),
} as const;
