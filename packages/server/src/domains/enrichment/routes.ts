import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { enrichMemory } from './enrich.ts';
import { readQuality } from './quality.ts';
import { readTopics } from './topics.ts';

export const enrichmentRouteHandlers = [
  createHandler(routes.memories.topics, (ctx, { params, query }) =>
    readTopics(ctx, params.id, query),
  ),
  createHandler(routes.memories.enrich, (ctx, { params, body, prefersAsync }) =>
    enrichMemory(ctx, params.id, body.operations, prefersAsync),
  ),
  createHandler(routes.memories.quality, (ctx, { params, query }) =>
    readQuality(ctx, params.id, query),
  ),
];
