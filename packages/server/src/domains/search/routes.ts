import { routes, type SearchBody, type ValidatedRequest } from '@mneme/contract';
import { splitMetadataFilters } from '../../kernel/metadata-filters.ts';
import { createHandler } from '../handler.ts';
import { aggregateSearchResults } from './aggregate.ts';
import { searchBatch } from './batch.ts';
import { searchGlobal } from './global.ts';
import {
  findUnknownPipelineErrors,
  getPreset,
  listPresets,
  putPreset,
  removePreset,
} from './presets.ts';
import { recallMemories } from './recall.ts';
import { search } from './search.ts';
import { findSimilarMemories } from './similar.ts';
import { findMemoriesByTopic } from './topic.ts';

/** Collects the `metadata.<key>` parameters of the GET form into the POST form. */
function toSearchBody(query: ValidatedRequest<typeof routes.search.get>['query']): SearchBody {
  const { fields, metadata } = splitMetadataFilters(query);
  return { ...(fields as SearchBody), metadata };
}

export const searchRouteHandlers = [
  createHandler(
    routes.search.get,
    (ctx, { query }) => search(ctx, toSearchBody(query)),
    (ctx, { query }) => findUnknownPipelineErrors(ctx, query),
  ),
  createHandler(
    routes.search.post,
    (ctx, { body }) => search(ctx, body),
    (ctx, { body }) => findUnknownPipelineErrors(ctx, body),
  ),
  createHandler(routes.search.recall, (ctx, { body }) => recallMemories(ctx, body)),
  createHandler(routes.search.batch, (ctx, { body }) => searchBatch(ctx, body)),
  createHandler(routes.search.global, (ctx, { query }) => searchGlobal(ctx, query)),
  createHandler(routes.search.topic, (ctx, { query }) => findMemoriesByTopic(ctx, query)),
  createHandler(routes.search.aggregate, (ctx, { query }) => aggregateSearchResults(ctx, query)),
  createHandler(routes.search.similar, (ctx, { params, query }) =>
    findSimilarMemories(ctx, params.memoryId, query),
  ),
  createHandler(routes.search.listPresets, (ctx, { query }) => listPresets(ctx, query)),
  createHandler(routes.search.getPreset, (ctx, { params }) => getPreset(ctx, params.name)),
  createHandler(routes.search.putPreset, (ctx, { params, body }) =>
    putPreset(ctx, params.name, body),
  ),
  createHandler(routes.search.removePreset, (ctx, { params }) => removePreset(ctx, params.name)),
];
