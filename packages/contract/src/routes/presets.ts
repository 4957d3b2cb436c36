import { listQuery } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { sampleTimestamp } from '../samples.ts';
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
  threshold: 0.5,
  is_built_in: true,
  created_at: null,
  updated_at: null,
};

export const presetRoutes = {
  listPresets: defineRoute({
    id: 'search.listPresets',
    method: 'GET',
    path: '/search/pipelines',
    summary: 'List the pipelines of a search: the built-in ones, then the presets by name',
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
    summary: 'Read a preset or built-in pipeline',
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
    summary: 'Create or replace a preset',
    description:
      'Searches of the account can use the name as `pipeline`; a limit or threshold in the ' +
      'search overrides that of the preset. A built-in name is 409 conflict. Keys that are ' +
      'limited to spaces are rejected.',
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
    summary: 'Delete a preset',
    access: 'search:write',
    params: presetParams,
    responses: { 204: null },
    errors: ['not_found', 'conflict', 'space_access_denied'],
    example: { params, response: null },
  }),
} as const;
