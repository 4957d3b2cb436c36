import { type Checked, routes, type SearchBody } from '@mneme/contract';
import { handle } from '../handle.ts';
import { aggregate } from './aggregate.ts';
import { searchBatch } from './batch.ts';
import { searchEverywhere } from './global.ts';
import { getPreset, listPresets, pipelineFaults, putPreset, removePreset } from './presets.ts';
import { recall } from './recall.ts';
import { search } from './search.ts';
import { findSimilar } from './similar.ts';
import { findTopic } from './topic.ts';

const metadataPrefix = 'metadata.';

/** The GET form's `metadata.<key>` parameters, as the POST form has them. */
function asBody(query: Checked<typeof routes.search.get>['query']): SearchBody {
  const plain: Record<string, unknown> = {};
  const metadata: [string, string][] = [];
  for (const [key, value] of Object.entries(query)) {
    if (key.startsWith(metadataPrefix)) {
      metadata.push([key.slice(metadataPrefix.length), String(value)]);
    } else plain[key] = value;
  }
  return { ...(plain as SearchBody), metadata: Object.fromEntries(metadata) };
}

export const searchHandlers = [
  handle(
    routes.search.get,
    (ctx, { query }) => search(ctx, asBody(query)),
    (ctx, { query }) => pipelineFaults(ctx, query),
  ),
  handle(
    routes.search.post,
    (ctx, { body }) => search(ctx, body),
    (ctx, { body }) => pipelineFaults(ctx, body),
  ),
  handle(routes.search.recall, (ctx, { body }) => recall(ctx, body)),
  handle(routes.search.batch, (ctx, { body }) => searchBatch(ctx, body)),
  handle(routes.search.global, (ctx, { query }) => searchEverywhere(ctx, query)),
  handle(routes.search.topic, (ctx, { query }) => findTopic(ctx, query)),
  handle(routes.search.aggregate, (ctx, { query }) => aggregate(ctx, query)),
  handle(routes.search.similar, (ctx, { params, query }) =>
    findSimilar(ctx, params.memoryId, query),
  ),
  handle(routes.search.listPresets, (ctx, { query }) => listPresets(ctx, query)),
  handle(routes.search.getPreset, (ctx, { params }) => getPreset(ctx, params.name)),
  handle(routes.search.putPreset, (ctx, { params, body }) => putPreset(ctx, params.name, body)),
  handle(routes.search.removePreset, (ctx, { params }) => removePreset(ctx, params.name)),
];
