import { routes } from '@mneme/contract';
import { handle } from '../handle.ts';
import { enrichMemory } from './enrich.ts';
import { readQuality } from './quality.ts';
import { readTopics } from './topics.ts';

export const enrichmentHandlers = [
  handle(routes.memories.topics, (ctx, { params, query }) => readTopics(ctx, params.id, query)),
  handle(routes.memories.enrich, (ctx, { params, body, prefersAsync }) =>
    enrichMemory(ctx, params.id, body.operations, prefersAsync),
  ),
  handle(routes.memories.quality, (ctx, { params, query }) => readQuality(ctx, params.id, query)),
];
