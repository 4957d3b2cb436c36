import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { extractMemoryNow } from './extract-now.ts';
import { readPath, readSubgraph } from './graph-queries.ts';
import { createEntity, createFact, removeFact, updateEntity } from './manual-edits.ts';
import { mergeEntities } from './merge.ts';
import {
  countEntities,
  listEntitiesAtTime,
  readEntities,
  readEntity,
  readFacts,
  readRelationships,
  readTimeline,
} from './read.ts';
import { readMemoryKnowledge, readNeighbourhood } from './read-neighbourhood.ts';

const { knowledge } = routes;

export const graphRouteHandlers = [
  createHandler(knowledge.entities, (ctx, { query }) => readEntities(ctx, query)),
  createHandler(knowledge.count, (ctx, { query }) => countEntities(ctx, query)),
  createHandler(knowledge.atTime, (ctx, { query }) => listEntitiesAtTime(ctx, query)),
  createHandler(knowledge.get, (ctx, { params }) => readEntity(ctx, params.id)),
  createHandler(knowledge.timeline, (ctx, { params, query }) =>
    readTimeline(ctx, params.id, query),
  ),
  createHandler(knowledge.relationships, (ctx, { params, query }) =>
    readRelationships(ctx, params.id, query),
  ),
  createHandler(knowledge.facts, (ctx, { params, query }) => readFacts(ctx, params.id, query)),
  createHandler(knowledge.create, (ctx, { body }) => createEntity(ctx, body)),
  createHandler(knowledge.update, (ctx, { params, body }) => updateEntity(ctx, params.id, body)),
  createHandler(knowledge.createFact, (ctx, { body }) => createFact(ctx, body)),
  createHandler(knowledge.removeFact, (ctx, { params }) => removeFact(ctx, params.id)),
  createHandler(knowledge.extract, (ctx, { body }) => extractMemoryNow(ctx, body.memory_id)),
  createHandler(knowledge.merge, (ctx, { body }) => mergeEntities(ctx, body)),
  createHandler(knowledge.mergeEntities, (ctx, { body }) => mergeEntities(ctx, body)),
  createHandler(knowledge.subgraph, (ctx, { params, query }) =>
    readSubgraph(ctx, params.entityId, query),
  ),
  createHandler(knowledge.neighbourhood, (ctx, { query }) => readNeighbourhood(ctx, query)),
  createHandler(knowledge.ofMemory, (ctx, { params }) => readMemoryKnowledge(ctx, params.id)),
  createHandler(knowledge.path, (ctx, { query }) => readPath(ctx, query)),
];
