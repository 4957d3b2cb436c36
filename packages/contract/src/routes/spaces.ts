import { idParams, listQuery } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { sampleSpace } from '../samples.ts';
import { createSpaceBody, patchSpaceBody, space, spacePage } from '../schemas/spaces.ts';

const notFound = 'space_not_found';
const params = { id: sampleSpace.id };

export const spaceRoutes = {
  create: defineRoute({
    id: 'spaces.create',
    method: 'POST',
    path: '/spaces',
    summary: 'Create a space',
    access: 'spaces:write',
    body: createSpaceBody,
    responses: { 201: space },
    idempotent: true,
    errors: ['space_already_exists', 'quota_exceeded'],
    example: {
      body: { name: 'research', description: 'Papers and notes' },
      response: sampleSpace,
    },
  }),
  list: defineRoute({
    id: 'spaces.list',
    method: 'GET',
    path: '/spaces',
    summary: 'List spaces, by name',
    access: 'spaces:read',
    query: listQuery,
    responses: { 200: spacePage },
    errors: [],
    example: {
      response: {
        data: [sampleSpace],
        pagination: { total: 1, limit: 20, offset: 0, has_more: false },
      },
    },
  }),
  get: defineRoute({
    id: 'spaces.get',
    method: 'GET',
    path: '/spaces/:id',
    summary: 'Read a space',
    access: 'spaces:read',
    params: idParams,
    notFound,
    responses: { 200: space },
    errors: ['space_access_denied'],
    example: { params, response: sampleSpace },
  }),
  update: defineRoute({
    id: 'spaces.update',
    method: 'PATCH',
    path: '/spaces/:id',
    summary: 'Change a space',
    access: 'spaces:write',
    params: idParams,
    notFound,
    body: patchSpaceBody,
    responses: { 200: space },
    errors: ['space_already_exists', 'space_access_denied'],
    example: { params, body: { description: 'Papers and notes' }, response: sampleSpace },
  }),
  remove: defineRoute({
    id: 'spaces.remove',
    method: 'DELETE',
    path: '/spaces/:id',
    summary: 'Delete an empty space',
    access: 'spaces:write',
    params: idParams,
    notFound,
    responses: { 204: null },
    errors: ['space_not_empty', 'space_access_denied'],
    example: { params, response: null },
  }),
} as const;
