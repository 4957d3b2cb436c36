import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { enrichMemory } from './enrich.ts';
import { readMemoryQuality } from './quality.ts';
import { readMemoryTopics } from './topics.ts';

export const enrichmentRouteHandlers = [
  createHandler(routes.memories.topics, (ctx, { params, query }) =>
    readMemoryTopics(ctx, params.id, query),
  ),
  createHandler(routes.memories.enrich, (ctx, { params, body, prefersAsync }) =>
    enrichMemory(ctx, params.id, body.operations, prefersAsync),
  ),
  createHandler(routes.memories.quality, (ctx, { params, query }) =>
    readMemoryQuality(ctx, params.id, query),
  ),
];
