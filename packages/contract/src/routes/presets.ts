import { defineRoute } from '../route.ts';
import { sampleTimestamp } from '../samples.ts';
import { listQuery } from '../schemas/fields.ts';
import { presetPage, presetParams, putPresetBody, searchPreset } from '../schemas/presets.ts';

const params = { name: 'support-desk' };
const sample = {
  name: params.name,
  limit: 5,
  threshold: 0.6,
  is_built_in: false,
  created_at: sampleTimestamp,
  updated_at: sampleTimestamp,
};
const builtIn = {
  name: 'precise',
  limit: 10,
  threshold: 0.4,
  is_built_in: true,
  created_at: null,
  updated_at: null,
};

export const presetRoutes = {
  listPresets: defineRoute({
    id: 'search.listPresets',
    method: 'GET',
    path: '/search/pipelines',
    summary: 'List what `pipeline` may name: the built-in ones, then the presets by name',
    access: 'search:read',
    query: listQuery,
    responses: { 200: presetPage },
    errors: [],
    example: {
      query: { limit: 2, offset: 2 },
      response: {
        data: [{ ...builtIn, name: 'broad', limit: 100, threshold: 0 }, sample],
        pagination: { total: 4, limit: 2, offset: 2, has_more: false },
      },
    },
  }),
  getPreset: defineRoute({
    id: 'search.getPreset',
    method: 'GET',
    path: '/search/pipelines/:name',
    summary: 'Read a preset, or a built-in pipeline',
    access: 'search:read',
    params: presetParams,
    responses: { 200: searchPreset },
    errors: ['not_found'],
    example: { params, response: sample },
  }),
  putPreset: defineRoute({
    id: 'search.putPreset',
    method: 'PUT',
    path: '/search/pipelines/:name',
    summary: 'Make a preset, or replace it as a whole',
    description:
      'Searches of the account then take the name as `pipeline`; a limit or a threshold of their ' +
      'own goes before it. A built-in name is 409 conflict. A key that is limited to spaces is ' +
      'refused.',
    access: 'search:write',
    params: presetParams,
    body: putPresetBody,
    responses: { 200: searchPreset, 201: searchPreset },
    errors: ['conflict', 'quota_exceeded', 'space_access_denied'],
    example: { params, body: { limit: 5, threshold: 0.6 }, response: sample },
  }),
  removePreset: defineRoute({
    id: 'search.removePreset',
    method: 'DELETE',
    path: '/search/pipelines/:name',
    summary: 'Remove a preset',
    access: 'search:write',
    params: presetParams,
    responses: { 204: null },
    errors: ['not_found', 'conflict', 'space_access_denied'],
    example: { params, response: null },
  }),
} as const;
